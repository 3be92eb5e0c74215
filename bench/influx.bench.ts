/**
 * The peer that the specification names: Debian's `influxdb` takes and is asked the same readings in the same run, of 4
 * machines (INFLUX_MACHINES) and 30 days at 0.1 Hz. It has its package's settings, the serial as its tag and a field per
 * signal, weekly shards as we have weekly partitions. Both acknowledge what is on the disk. Seven of the 17 signals never
 * change, which costs it next to nothing.
 *
 * Written twice: in batches of 5,000, which its documentation recommends, ours by a call below the upload endpoint, one after the
 * other, its own over HTTP, two at once and not zipped (on loopback gzip takes more processor time than it saves); and
 * one reading per request, as loggers send them, ours signed and through the upload endpoint. What either does besides goes on: we
 * count days and sessions, it compacts.
 *
 * Asked over HTTP, each time of the next machine, until the last byte. InfluxQL answers from the readings, we mostly from
 * the roll-up that ingest keeps: its cost is in our readings per second and bytes. A continuous query of theirs keeps
 * one too, but counts a window once, without the readings that come later.
 */
import type { Pool } from '#server/platform/database.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import type { StreamReading } from '#server/telemetry/signal-columns.ts';
import { type BenchLogger, type BenchPortal, startBenchPortal } from './bench-portal.ts';
import { waitUntilCounted } from './day-figures.bench.ts';
import { STEP_SECONDS, signalsOf } from './fleet.ts';
import { DAYS, pieces, vacuum } from './history-data.ts';
import { machineSignals } from './history-signals.ts';
import { type Influx, lineOf, rowsOf, startInflux } from './influx.ts';
import { askBoth, questionsOf } from './influx-questions.ts';
import { applyLoad } from './load.ts';
import { familyOf, parentOf, shareOfMemory } from './memory.ts';
import { type Comparison, compare, inPairs } from './pairs.ts';
import { signUploads } from './presigned-uploads.ts';
import { type Bench, type Row, whole } from './row.ts';

const MACHINES = Number(process.env.INFLUX_MACHINES ?? 4);
const DAY_MS = 24 * 3_600_000;
const STEP_MS = 10_000;
const BUCKET_MS = 5 * 60_000;
const BATCH = 5_000;
const AT_ONCE = 2;
const PAIRS = 7;

const LOGGERS = 1_000;
const CONNECTIONS = 128;
const SECONDS = 3;
const ENDPOINT_PAIRS = 5;
/** More than either takes in a second. */
const REQUESTS = 20_000;
const MIB = 2 ** 20;
/** Databases there. */
const [BATCHES, SINGLES] = ['batches', 'singles'];

