import { readStanding } from '#server/charging-sessions/standing-forecasts.ts';
import { readSessions } from '#server/charging-sessions/stored-sessions.ts';
import { readMaintenance } from '#server/maintenance/maintenance.store.ts';
import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { readWorkWeeks } from '#server/work-weeks/work-weeks.store.ts';
import type { ClockKind } from '#shared/domain/alerts/kinds.ts';
import type { Charge, Standing } from '#shared/domain/alerts/standing.ts';
import { nextShift, USUAL_WEEK, type WorkWeek } from '#shared/domain/alerts/work-week.ts';
import { averagePercent, batteriesOf } from '#shared/domain/battery.ts';
import { forecastFull } from '#shared/domain/charge-forecast.ts';
import { liveDataOf } from '#shared/domain/live-data.ts';
import { isCharging } from '#shared/domain/machine-status.ts';
import type { ActiveRule, OwnedMachine } from './watched.store.ts';

/** What stands of machines now, for the rules that the clock tells. */

const { latest } = telemetryTables();

export type ClockRule = ActiveRule & { readonly kind: ClockKind };

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** As for the forecast of a charge that goes on. */
const CHARGES_DAYS = 90;
const MOST_CHARGES = 400;

/** ms; what a battery said longer ago says nothing of how it is. */
const CHARGE_KNOWN_MS = DAY_MS;

/** What is known of each machine, as far as these rules ask for it. */
export async function readStandings(
  db: Database,
  rules: readonly ClockRule[],
  machines: readonly OwnedMachine[],
  now: number,
): Promise<Map<number, Standing>> {
  const weeks = await readWorkWeeks(db, [...new Set(rules.map(({ organizationId }) => organizationId))]);
  const weekOf = (organizationId: number): WorkWeek => weeks.get(organizationId) ?? USUAL_WEEK;
  const machinesOf = (asking: readonly ClockRule[]): OwnedMachine[] => {
    const organizations = new Set(asking.map(({ organizationId }) => organizationId));
    return machines.filter(({ organizationId }) => organizations.has(organizationId));
  };
  const beforeShift = rules.filter(({ kind, settings: { ahead = 0 }, organizationId }) => {
    const shift = kind === 'not-full' ? nextShift(weekOf(organizationId), now) : undefined;
    return shift !== undefined && shift.from - ahead * MINUTE_MS <= now;
  });
  const heard = await lastHeard(db, machines, now);
  const charges = await readCharges(db, machinesOf(beforeShift), now);
  const served = machinesOf(rules.filter(({ kind }) => kind === 'maintenance'));
  const plans = await readMaintenance(
    db,
    served.map(({ streamId }) => streamId),
    now,
  );
  return new Map(
    machines.map(({ streamId, organizationId, ownedSince }) => {
      const heardAt = heard.get(streamId);
      return [
        streamId,
        {
          heardAt: heardAt === undefined ? undefined : Math.max(heardAt, ownedSince),
          week: weekOf(organizationId),
          charge: charges.get(streamId),
          plans: plans.get(streamId) ?? [],
        },
      ];
    }),
  );
}

async function readCharges(
  db: Database,
  machines: readonly OwnedMachine[],
  now: number,
): Promise<Map<number, Charge>> {
  const streamIds = machines.map(({ streamId }) => streamId);
  const { rows } = await db.query<{
    id: number;
    time: number;
    signals: Record<string, [number, number]>;
  }>(
    `select stream_id as id, extract(epoch from heard_at)::float8 * 1000 as time, signals from ${latest}
     where stream_id = any ($1::int[]) and heard_at > $2 and heard_at <= $3`,
    [streamIds, new Date(now - CHARGE_KNOWN_MS), new Date(now + CHARGE_KNOWN_MS)],
  );
  const newest = new Map(rows.map((row) => [row.id, row]));
  const full = await readStanding(db, machines.map(historyOf), now);
  const charges = new Map<number, Charge>();
  for (const { streamId, ownedSince, batteries } of machines) {
    const { time, signals } = newest.get(streamId) ?? {};
    if (time === undefined || signals === undefined) continue;
    const own = Object.entries(signals).flatMap(([name, [value, at]]) =>
      at >= ownedSince ? [[name, { value, time: at }] as const] : [],
    );
    const values = liveDataOf(own, time);
    const percent = averagePercent(batteriesOf(values, batteries));
    if (percent === undefined) continue;
    charges.set(streamId, {
      percent,
      at: time,
      isCharging: isCharging(values),
      full: full.get(streamId),
      takesMs: undefined,
    });
  }
  return charges;
}

const historyOf = ({ streamId, ownedSince }: OwnedMachine): OwnHistory => ({
  streamId,
  own: [{ from: ownedSince, to: Number.POSITIVE_INFINITY }],
});

/** With how long a charge would take, by the machine's own of before. */
export async function withTime(
  db: Database,
  { streamId, ownedSince }: OwnedMachine,
  standing: Standing,
  now: number,
): Promise<Standing> {
  const { charge } = standing;
  if (!charge) return standing;
  const range = { from: Math.max(ownedSince, now - CHARGES_DAYS * DAY_MS), to: now };
  const sessions = await readSessions(db, streamId, [range], MOST_CHARGES);
  const past = sessions.filter(({ ended }) => ended !== null).reverse();
  const course = { firstPercent: undefined, reachedMs: [] };
  const full = forecastFull(past, { at: now, percent: charge.percent, watts: past.at(-1)?.watts, course });
  return { ...standing, charge: { ...charge, takesMs: full && full.to - now } };
}

/** When something came in of each, by the portal's clock, ms. */
async function lastHeard(
  db: Database,
  machines: readonly OwnedMachine[],
  now: number,
): Promise<Map<number, number>> {
  const { rows } = await db.query<{ id: number; time: number; stored: number }>(
    `select stream_id as id, extract(epoch from time)::float8 * 1000 as time, extract(epoch from updated_at)::float8 * 1000 as stored
     from ${latest} where stream_id = any ($1::int[])`,
    [machines.map(({ streamId }) => streamId)],
  );
  return new Map(rows.map(({ id, time, stored }) => [id, heardAt(time, stored, now)]));
}

/** What changes in the rows of a machine that reported nothing for a month is our own upkeep. */
const MONTH_MS = 30 * 86_400_000;
const heardAt = (time: number, stored: number, now: number): number =>
  time < now - MONTH_MS ? time : Math.min(stored, now);
