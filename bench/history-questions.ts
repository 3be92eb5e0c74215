import type { Pool } from '#server/platform/database.ts';

type Client = Pick<Pool, 'query'>;

/** One question: how our call asks it, and how SQL asks it of the raw rows. */
export type Asked = {
  readonly what: string;
  path(serial: string): string;
  raw(client: Client, streamId: number): Promise<unknown>;
  /** @throws when the answers differ */
  check(ours: unknown, raw: unknown): void;
  /** Times the reference: the median of the pairs, and p95 of ours alone. */
  readonly most?: number;
  readonly most95?: number;
};

const DAY_MS = 24 * 3_600_000;
/** 20 ms where raw rows take 2,000, and a path in 100 ms where its rows take 2,500: docs/decisions/0054-marks-as-ratios.md. */
const FIGURE_95 = 0.01;
const PATH_95 = 0.04;

/** Every reading, which has all signals here, with how long it held, ms, and what it drew, W. */
const STEPS = `select *, battery_current * coalesce(battery_voltage, 700) as watts,
    coalesce(coalesce(is_charging, (rest ->> 'IsCharging1')::float8) >= 1 and charging_current > 1, false) as charges
  from (
    select *, case when next - time <= interval '5 minutes' then date_part('epoch', next - time) * 1000 else 0 end as ms
    from (select *, lead(time) over (order by time) as next from reading where stream_id = $1 and time >= $2 and time < $3) as r
  ) as held`;
const HOURS = `select sum(ms) filter (where motor_speed > 150) / 3600000 as answer from (${STEPS}) as step`;
const BACK = `select sum(-watts * ms) filter (where watts < 0 and not charges) / 3600000000 as answer from (${STEPS}) as step`;
const POWER = `select sum(watts * ms) / sum(ms) / 1000 as answer from (${STEPS}) as step where motor_speed > 150 and not charges`;
const PATH = `select latitude, longitude, time, speed, floor(coalesce((soc1 + soc2) / 2, soc1) * 1000 + 0.5) / 1000 from reading
  where stream_id = $1 and time >= $2 and time < $3 and latitude is not null order by time`;

/** About a range of 30 days, ms. */
export function questionsOf({ from, to }: { from: number; to: number }): Asked[] {
  const span = (start: number) => `start=${new Date(start).toISOString()}`;
  const end = new Date(to).toISOString();
  /** The readings of the range and, for the last interval, the one after it. */
  const month = [new Date(from), new Date(to + 1)];
  const all = [new Date(0), new Date(to + DAY_MS)];
  const figure = (sql: string, range: Date[]) => async (client: Client, streamId: number) =>
    (await client.query<{ answer: number }>(sql, [streamId, ...range])).rows[0]?.answer;
  const points = (start: number) => async (client: Client, streamId: number) =>
    (await client.query(PATH, [streamId, new Date(start), new Date(to)])).rows;
  const same = (key: string) => (ours: unknown, raw: unknown) => {
    const value = (ours as Record<string, number>)[key] ?? 0;
    // The roll-up was made with the interval of the very last reading, which has none.
    if (!(Math.abs(value - (raw as number)) <= 0.003))
      throw new Error(`${key}: ${value}, raw rows say ${raw}`);
  };
  return [
    {
      what: 'operating hours',
      path: (serial) => `/api/influx/driverhours/${serial}`,
      raw: figure(HOURS, all),
      check: same('hours'),
      most: 0.2,
      most95: FIGURE_95,
    },
    {
      what: '30-day power',
      path: (serial) => `/api/influx/workpower/${serial}?${span(from)}&stop=${end}&window=300m`,
      raw: figure(POWER, month),
      check: same('AvgPower'),
      most: 0.2,
      most95: FIGURE_95,
    },
    {
      what: '30-day energy',
      path: (serial) => `/api/influx/powerback/${serial}?${span(from)}&stop=${end}`,
      raw: figure(BACK, month),
      check: same('kWh'),
      most: 0.2,
      most95: FIGURE_95,
    },
    {
      what: 'GPS path, 24 h, every point',
      path: (serial) => `/api/influx/gps/${serial}?${span(to - DAY_MS)}&end=${end}&resolution=full`,
      raw: points(to - DAY_MS),
      check: (ours, raw) => sameLength(ours, raw),
      most: 1.2,
    },
    {
      what: 'GPS path, 30 days, thinned to a screen',
      path: (serial) => `/api/influx/gps/${serial}?${span(from)}&end=${end}`,
      raw: points(from),
      check: () => {},
      most95: PATH_95,
    },
  ];
}

function sameLength(ours: unknown, raw: unknown): void {
  const [a, b] = [(ours as unknown[]).length, (raw as unknown[]).length];
  if (a !== b) throw new Error(`${a} points, raw rows have ${b}`);
}
