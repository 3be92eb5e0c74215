/**
 * Reports (docs/design.md section 11), asked of the portal over HTTP as files. Reference of the measurements: a bare COPY of the same
 * columns to a socket of this machine, from another process's database connection. REPORT_MACHINES makes the large report larger.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { type BenchPortal, startBenchPortal } from './bench-portal.ts';
import { median, percentile } from './median.ts';
import { memoryOf, watchMemory } from './memory.ts';
import { compare, inPairs } from './pairs.ts';
import { type Bench, type Row, whole } from './row.ts';

const MIB = 1024 * 1024;
const READINGS = 1_000_000;
const MONTH = { from: '2026-10-01', to: '2026-10-31' };
const THREE_YEARS = { from: '2023-11-01', to: '2026-10-31' };
const BEGIN = Date.parse('2026-10-01T00:00Z');
const MANY = Number(process.env.REPORT_MACHINES ?? 1_000);
const ROUNDS = 5;
const COLUMNS = ['motor_speed', 'battery_current', 'battery_voltage', 'speed'];
const SIGNALS = ['MotorSpeed', 'BatteryCurrent', 'BatteryVoltage', 'Speed'];
/** With the time twelve columns. */
const WIDE = [...SIGNALS, 'ChargingCurrent', 'ChargingVoltage', 'IsCharging', 'Soc1', 'Soc2', 'Soc3', 'Soc4'];

export const reports: Bench = async (place) => {
  const portal = await startBenchPortal(place);
  const loggers = await portal.machines(100);
  const streams = loggers.map(({ streamId }) => streamId);
  await fillDays(portal, streams, MONTH);
  const cookie = await portal.signIn();
  const ask = async (path: string, signal?: AbortSignal) => {
    const began = performance.now();
    const answer = await fetch(`${portal.address}${path}`, {
      headers: { cookie },
      ...(signal && { signal }),
    });
    if (!answer.ok || !answer.body) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    let first: number | undefined;
    let bytes = 0;
    for await (const piece of answer.body) {
      first ??= performance.now() - began;
      bytes += piece.length;
    }
    return { first: first ?? 0, ms: performance.now() - began, bytes };
  };
  const fileOf = (kind: string, query: Record<string, string>): string =>
    `/api/report/${kind}/file?${new URLSearchParams(query)}`;
  const rows: Row[] = [];

  const inzet: Awaited<ReturnType<typeof ask>>[] = [];
  for (let n = 0; n <= ROUNDS; n++) inzet.push(await ask(fileOf('inzet', { ...MONTH, format: 'json' })));
  inzet.shift(); // warms up
  const [first, all] = [median(inzet.map((one) => one.first)), median(inzet.map((one) => one.ms))];
  rows.push({
    what: 'Inzet of 100 machines and 31 days: first answer, whole',
    measured: `${whole(first)} ms, ${whole(all)} ms`,
    reach: '<= 300 ms, <= 1,000 ms',
    reached: first <= 300 && all <= 1_000,
    notes: [inzet.map((one) => whole(one.ms)).join(' ')],
  });
  place.say(`Inzet: ${rows.at(-1)?.measured}`);

  const streamId = streams[0] as number;
  await fillReadings(portal, streamId);
  place.say(`${whole(READINGS)} readings are there`);
  const query = { ...MONTH, machines: '["BENCH-0"]', format: 'csv' };
  const socket = await bareSocket(portal, streamId);
  place.onClose(async () => socket.close());
  const before = (await memoryOf(portal.pid)).own;
  const grown = watchMemory(portal.pid, before);
  const pairs = await inPairs(
    ROUNDS,
    () => ask(fileOf('metingen', { ...query, signals: JSON.stringify(SIGNALS) })),
    () => drain(socket.address),
  );
  const growth = grown.end();
  const rate = compare(pairs, ({ ms }) => (READINGS / ms) * 1000);
  rows.push({
    what: 'Metingen of 1,000,000 rows as CSV, rows per second',
    measured: whole(rate.ours),
    reference: `${whole(rate.reference)} bare COPY`,
    ratio: rate.ratio,
    reach: '>= 0.5 x, RSS <= +64 MiB',
    reached: rate.ratio >= 0.5 && growth <= 64 * MIB,
    notes: [rate.rounds, `+${whole(growth / MIB)} MiB`],
  });
  place.say(`Metingen: ${rate.ratio.toFixed(2)} x, +${whole(growth / MIB)} MiB`);

  const half = { from: MONTH.from, to: '2026-10-06', machines: '["BENCH-0"]', format: 'xlsx' };
  const wide = fileOf('metingen', { ...half, signals: JSON.stringify(WIDE) });
  const books: number[] = [];
  const watched = watchMemory(portal.pid, (await memoryOf(portal.pid)).own);
  for (let n = 0; n < 3; n++) books.push((await ask(wide)).ms);
  const bookGrowth = watched.end();
  rows.push({
    what: 'XLSX of 500,000 x 12',
    measured: `${whole(median(books))} ms, +${whole(bookGrowth / MIB)} MiB`,
    reach: '<= 6,000 ms, <= +128 MiB',
    reached: median(books) <= 6_000 && bookGrowth <= 128 * MIB,
    notes: [books.map(whole).join(' ')],
  });
  place.say(`XLSX: ${rows.at(-1)?.measured}`);

  const many = await fillMany(portal, MANY);
  place.say(`${whole(MANY)} machines, ${whole(many)} day figures`);
  const others = async (): Promise<number> => {
    const times: number[] = [];
    for (let n = 0; n < 100; n++) times.push((await ask('/api/project/get')).ms);
    return percentile(times, 0.95);
  };
  const alone = await others();
  const large = watchMemory(portal.pid, (await memoryOf(portal.pid)).own);
  const gone = new AbortController();
  const streaming = ask(fileOf('dagstaten', { ...THREE_YEARS, format: 'csv' }), gone.signal).catch(
    () => undefined,
  );
  const beside = await others();
  gone.abort();
  await streaming;
  const began = performance.now();
  const whole3 = await ask(fileOf('dagstaten', { ...THREE_YEARS, format: 'csv' }));
  const largeGrowth = large.end();
  rows.push({
    what: `Dagstaten of ${whole(MANY)} machines and 3 years: another call's p95 beside it, memory`,
    measured: `${whole(beside)} ms, +${whole(largeGrowth / MIB)} MiB`,
    reference: `${whole(alone)} ms alone`,
    reach: '<= 100 ms, <= +128 MiB',
    reached: beside <= 100 && largeGrowth <= 128 * MIB,
    notes: [
      `whole: ${whole(performance.now() - began)} ms, ${whole(whole3.bytes / MIB)} MiB`,
      'broken off once: the work ended with its reader',
    ],
  });
  return rows;
};

