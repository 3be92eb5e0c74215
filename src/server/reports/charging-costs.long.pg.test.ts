import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { ChargingSessionView } from '#shared/contract/charging-sessions.ts';
import type { TariffFields } from '#shared/contract/charging-tariffs.ts';
import type { DailyFigures } from '#shared/contract/day-figures.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { formatDecimals } from '#shared/domain/nl.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { chooseSeeds, Random } from '#shared/domain/test/oracle/random-machine.ts';

/** Each seed is run for the begin and for the end of summer time. */
const SEEDS = chooseSeeds([1, 2, 3], 10);
const NOW = Date.UTC(2026, 10, 1);
const MINUTE_MS = 60_000;

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
});
afterAll(() => portal.close());

// Computes the costs a second time from the rules alone, minute by minute: with another formatter for the time of day, and without code of
// the product.

type Minute = { readonly time: number; readonly watts: number; readonly isOnYard: boolean };
type Sum = { euros: number; unpriced: number; kWh: number };

const CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Amsterdam',
  dateStyle: 'short',
  timeStyle: 'short',
});

/** Returns the yard's price if the yard has one at that time, otherwise the organization's. */
const priceAt = (tariffs: readonly TariffFields[], { time, isOnYard }: Minute): number | null => {
  const [ofYard, own] = [true, false].map((is) =>
    priceBy(
      tariffs.filter(({ terreinId }) => (terreinId !== null) === is),
      time,
    ),
  );
  return (isOnYard ? ofYard : null) ?? own ?? null;
};

function priceBy(tariffs: readonly TariffFields[], time: number): number | null {
  const [day = '', clock = ''] = CLOCK.format(time).split(' ');
  const begun = tariffs.filter(({ firstDay }) => firstDay <= day).map(({ firstDay }) => firstDay);
  const tariff = tariffs.find(({ firstDay }) => firstDay === begun.sort().at(-1));
  if (!tariff || (tariff.lastDay !== null && tariff.lastDay < day)) return null;
  if (tariff.nightPrice === null) return tariff.dayPrice;
  const isWeekend = ['Sat', 'Sun'].includes(
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Amsterdam', weekday: 'short' }).format(time),
  );
  const two = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
  const [from, to] = [two(tariff.nightFrom), two(tariff.nightTo)];
  const inNight = from < to ? clock >= from && clock < to : clock >= from || clock < to;
  return inNight || (isWeekend && tariff.nightWeekend) ? tariff.nightPrice : tariff.dayPrice;
}

function sumOf(minutes: readonly Minute[], tariffs: readonly TariffFields[]): Sum {
  const sum = { euros: 0, unpriced: 0, kWh: 0 };
  for (const minute of minutes) {
    const kWh = minute.watts / 60_000;
    const price = priceAt(tariffs, minute);
    sum.kWh += kWh;
    if (price === null) sum.unpriced += kWh;
    else sum.euros += kWh * price;
  }
  return sum;
}

/** Returns the cells that a report shows for a sum: no amount if no energy has a tariff. */
const shown = ({ euros, unpriced }: Sum) => [
  euros === 0 && unpriced > 0 ? null : expect.closeTo(euros, 6),
  expect.closeTo(unpriced, 6),
];

/** Returns random charges by the minute, with a pause of an hour or more between two charges. */
function randomCharges(random: Random, from: number, to: number): Minute[][] {
  const charges: Minute[][] = [];
  let at = from;
  for (;;) {
    at += random.whole(60, 700) * MINUTE_MS;
    const count = random.whole(6, 600);
    if (at + count * MINUTE_MS > to) return charges;
    let watts = 400 * random.whole(10, 200);
    const isOnYard = random.whole(0, 1) === 0;
    charges.push(
      Array.from({ length: count }, (_, n) => {
        if (random.whole(0, 60) === 0) watts = 400 * random.whole(10, 200);
        return { time: at + n * MINUTE_MS, watts, isOnYard };
      }),
    );
    at += count * MINUTE_MS;
  }
}

const YARD = { lat: 52.1, lon: 5.1 };
const ELSEWHERE = { lat: 52.13, lon: 5.1 };

