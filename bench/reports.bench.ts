/**
 * Reports (docs/performance.md), requested from the portal over HTTP as files. Reference of the
 * measurements: a bare COPY of the same columns to a socket of this machine. REPORT_MACHINES sets the size of
 * the large report.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { closeWeeks } from '#server/telemetry/readings/close-weeks.ts';
import type { BenchContext } from './context.ts';
import { type BenchPortal, startBenchPortal } from './portal.ts';
import { watchMemory } from './processes.ts';
import { type Bench, type BenchRow, rateRow, wholeNumber } from './report.ts';
import { comparePairs, median, percentile, runInPairs } from './statistics.ts';

const MIB = 1024 * 1024;
const READINGS = 1_000_000;
const MONTH = { from: '2026-10-01', to: '2026-10-31' };
const THREE_YEARS = { from: '2023-11-01', to: '2026-10-31' };
const BEGIN = Date.parse('2026-10-01T00:00Z');
const MANY = Number(process.env.REPORT_MACHINES ?? 1_000);
const ROUNDS = 5;
const COLUMNS = ['motor_speed', 'battery_current', 'battery_voltage', 'speed'];
const SIGNALS = ['MotorSpeed', 'BatteryCurrent', 'BatteryVoltage', 'Speed'];
/** Eleven signals; with the time, the file has twelve columns. */
const WIDE = [...SIGNALS, 'ChargingCurrent', 'ChargingVoltage', 'IsCharging', 'Soc1', 'Soc2', 'Soc3', 'Soc4'];

export const reports: Bench = async (context) => {
  const portal = await startBenchPortal(context);
  const streams = (await portal.machines(100)).map(({ streamId }) => streamId);
  await fillDays(portal, streams, MONTH);
  const cookie = await portal.signIn();
  const ask = (kind: string, query: Record<string, string>, signal?: AbortSignal) =>
    drain(`${portal.address}/api/report/${kind}/file?${new URLSearchParams(query)}`, cookie, signal);
  const rows: BenchRow[] = [];
  const add = (row: BenchRow): void => {
    context.log(`${row.what}: ${row.measured}`);
    rows.push(row);
  };

  const inzet: Drained[] = [];
  for (let n = 0; n <= ROUNDS; n++) inzet.push(await ask('inzet', { ...MONTH, format: 'json' }));
  inzet.shift(); // warms up
  const [first, all] = [median(inzet.map((one) => one.firstMs)), median(inzet.map((one) => one.ms))];
  add({
    what: 'report Inzet of 100 machines and 31 days: time to the first byte, and to the last',
    measured: `${wholeNumber(first)} ms, ${wholeNumber(all)} ms`,
    toReach: '<= 300 ms, <= 1,000 ms',
    reached: first <= 300 && all <= 1_000,
    details: [`each, ms: ${inzet.map((one) => wholeNumber(one.ms)).join(' ')}`],
  });

  const streamId = streams[0] as number;
  await fillReadings(portal, streamId);
  const csv = { ...MONTH, machines: '["BENCH-0"]', format: 'csv', signals: JSON.stringify(SIGNALS) };
  const bare = await serveBareCopy(context, portal);
  const memory = await watchMemory(portal.pid);
  const rate = async (work: Promise<Drained>) => (READINGS / (await work).ms) * 1000;
  const pairs = await runInPairs(
    ROUNDS,
    () => rate(ask('metingen', csv)),
    () => rate(drain(bare)),
  );
  const grown = memory.end();
  const row = rateRow(
    'report Metingen, 1,000,000 rows as CSV: rate, and growth of memory',
    comparePairs(pairs),
    {
      unit: ' rows/s',
      beside: 'by plain COPY',
      leastRatio: 0.5,
    },
  );
  add({
    ...row,
    measured: `${row.measured}, +${wholeNumber(grown / MIB)} MiB`,
    toReach: `${row.toReach}, RSS <= +64 MiB`,
    reached: row.reached && grown <= 64 * MIB,
  });

  const xlsx = {
    from: MONTH.from,
    to: '2026-10-06',
    machines: '["BENCH-0"]',
    format: 'xlsx',
    signals: JSON.stringify(WIDE),
  };
  const bookMemory = await watchMemory(portal.pid);
  const books: number[] = [];
  for (let n = 0; n < 3; n++) books.push((await ask('metingen', xlsx)).ms);
  const bookGrown = bookMemory.end();
  add({
    what: 'report Metingen, 500,000 rows of 12 columns as XLSX: time, and growth of memory',
    measured: `${wholeNumber(median(books))} ms, +${wholeNumber(bookGrown / MIB)} MiB`,
    toReach: '<= 6,000 ms, RSS <= +128 MiB',
    reached: median(books) <= 6_000 && bookGrown <= 128 * MIB,
    details: [`each, ms: ${books.map(wholeNumber).join(' ')}`],
  });

  // Most rows of a report of this size are from weeks that are closed, so all weeks are closed now.
  for await (const _ of closeWeeks(portal.pool, Number.POSITIVE_INFINITY));
  const closedPairs = await runInPairs(
    ROUNDS,
    () => rate(ask('metingen', csv)),
    () => rate(drain(bare)),
  );
  add(
    rateRow('report Metingen, 1,000,000 rows of closed weeks as CSV', comparePairs(closedPairs), {
      unit: ' rows/s',
      beside: 'by plain COPY of rows',
      leastRatio: 0.6,
    }),
  );
  const columnsMemory = await watchMemory(portal.pid);
  const parquetPairs = await runInPairs(
    ROUNDS,
    () => rate(ask('metingen', { ...csv, format: 'parquet' })),
    () => rate(ask('metingen', csv)),
  );
  const columnsGrown = columnsMemory.end();
  const columnsRow = rateRow(
    'report Metingen, 1,000,000 rows of closed weeks as Parquet: rate, and growth of memory',
    comparePairs(parquetPairs),
    {
      unit: ' rows/s',
      beside: 'as CSV',
      leastRatio: 2,
    },
  );
  add({
    ...columnsRow,
    measured: `${columnsRow.measured}, +${wholeNumber(columnsGrown / MIB)} MiB`,
    toReach: `${columnsRow.toReach}, RSS <= +128 MiB`,
    reached: columnsRow.reached && columnsGrown <= 128 * MIB,
  });

  await fillMany(portal, MANY);
  const others = async (): Promise<number> => {
    const times: number[] = [];
    for (let n = 0; n < 100; n++) times.push((await drain(`${portal.address}/api/project/get`, cookie)).ms);
    return percentile(times, 0.95);
  };
  const alone = await others();
  const manyMemory = await watchMemory(portal.pid);
  const reader = new AbortController();
  const days = { ...THREE_YEARS, format: 'csv' };
  const streaming = ask('dagstaten', days, reader.signal).catch(() => undefined);
  const beside = await others();
  reader.abort();
  await streaming;
  const report = await ask('dagstaten', days);
  const manyGrown = manyMemory.end();
  add({
    what: `report Dagstaten of ${wholeNumber(MANY)} machines and 3 years: p95 of other calls meanwhile, and growth of memory`,
    measured: `${wholeNumber(beside)} ms, +${wholeNumber(manyGrown / MIB)} MiB`,
    reference: `${wholeNumber(alone)} ms without the report`,
    toReach: '<= 100 ms, RSS <= +128 MiB',
    reached: beside <= 100 && manyGrown <= 128 * MIB,
    details: [
      `the whole report: ${wholeNumber(report.ms)} ms, ${wholeNumber(report.bytes / MIB)} MiB, after one that its reader broke off`,
    ],
  });
  return rows;
};

