import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import type { Pool } from '#server/platform/database.ts';
import { createStream } from '#server/streams/streams.store.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { recomputeNextStream } from '#server/telemetry/recompute.ts';
import type { Area } from '#shared/domain/area.ts';
import { acceptDelivery, type ClockState } from '#shared/domain/test/oracle/accept.ts';
import type { Area as TheirArea } from '#shared/domain/test/oracle/area.ts';
import { unusedPositionReasons } from '#shared/domain/test/oracle/counting.ts';
import { type DayFigures, dayFigures, daysOfUse, daysOverlapping } from '#shared/domain/test/oracle/days.ts';
import { toDisplayedEnergies } from '#shared/domain/test/oracle/energy.ts';
import { positionsOf } from '#shared/domain/test/oracle/path.ts';
import { computePresences } from '#shared/domain/test/oracle/presence.ts';
import { type RandomMachine, randomMachine } from '#shared/domain/test/oracle/random-machine.ts';
import { type RandomProjects, randomProjects } from '#shared/domain/test/oracle/random-projects.ts';
import { chargingSessions } from '#shared/domain/test/oracle/sessions.ts';
import { isInRange, overlapOf, ownedStreams, type Range } from '#shared/domain/test/oracle/track.ts';

/**
 * Computes the figures of every report a second time, from raw readings and with other code (the oracle). The machine is random: its
 * readings come late, twice and out of order. The expected figures have the units of the report.
 */

export const CO2_FACTORS = [
  { kgPerKwh: 0.3, days: 0 },
  { kgPerKwh: 0.25, days: 1 },
] as const;
export const DIESEL_LITRES_PER_HOUR = 4.5;
export const INITIAL_HOURS = 1200.5;

const seconds = (ms: number): number => ms / 1000;
const kWh = (mj: number): number => Math.round(mj / 360) / 1e7;
const km = (mm: number): number => mm / 1e6;
const iso = (ms: number): string => new Date(ms).toISOString();
const floored = (share: number): number => Math.floor(share * 1000 + 1e-9) / 10;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export type SecondComputation = {
  readonly machine: RandomMachine;
  readonly projects: RandomProjects;
  readonly serial: string;
  /** Whether the machine belongs to `owner`, and not to `other`, after the last change of ownership. */
  readonly isOwn: boolean;
  /** First and last day with readings. */
  readonly from: string;
  readonly to: string;
};

const ours = (area: TheirArea): Area =>
  area.kind === 'circle' ? { centre: area.centre, radiusMetres: area.radius } : { corners: area.corners };

/** Stores the random machine of a seed, which `owner` and `other` own alternately, and lets the portal compute its day figures. */
export async function storeMachine(
  pool: Pool,
  seed: number,
  owner: number,
  other: number,
): Promise<SecondComputation> {
  const machine = withOpenLastOwnership(randomMachine(seed, { size: 250 }));
  const projects = randomProjects(machine);
  const serial = `R-${seed}`;
  await openPartitions(pool, () => 0).ensure(
    machine.stored.map(({ time }) => time),
    undefined,
  );
  const streamId = await createStream(pool, 'machine', { serial, alias: '=Rups', organizationId: owner });
  await pool.query(
    `insert into machine (stream_id, brand, model, macaddress, accessories, batteries, initial_hours, power_kw)
     values ($1, 'Volta', 'EX-1', '', '[]', '[{"capacity":100}]', $2, 40)`,
    [streamId, INITIAL_HOURS],
  );
  await pool.query('delete from ownership where stream_id = $1', [streamId]);
  const at = (ms: number) => (Number.isFinite(ms) ? new Date(ms) : ms < 0 ? '-infinity' : 'infinity');
  for (const part of machine.ownership)
    await pool.query(
      'insert into ownership (stream_id, organization_id, valid_from, valid_to) values ($1, $2, $3, $4)',
      [streamId, part.owner === 0 ? owner : other, at(part.from), at(part.to)],
    );
  const ids = new Map<number, number>();
  for (const { id, firstDay, lastDay, areas } of projects.projects.toSorted((a, b) => a.id - b.id)) {
    const { rows } = await pool.query<{ id: number }>(
      `insert into project (organization_id, name, number, client, first_day, last_day, areas)
       values ($1, $2, '7', 'Gemeente', $3, $4, $5) returning id`,
      [owner, projectNameOf(seed, id), firstDay, lastDay, JSON.stringify(areas.map(ours))],
    );
    ids.set(id, rows[0]?.id as number);
  }
  for (const { project, from, to } of projects.assignments)
    await pool.query(
      'insert into assignment (project_id, stream_id, valid_from, valid_to) values ($1, $2, $3, $4)',
      [ids.get(project), streamId, new Date(from), new Date(to)],
    );
  const clocks: ClockState = new Map();
  for (const batch of machine.batches)
    await storeReadings(
      pool,
      batch.flatMap((delivery) => {
        const result = acceptDelivery(delivery, clocks);
        return 'refusal' in result ? [] : [{ ...result.reading, receivedAt: result.received, streamId }];
      }),
    );
  // If the first MotorSpeed arrives late, earlier buckets are wrong until this background task has recomputed them.
  while (await recomputeNextStream(pool));
  await computeUntilUpToDate(pool);
  const days = spanOf(machine);
  const isOwn = machine.ownership.at(-1)?.owner === 0;
  return { machine, projects, serial, isOwn, from: days[0]?.day as string, to: days.at(-1)?.day as string };
}