const readingsOf = (charges: readonly (readonly Minute[])[]): Reading[] =>
  charges.flatMap((charge) => [
    // The machine arrives ten minutes before the charge.
    ...Array.from({ length: 10 }, (_, n) => ({
      time: (charge[0] as Minute).time - (10 - n) * MINUTE_MS,
      signals: placeOf(charge[0] as Minute),
    })),
    ...charge.map(({ time, watts, isOnYard }) => ({
      time,
      signals: {
        ...placeOf({ isOnYard }),
        IsCharging1: 1,
        ChargingCurrent: watts / 400,
        ChargingVoltage: 400,
      },
    })),
    {
      time: (charge.at(-1) as Minute).time + MINUTE_MS,
      signals: { IsCharging1: 0, ChargingCurrent: 0, ChargingVoltage: 400 },
    },
  ]);

function placeOf({ isOnYard }: Pick<Minute, 'isOnYard'>) {
  const { lat, lon } = isOnYard ? YARD : ELSEWHERE;
  return { LATITUDE: lat, LONGITUDE: lon };
}

function randomTariffs(random: Random, days: readonly string[], terreinId: number | null): TariffFields[] {
  const price = (): number => random.whole(0, 50_000) / 100_000;
  const first = days.filter(() => random.whole(0, 2) === 0);
  return first.map((firstDay) => ({
    firstDay,
    terreinId,
    lastDay: random.whole(0, 2) === 0 ? (days[days.indexOf(firstDay) + random.whole(0, 1)] ?? null) : null,
    dayPrice: price(),
    nightPrice: random.whole(0, 3) === 0 ? null : price(),
    nightFrom: random.whole(20, 23),
    nightTo: random.whole(0, 8),
    nightWeekend: random.whole(0, 1) === 0,
  }));
}

type Row = Readonly<Record<string, string | number | null>>;
async function reportOf(kind: string, [from, to]: readonly [string, string], cookie: string) {
  const answer = await portal.get(`/api/report/${kind}?from=${from}&to=${to}`, cookie);
  expect(answer.statusCode, answer.body).toBe(200);
  const { columns, rows, totals, notes } = answer.json() as ReportAnswer;
  const byKey = (cells: readonly (string | number | null)[]): Row =>
    Object.fromEntries(columns.map(({ key }, n) => [key, cells[n] ?? null]));
  return { rows: rows.map(byKey), totals: byKey(totals ?? []), notes };
}

const dayOf = (time: number): string => CLOCK.format(time).slice(0, 10);