export const influx: Bench = async (place) => {
  const peer = await startInflux(place);
  if (!peer) {
    place.say('skipped: there is no influxd (Debian: apt-get install influxdb)');
    return [];
  }
  for (const database of [BATCHES, SINGLES]) await peer.create(database);
  const portal = await startBenchPortal(place);
  const loggers = await portal.machines(MACHINES + LOGGERS);
  const machines = loggers.slice(0, MACHINES);
  const streams = machines.map(({ streamId }) => streamId);
  const { pool } = portal;
  const to = Math.floor(Date.now() / BUCKET_MS) * BUCKET_MS;
  const range = { from: to - DAYS * DAY_MS, to };
  const readings = (MACHINES * DAYS * DAY_MS) / STEP_MS;
  const what = `${MACHINES} machines x ${DAYS} days at 0.1 Hz`;

  const empty = await bytesOf(pool, DATABASE);
  const batches = await writeBatches(portal, peer, streams, range);
  place.say(`batches: ${batches.rounds}`);
  await checkCounts(pool, peer, readings);
  const memory = [await memoryOfBoth(portal, peer)];
  await waitUntilCounted(pool, streams);
  await vacuum(portal.owner);
  place.say('counted and vacuumed');
  const ours = (await bytesOf(pool, DATABASE)) - empty;
  const ofReadings = await bytesOf(pool, READINGS);
  const its = await peer.settle();
  const bytes = (all: number) => `${(all / readings).toFixed(1)} B`;
  place.say(`bytes per reading: ${bytes(ours)}, influxdb ${bytes(its)}`);

  const cookie = await portal.signIn();
  const answers: Row[] = [];
  const portalAnswer = (path: string) => ask(portal, cookie, path);
  for (const question of await questionsOf(range, portalAnswer)) {
    const row = await askBoth(question, MACHINES, portalAnswer, (influxql) => peer.ask(BATCHES, influxql));
    answers.push({ ...row, ...NO_MARK, what: `${row.what}, ${what}` });
    place.say(`${question.what}: ${row.measured}, ${row.reference}`);
  }
  const singles = await writeSingles(portal, peer, loggers.slice(MACHINES));
  memory.push(await memoryOfBoth(portal, peer));
  const most = {
    ours: mostOf(memory, ({ portal, postgres }) => portal + postgres),
    its: mostOf(memory, (one) => one.influx),
  };

  return [
    rateRow(`batches of ${whole(BATCH)} readings below the upload endpoint, ${what}`, batches),
    rateRow(`one reading per request through the upload endpoint, ${whole(LOGGERS)} loggers`, singles),
    {
      what: `bytes per reading on the disk, ${what}`,
      measured: bytes(ours),
      reference: `${bytes(its)} influxdb`,
      ratio: ours / its,
      ...NO_MARK,
      notes: [
        `${whole(readings)} readings of ${Object.keys(machineSignals(0)).length} signals; ours with all that follows from them, ${bytes(ofReadings)} of it readings and their indexes`,
        'ours after vacuum and with the indexes of closed weeks, its own when every shard is one file; both without their logs',
      ],
    },
    ...answers,
    {
      what: 'memory, the most of after the batches and at the end',
      measured: `${whole(most.ours / MIB)} MiB`,
      reference: `${whole(most.its / MIB)} MiB influxdb`,
      ratio: most.ours / most.its,
      ...NO_MARK,
      notes: [
        `resident, of shared pages their share: ${memory.map(memoryText).join('; ')}; influxd was started again between them`,
      ],
    },
  ].map((row) => ({ ...row, what: `beside InfluxDB: ${row.what}` }));
};

/** Nothing is set for it: it is told. */
const NO_MARK = { reach: '–', reached: true } as const;

type Range = { readonly from: number; readonly to: number };

/** All readings of the range, into both, in the order of time; the first piece warms up. */
async function writeBatches(
  { pool }: BenchPortal,
  peer: Influx,
  streams: readonly number[],
  range: Range,
): Promise<Comparison> {
  const spans = pieces(range, (DAYS * DAY_MS) / (PAIRS + 1));
  const partitions = openPartitions(pool, Date.now);
  for (const span of spans) await partitions.ensure([span.from, span.to], undefined);

  /** Readings per second. The batches are made before the clock runs. */
  async function timed<Batch>(
    span: Range,
    make: (readings: StreamReading[]) => Batch,
    store: (batch: Batch) => Promise<unknown>,
    atOnce: number,
  ): Promise<number> {
    const batches = pieces(span, Math.floor(BATCH / MACHINES) * STEP_MS).map((piece) =>
      make(readingsOf(streams, piece)),
    );
    const began = performance.now();
    const lines = Array.from({ length: atOnce }, async () => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) await store(batch);
    });
    await Promise.all(lines);
    return (((span.to - span.from) / STEP_MS) * MACHINES * 1000) / (performance.now() - began);
  }
  const [left, leftThere] = [[...spans], [...spans]];
  const ours = () =>
    timed(
      left.shift() as Range,
      (batch) => batch,
      (batch) => storeReadings(pool, batch),
      1,
    );
  const its = () =>
    timed(
      leftThere.shift() as Range,
      (batch) =>
        batch
          .map(({ streamId, signals, time }) => lineOf(`BENCH-${streams.indexOf(streamId)}`, signals, time))
          .join('\n'),
      (lines) => peer.write(BATCHES, lines),
      AT_ONCE,
    );
  await ours();
  await its();
  return compare(await inPairs(PAIRS, ours, its), (perSecond) => perSecond);
}