/** Returns a machine whose last ownership has no end, because calls about a machine are only for its present owner. */
function withOpenLastOwnership(machine: RandomMachine): RandomMachine {
  const ownership = machine.ownership.map((part, n) =>
    n === machine.ownership.length - 1 ? { ...part, to: Number.POSITIVE_INFINITY } : part,
  );
  return { ...machine, ownership, ownRanges: ownership.filter(({ owner }) => owner === 0) };
}

export const projectNameOf = (seed: number, project: number): string => `Project ${seed}-${project}`;

const spanOf = ({ stored }: RandomMachine) =>
  daysOverlapping({ from: stored[0]?.time ?? 0, to: (stored.at(-1)?.time ?? 0) + 1 });

const coverageOf = (figures: readonly DayFigures[], silentMs = 0): number | null => {
  const window = sum(figures.map(({ windowMs }) => windowMs)) + silentMs;
  return window > 0 ? floored(sum(figures.map(({ heardInWindowMs }) => heardInWindowMs)) / window) : null;
};
/** National holidays of 2026 on a weekday, 'YYYY-MM-DD'. */
const HOLIDAYS = [
  '2026-01-01',
  '2026-04-06',
  '2026-04-27',
  '2026-05-14',
  '2026-05-25',
  '2026-12-25',
] as const;
/** Returns the length of the shift on a day: ten hours from Monday to Friday, none on holidays. */
const shiftOn = (day: string): number => {
  const weekday = new Date(`${day}T12:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6 || HOLIDAYS.some((one) => one === day) ? 0 : 10 * 3_600_000;
};
const isThere = ({ energies, soc, distanceMm }: DayFigures): boolean =>
  energies.heardMs > 0 || soc !== undefined || distanceMm > 0;

/** Returns the expected rows of each report, with the columns that are figures. */
export function expectedReportRows(
  { machine, projects }: SecondComputation,
  minutes: number,
  now = Date.now(),
) {
  const { stored, ownRanges } = machine;
  const days = spanOf(machine);
  const there = computePresences(stored, projects.projects, projects.assignments, ownRanges);
  const figuresIn = (ranges: readonly { from: number; to: number }[][]): DayFigures[] =>
    dayFigures(stored, ranges, ownRanges);
  const whole = figuresIn(days.map(({ from, to }) => [{ from, to }]));
  const ownedReadings = ownedStreams(stored, ownRanges).flatMap(({ stream }) => stream.readings);
  const hasData = (day: Range): boolean => ownedReadings.some(({ time }) => isInRange(day, time));
  const projectAt = (time: number): number | undefined =>
    there.find(({ from, to }) => from <= time && time < to)?.project;

  const inzet = projects.projects.flatMap(({ id }) => {
    const on = figuresIn(
      days.map((day) =>
        there.filter(({ project }) => project === id).flatMap((one) => overlapOf(one, day) ?? []),
      ),
    );
    const used = on.flatMap((figures, n) => (isThere(figures) ? [{ figures, n }] : []));
    const silent = days.filter(
      (day) =>
        day.to <= now && !hasData(day) && there.some((one) => one.project === id && overlapOf(one, day)),
    );
    if (used.length + silent.length === 0) return [];
    const all = used.map(({ figures }) => figures);
    const charged = sum(all.map(({ energies }) => energies.chargedMj));
    const elsewhere = sum(used.map(({ n }) => whole[n]?.energies.chargedMj ?? 0)) - charged;
    const running = sum(all.map(({ runningMs }) => runningMs));
    const isKnown = all.some(({ energies }) => energies.knownMs > 0);
    return [
      {
        id,
        days: daysOfUse(all, minutes),
        running: seconds(running),
        charging: seconds(sum(all.map(({ chargingMs }) => chargingMs))),
        used: isKnown ? kWh(sum(all.map(({ energies }) => energies.outMj))) : null,
        charged: isKnown || charged > 0 ? kWh(charged) : null,
        chargedOff: isKnown || elsewhere > 0 ? kWh(elsewhere) : null,
        co2: isKnown
          ? sum(
              used.map(
                ({ figures, n }) =>
                  (figures.energies.outMj / 3.6e9) * (n === 0 ? CO2_FACTORS[0] : CO2_FACTORS[1]).kgPerKwh,
              ),
            )
          : used.length === 0
            ? 0
            : null,
        diesel: (running / 3_600_000) * DIESEL_LITRES_PER_HOUR,
        coverage: coverageOf(all, sum(silent.map(({ day }) => shiftOn(day)))),
        silentDays: silent.length,
      },
    ];
  });

  const unused = [...unusedPositionReasons(stored).keys()].filter((time) =>
    ownRanges.some((own) => isInRange(own, time)),
  );
  const dagstaten = days.flatMap(({ day, from, to }, n) => {
    const figures = whole[n] as DayFigures;
    const { energies, soc } = figures;
    if (!isThere(figures)) return [];
    const shown = toDisplayedEnergies(energies);
    return [
      {
        day,
        firstRunning: figures.work ? iso(figures.work.from) : null,
        lastRunning: figures.work ? iso(figures.work.to) : null,
        firstCharging: figures.charging ? iso(figures.charging.from) : null,
        lastCharging: figures.charging ? iso(figures.charging.to) : null,
        running: seconds(figures.runningMs),
        charging: seconds(figures.chargingMs),
        idle: seconds(figures.idleMs),
        used: shown.out === null ? null : kWh(energies.outMj),
        charged: shown.charged === null ? null : kWh(energies.chargedMj),
        fedBack: shown.fedBack === null ? null : kWh(energies.fedBackMj),
        known: shown.knownShare === null ? null : floored(shown.knownShare),
        distance: km(figures.distanceMm),
        driven: km(figures.distanceMm - figures.carriedMm),
        carried: km(figures.carriedMm),
        unused: unused.filter((time) => isInRange({ from, to }, time)).length,
        socMin: soc?.lowest ?? null,
        socMax: soc?.highest ?? null,
        coverage: coverageOf([figures]),
      },
    ];
  });

  const laadbeurten = chargingSessions(stored, ownRanges).map((one) => ({
    from: iso(one.from),
    to: iso(one.to),
    charging: seconds(one.chargingMs),
    pauses: seconds(one.pausesMs),
    charged: kWh(one.chargedMj),
    meanPower: one.meanPower,
    highestPower: one.highestWatts === undefined ? null : one.highestWatts / 1000,
    full: seconds(one.fullMs),
    latitude: one.place?.lat ?? null,
    longitude: one.place?.lon ?? null,
    project: projectAt(one.from),
  }));

  const period = { from: days[0]?.from as number, to: days.at(-1)?.to as number };
  const hours = machine.ownership.map((part) => ({ ...part, inside: overlapOf(part, period) }));
  const ranBefore = (time: number): number => sum(hours.map((part) => ranIn(machine, part, time)));
  const draaiuren = hours
    .filter(({ owner }) => owner === 0)
    .flatMap(({ inside }) => {
      if (!inside) return [];
      const [figures] = figuresIn([[inside]]);
      const meter = INITIAL_HOURS * 3600 + seconds(ranBefore(inside.from));
      const running = seconds(figures?.runningMs ?? 0);
      return [
        { from: iso(inside.from), to: iso(inside.to), meterFrom: meter, meterTo: meter + running, running },
      ];
    });

  const owned = ownedStreams(stored, ownRanges).map(({ stream }) => stream);
  const route = owned
    .flatMap(positionsOf)
    .map(({ time, lat, lon }) => ({ time: iso(time), latitude: lat, longitude: lon }));
  const metingen = owned
    .flatMap(({ readings }) => readings)
    .flatMap(({ time, signals }) => {
      const values = VALUE_SIGNALS.map((name) => signals[name] ?? null);
      return values.some((value) => value !== null) ? [[iso(time), ...values]] : [];
    });
  return { inzet, dagstaten, laadbeurten, draaiuren, route, unused: unused.map(iso), metingen };
}

/** Signals that are stored under one name only. */
export const VALUE_SIGNALS = ['MotorSpeed', 'BatteryCurrent', 'BatteryVoltage'] as const;

/** Returns the running time in the part of an ownership period before the time `before`, in ms. */
function ranIn(
  { stored }: RandomMachine,
  part: { readonly from: number; readonly to: number },
  before: number,
): number {
  const range = { from: Math.max(part.from, 0), to: Math.min(part.to, before) };
  if (range.from >= range.to) return 0;
  return dayFigures(stored, [[range]], [part])[0]?.runningMs ?? 0;
}