test.each(
  SEEDS.flatMap((seed) => [
    ['ends', seed, ['2026-10-22', '2026-10-27']] as const,
    ['begins', seed, ['2026-03-26', '2026-03-31']] as const,
  ]),
)(
  'random tariffs and charges where summer time %s (seed %i) cost the same by days, sessions, projects and calls as a computation by the minute (53.32)',
  async (name, seed, period) => {
    const random = new Random(seed * 7 + name.length);
    const key = `${name}-${seed}`;
    const owner = await portal.organization(key);
    await portal.user(`b@${key}.nl`, owner, 'beheerder');
    const cookie = await portal.login(`b@${key}.nl`);
    const streamId = await portal.machine(owner, { serial: key });
    const days: string[] = [];
    for (let time = Date.parse(`${period[0]}T12:00Z`); dayOf(time) <= period[1]; time += 86_400_000)
      days.push(dayOf(time));
    const charges = randomCharges(
      random,
      Date.parse(`${period[0]}T00:00+02:00`),
      Date.parse(`${period[1]}T20:00Z`),
    );
    await portal.pool.query('update ownership set valid_from = $2 where stream_id = $1', [
      streamId,
      new Date('2026-01-01'),
    ]);
    await storeTestReadings(portal.pool, streamId, readingsOf(charges));
    // The machine is assigned by hand at odd minutes, so that the assignment begins and ends inside buckets.
    const { rows: projects } = await portal.pool.query<{ id: number }>(
      `insert into project (organization_id, name, first_day) values ($1, 'Sluis', '2026-01-01') returning id`,
      [owner],
    );
    const there = [charges[1]?.[3]?.time ?? 0, (charges.at(-2)?.at(-1)?.time ?? 0) - 2 * MINUTE_MS] as const;
    await portal.pool.query(
      'insert into assignment (project_id, stream_id, valid_from, valid_to) values ($1, $2, $3, $4)',
      [projects[0]?.id, streamId, new Date(there[0]), new Date(there[1])],
    );
    await computeUntilUpToDate(portal.pool);

    const without = await reportOf('dagstaten', period, cookie);
    expect(Object.keys(without.totals)).not.toContain('cost');
    // The terrein has no tracked presences yet, so the place of the session decides.
    const { rows: terreinen } = await portal.pool.query<{ id: number }>(
      `insert into terrein (organization_id, name, areas, counted_from) values ($1, 'Werf', $2, $3) returning id`,
      [
        owner,
        JSON.stringify([{ centre: YARD, radiusMetres: 500 }]),
        seed % 2 === 0 ? '2026-01-01' : '2026-11-20',
      ],
    );
    await portal.pool.query(`insert into changed_history (stream_id, from_time) values ($1, '-infinity')`, [
      streamId,
    ]);
    await computeUntilUpToDate(portal.pool);
    const tariffs = [
      ...randomTariffs(random, days, null),
      ...(seed === 1 ? [] : randomTariffs(random, days, terreinen[0]?.id ?? null)),
    ];
    tariffs.push({
      ...(tariffs[0] ?? {
        terreinId: null,
        lastDay: null,
        dayPrice: 0.3,
        nightPrice: 0.2,
        nightFrom: 23,
        nightTo: 7,
        nightWeekend: true,
      }),
      terreinId: null,
      firstDay: '2025-12-01',
      lastDay: random.whole(0, 1) === 0 ? '2025-12-31' : null,
    });
    for (const tariff of tariffs) {
      const metadata = await portal.app.inject({
        method: 'POST',
        url: '/api/charging-tariff/create',
        headers: { cookie, ...SCRIPT_HEADERS },
        payload: tariff,
      });
      expect(metadata.statusCode, metadata.body).toBe(200);
    }

    const minutes = charges.flat();
    const byDay = days.map((day) => minutes.filter(({ time }) => dayOf(time) === day));
    const all = sumOf(minutes, tariffs);
    const dagstaten = await reportOf('dagstaten', period, cookie);
    const expected = byDay
      .filter((ofDay) => ofDay.length > 0)
      .map((ofDay) => [expect.closeTo(sumOf(ofDay, tariffs).kWh, 6), ...shown(sumOf(ofDay, tariffs))]);
    const charged = dagstaten.rows.filter(({ charged }) => Number(charged) > 0);
    expect(charged.map(({ charged, cost, unpriced }) => [charged, cost, unpriced])).toEqual(expected);
    expect([dagstaten.totals.cost, dagstaten.totals.unpriced]).toEqual(shown(all));
    expect(dagstaten.notes.some((note) => note.startsWith('Voor '))).toBe(all.unpriced > 1e-9);

    const laadbeurten = await reportOf('laadbeurten', period, cookie);
    const total = dagstaten.totals.cost;
    expect(laadbeurten.notes.filter((note) => note.startsWith('Laadbeurten €'))).toEqual(
      typeof total === 'number'
        ? [expect.stringContaining(` = Laadkosten van Dagstaten € ${formatDecimals(total, 2)}.`)]
        : [],
    );
    expect(laadbeurten.rows.map(({ charged, cost, unpriced }) => [charged, cost, unpriced])).toEqual(
      charges.map((charge) => [
        expect.closeTo(sumOf(charge, tariffs).kWh, 6),
        ...shown(sumOf(charge, tariffs)),
      ]),
    );
    expect([laadbeurten.totals.cost, laadbeurten.totals.unpriced]).toEqual(shown(all));

    const inzet = await reportOf('inzet', period, cookie);
    const onProject = minutes.filter(({ time }) => there[0] <= time && time < there[1]);
    const daysThere = new Set(onProject.map(({ time }) => dayOf(time)));
    const elsewhere = minutes.filter((one) => daysThere.has(dayOf(one.time)) && !onProject.includes(one));
    const [on, off] = [sumOf(onProject, tariffs), sumOf(elsewhere, tariffs)];
    expect(inzet.rows.map(({ cost, costOff, unpriced }) => [cost, costOff, unpriced])).toEqual([
      [shown(on)[0], shown(off)[0], expect.closeTo(on.unpriced + off.unpriced, 6)],
    ]);

    const month = await portal.get(`/api/influx/days/${key}?month=${period[0].slice(0, 7)}`, cookie);
    const ofCall = (month.json() as { days: DailyFigures[] }).days.filter((day) => (day.charged ?? 0) > 0);
    expect(ofCall.map((day) => [day.charged, day.cost?.euros, day.cost?.unpricedKwh])).toEqual(expected);
    const call = await portal.get(
      `/api/influx/sessions/${key}?start=2026-03-01T00:00:00Z&end=${new Date(NOW).toISOString()}`,
      cookie,
    );
    const { sessions } = call.json() as { sessions: ChargingSessionView[] };
    expect(sessions.toReversed().map(({ cost }) => [cost?.euros, cost?.unpricedKwh])).toEqual(
      charges.map((charge) => shown(sumOf(charge, tariffs))),
    );
  },
  60_000,
);