/** As fillHistory has them: each machine further east. */
function readingsOf(streams: readonly number[], { from, to }: Range): StreamReading[] {
  return Array.from({ length: (to - from) / STEP_MS }, (_, n) => from + n * STEP_MS).flatMap((time) => {
    const signals = machineSignals(time / 1000);
    return streams.map((streamId, n) => ({
      streamId,
      time,
      signals: { ...signals, LONGITUDE: Number(((signals.LONGITUDE ?? 0) + 0.024 * n).toFixed(6)) },
    }));
  });
}

/** Neither side may be quick because it stores less. @throws when it did */
async function checkCounts(pool: Pool, peer: Influx, expected: number): Promise<void> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::float8 as count from reading');
  const [there] = rowsOf(await peer.ask(BATCHES, 'SELECT count("Speed") FROM "reading"'));
  if (rows[0]?.count !== expected || there?.[1] !== expected)
    throw new Error(`${rows[0]?.count} and ${there?.[1]} readings are stored of ${expected}.`);
}

/** Requests in a closed loop, each another reading. */
async function writeSingles(
  portal: BenchPortal,
  peer: Influx,
  loggers: readonly BenchLogger[],
): Promise<Comparison> {
  const count = REQUESTS * SECONDS;
  const firstSeconds = Math.floor(Date.now() / 1000) - 6 * 3600;
  const load = { connections: CONNECTIONS, seconds: SECONDS, once: true };
  let [from, fromThere] = [0, 0];
  async function ours(): Promise<number> {
    const host = `127.0.0.1:${portal.port}`;
    const uploads = signUploads({ loggers, host, from, count, firstSeconds, signedAt: Date.now() });
    from += count;
    return (await applyLoad(uploads, 200, { ...load, port: portal.port })).perSecond;
  }
  async function its(): Promise<number> {
    const requests = Array.from({ length: count }, (_, n) => {
      const machine = (fromThere + n) % loggers.length;
      const step = Math.floor((fromThere + n) / loggers.length);
      const line = lineOf(`BENCH-${machine}`, signalsOf(machine, step), firstSeconds + step * STEP_SECONDS);
      return Buffer.from(
        `POST /write?db=${SINGLES}&precision=s HTTP/1.1\r\nhost:127.0.0.1:${peer.port}\r\ncontent-length:${line.length}\r\n\r\n${line}`,
      );
    });
    fromThere += count;
    return (await applyLoad(requests, 204, { ...load, port: peer.port })).perSecond;
  }
  await ours();
  await its();
  return compare(await inPairs(ENDPOINT_PAIRS, ours, its), (perSecond) => perSecond);
}

function rateRow(what: string, { ours, reference, ratio, rounds }: Comparison): Row {
  return {
    what,
    measured: `${whole(ours)} readings/s`,
    reference: `${whole(reference)} readings/s influxdb`,
    ratio,
    ...NO_MARK,
    notes: [`pairs, readings per second: ${rounds}`],
  };
}

async function ask({ address }: BenchPortal, cookie: string, path: string): Promise<string> {
  const answer = await fetch(`${address}${path}`, { headers: { cookie } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return text;
}

const DATABASE = 'pg_database_size(current_database())';
const READINGS = `(select sum(pg_total_relation_size(relid)) from pg_partition_tree('reading'))`;

async function bytesOf(pool: Pool, sql: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(`select ${sql}::float8 as bytes`);
  return rows[0]?.bytes ?? 0;
}

type BothMemory = { readonly portal: number; readonly postgres: number; readonly influx: number };

/** Bytes. */
async function memoryOfBoth({ pid, pool }: BenchPortal, peer: Influx): Promise<BothMemory> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postgres = await familyOf(await parentOf(rows[0]?.pid ?? 0));
  // One that ended between two looks takes none.
  const shares = await Promise.all(postgres.map((one) => shareOfMemory(one).catch(() => 0)));
  return {
    portal: await shareOfMemory(pid),
    postgres: shares.reduce((sum, share) => sum + share, 0),
    influx: await shareOfMemory(peer.pid()),
  };
}

const mostOf = (memory: readonly BothMemory[], of: (one: BothMemory) => number): number =>
  Math.max(...memory.map(of));

const memoryText = ({ portal, postgres, influx }: BothMemory): string =>
  `portal ${whole(portal / MIB)} MiB, PostgreSQL ${whole(postgres / MIB)} MiB, influxd ${whole(influx / MIB)} MiB`;