type Drained = { readonly firstMs: number; readonly ms: number; readonly bytes: number };

/** Reads a response to its last byte and discards it. @throws if the response is no success */
async function drain(url: string, cookie = '', signal?: AbortSignal): Promise<Drained> {
  const began = performance.now();
  const answer = await fetch(url, { headers: { cookie }, ...(signal && { signal }) });
  if (!answer.ok || !answer.body) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  let firstMs: number | undefined;
  let bytes = 0;
  for await (const chunk of answer.body) {
    firstMs ??= performance.now() - began;
    bytes += chunk.length;
  }
  return { firstMs: firstMs ?? 0, ms: performance.now() - began, bytes };
}

/** Makes a project, and stores for every machine and day the figures on that project and the figures of the whole day. */
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
       charged_mj, distance_mm, heard_ms, known_ms, window_ms, window_heard_ms, cable_ms, run_known_ms, run_out_mj, run_in_mj, carried_mm, unused_no_fix,
       unused_null_island, unused_jumps)
     select w.stream_id, day, w.organization_id, p.id, 100, 18000000, 7200000, 600000, 162000000000, 0, 90000000000, 1200000, 28800000,
       28800000, 28800000, 28000000, 0, 18000000, 162000000000, 0, 0, 0, 0, 0
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
  // Copies the rows for the reference, because closing the weeks removes them from `reading`.
  await owner.query(
    `create table bare_reading as select * from reading where stream_id = ${streamId} order by time`,
  );
  await owner.query('alter table bare_reading add primary key (time)');
  await owner.query('vacuum analyze bare_reading');
  await owner.query('grant select on bare_reading to public');
}

async function fillMany({ owner }: BenchPortal, count: number): Promise<void> {
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
}

/** Starts a server that responds with the rows of `bare_reading` as CSV, straight from COPY. Returns the server's address. */
async function serveBareCopy(context: BenchContext, { pool }: BenchPortal): Promise<string> {
  const client = await pool.connect();
  const sql = `copy (select time, ${COLUMNS.join(', ')} from bare_reading order by time) to stdout (format csv)`;
  const server = createServer((_, response) => {
    pipeline(client.query(copyTo(sql)), response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  context.onClose(async () => {
    server.close();
    client.release();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
