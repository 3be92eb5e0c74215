import { rowsOf } from './influx.ts';
import { median } from './median.ts';
import { inPairs, type Pair } from './pairs.ts';
import type { Row } from './row.ts';

/** One question: how our call asks it, and how InfluxQL asks it as well as it can. */
type Question = {
  readonly what: string;
  readonly unit: string;
  path(serial: string): string;
  influxql(serial: string): string;
  /** What stands beside each other: a figure, or how many points. */
  ours(answer: unknown): number;
  its(rows: readonly (readonly (number | null)[])[]): number;
};

const DAY_MS = 24 * 3_600_000;
const PAIRS = 7;
const POINT = '"LATITUDE", "LONGITUDE", "Speed"';
const WATTS = '"BatteryCurrent" * "BatteryVoltage" AS "watts"';

/**
 * About a range of 30 days, ms. InfluxQL knows no 'next value' beside a value and no value of another instant: all
 * signals are read from one point, which holds here, where every reading has all of them.
 */
export async function questionsOf(
  { from, to }: { from: number; to: number },
  ask: (path: string) => Promise<string>,
): Promise<Question[]> {
  const span = (start: number) => `start=${new Date(start).toISOString()}`;
  const end = new Date(to).toISOString();
  const within = (start: number) => `AND time >= ${start}ms AND time < ${to}ms`;
  const of = (serial: string, more = '') => `FROM "reading" WHERE "serial" = '${serial}' ${more}`;
  const thinned = (serial: string) => `/api/influx/gps/${serial}?${span(from)}&end=${end}`;
  const points = JSON.parse(await ask(thinned('BENCH-0'))).length as number;
  const figure = (key: string) => ({
    ours: (answer: unknown) => (answer as Record<string, number>)[key] ?? 0,
    its: (rows: readonly (readonly (number | null)[])[]) => rows[0]?.[1] ?? 0,
  });
  const path = {
    unit: 'points',
    ours: (answer: unknown) => (answer as unknown[]).length,
    its: (rows: readonly unknown[]) => rows.length,
  };
  return [
    {
      what: 'operating hours',
      unit: 'h',
      path: (serial) => `/api/influx/driverhours/${serial}`,
      // From running value to running value: the time from the last one of a stretch to the standstill is not in it,
      // and a standstill of less than 5 min is.
      influxql: (serial) =>
        `SELECT sum("ms") / 3600000 FROM (SELECT elapsed("MotorSpeed", 1ms) AS "ms" ${of(serial, 'AND "MotorSpeed" > 150')}) WHERE "ms" <= 300000`,
      ...figure('hours'),
    },
    {
      what: '30-day power',
      unit: 'kW',
      path: (serial) => `/api/influx/workpower/${serial}?${span(from)}&stop=${end}&window=300m`,
      // Each value weighs the same, however long it held.
      influxql: (serial) =>
        `SELECT mean("watts") / 1000 FROM (SELECT ${WATTS} ${of(serial, `${within(from)} AND "MotorSpeed" > 150 AND ("IsCharging" < 1 OR "ChargingCurrent" <= 1)`)})`,
      ...figure('AvgPower'),
    },
    {
      what: '30-day energy',
      unit: 'kWh',
      path: (serial) => `/api/influx/powerback/${serial}?${span(from)}&stop=${end}`,
      // A line from value to value, also across silence of any length; and the flag, 0 or 1, alone says that it charges:
      // a condition would leave out points, and the line would run across them.
      influxql: (serial) =>
        `SELECT integral("back", 1h) / 1000 FROM (SELECT (abs("watts") - "watts") / 2 * (1 - "charges") AS "back" FROM (SELECT ${WATTS}, "IsCharging" AS "charges" ${of(serial, within(from))}))`,
      ...figure('kWh'),
    },
    {
      what: 'GPS path, 24 h, every point',
      path: (serial) => `/api/influx/gps/${serial}?${span(to - DAY_MS)}&end=${end}&resolution=full`,
      // Nothing differs.
      influxql: (serial) =>
        `SELECT ${POINT}, ("Soc1" + "Soc2") / 2 AS "soc" ${of(serial, within(to - DAY_MS))}`,
      ...path,
    },
    {
      what: 'GPS path, 30 days, thinned to a screen',
      path: thinned,
      // The first point of each of as many windows: corners, stops and the times of points are lost.
      influxql: (serial) =>
        `SELECT first("LATITUDE"), "LONGITUDE", "Speed" ${of(serial, within(from))} GROUP BY time(${Math.ceil((to - from) / points / 1000)}s) FILL(none)`,
      ...path,
    },
  ];
}

type Timed = { readonly ms: number; readonly answer: string };

/** BENCH-0 and so on: in pairs, both sides of one about the same machine; the first warms up. */
export async function askBoth(
  question: Question,
  machines: number,
  ours: (path: string) => Promise<string>,
  its: (influxql: string) => Promise<string>,
): Promise<Omit<Row, 'reach' | 'reached'>> {
  const pairs: Pair<Timed>[] = [];
  for (let n = 0; n <= PAIRS; n++) {
    const serial = `BENCH-${n % machines}`;
    const [pair] = await inPairs(
      1,
      () => timedAnswer(() => ours(question.path(serial))),
      () => timedAnswer(() => its(question.influxql(serial))),
    );
    if (pair && n > 0) pairs.push(pair);
  }
  const { ours: mine, reference } = pairs.at(-1) as Pair<Timed>;
  const ms = (side: 'ours' | 'reference') => `${median(pairs.map((pair) => pair[side].ms)).toFixed(1)} ms`;
  const values = [question.ours(JSON.parse(mine.answer)), question.its(rowsOf(reference.answer))];
  return {
    what: question.what,
    measured: ms('ours'),
    reference: `${ms('reference')} influxdb`,
    ratio: median(pairs.map((pair) => pair.ours.ms / pair.reference.ms)),
    notes: [
      `the answers: ours ${values.map((value) => `${Number(value.toFixed(3))} ${question.unit}`).join(', influxdb ')}`,
      `pairs, ms: ${pairs.map((pair) => `${pair.ours.ms.toFixed(1)}/${pair.reference.ms.toFixed(1)}`).join('  ')}`,
    ],
  };
}

async function timedAnswer(work: () => Promise<string>): Promise<Timed> {
  const began = performance.now();
  const answer = await work();
  return { ms: performance.now() - began, answer };
}