/** A project and, of every machine and day, its figures on it and at all. */
async function fillDays(
  { owner }: Pick<BenchPortal, 'owner'>,
  streams: readonly number[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await owner.query(
    `with made as (
       insert into project (organization_id, name, first_day)
       select distinct organization_id, 'Kade', '2020-01-01'::date from ownership where stream_id = any ($1) returning id, organization_id
     )
     insert into day_figures (stream_id, day, organization_id, project_id, count, running_ms, charging_ms, idle_ms, out_mj, in_mj,
       charged_mj, distance_mm, heard_ms, known_ms, window_ms, window_heard_ms)
     select w.stream_id, day, w.organization_id, p.id, 100, 18000000, 7200000, 600000, 162000000000, 0, 90000000000, 1200000, 28800000,
       28800000, 28800000, 28000000
     from ownership w, generate_series($2::date, $3::date, '1 day') as day,
       lateral (select 0 as id union all select id from made where made.organization_id = w.organization_id) as p
     where w.stream_id = any ($1)`,
    [streams, from, to],
  );
  await owner.query('analyze day_figures');
}

async function fillReadings({ owner, pool }: BenchPortal, streamId: number): Promise<void> {
  const end = BEGIN + READINGS * 1_000;
  const weeks = Array.from({ length: 4 }, (_, n) => Math.min(BEGIN + n * 7 * 86_400_000, end));
  await openPartitions(pool, Date.now).ensure(weeks, undefined);
  await owner.query(
    `insert into reading (stream_id, time, motor_speed, battery_current, battery_voltage, speed, charging_current, charging_voltage,
       is_charging, soc1, soc2, soc3, soc4)
     select $1, to_timestamp($2::float8 / 1000 + n), 900 + n % 50, sin(n) * 100, 400 + (n % 100) / 10.0, (n % 250) / 10.0, 0, 0, 0, 55.5, 56, 57, 58
     from generate_series(0, $3::integer - 1) as n`,
    [streamId, BEGIN, READINGS],
  );
  await owner.query('vacuum analyze reading');
}

async function fillMany({ owner }: BenchPortal, count: number): Promise<number> {
  const { rows } = await owner.query<{ id: number }>(
    `with made as (
       insert into stream (kind, serial, alias) select 'machine', 'MANY-' || n, 'Machine ' || n from generate_series(1, $1::integer) as n
       returning id
     ), machines as (
       insert into machine (stream_id, brand, model, macaddress, accessories, batteries, initial_hours)
       select id, 'Volta', 'EX', '', '[]', '[]', 0 from made
     ), owned as (
       insert into ownership (stream_id, organization_id)
       select made.id, (select organization_id from ownership limit 1) from made
     )
     select id from made`,
    [count],
  );
  const streams = rows.map(({ id }) => id);
  for (let at = 0; at < streams.length; at += 500)
    await fillDays({ owner }, streams.slice(at, at + 500), THREE_YEARS);
  const total = await owner.query<{ n: number }>('select count(*)::integer as n from day_figures');
  return total.rows[0]?.n ?? 0;
}

/** Answers with the rows as COPY writes them, and nothing else. */
async function bareSocket({ pool }: BenchPortal, streamId: number) {
  const client = await pool.connect();
  const server = createServer((_, response) => {
    const sql = `copy (select time, ${COLUMNS.join(', ')} from reading where stream_id = ${streamId} order by time) to stdout (format csv)`;
    pipeline(client.query(copyTo(sql)), response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close();
      client.release();
    },
  };
}

async function drain(address: string) {
  const began = performance.now();
  let bytes = 0;
  const answer = await fetch(address);
  if (answer.body) for await (const piece of answer.body) bytes += piece.length;
  return { first: 0, ms: performance.now() - began, bytes };
}
