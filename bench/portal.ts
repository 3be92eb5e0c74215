import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import { readConfig } from '#server/config.ts';
import { createMachine } from '#server/machines/machines.store.ts';
import { openDatabase } from '#server/open-database.ts';
import { createOrganization } from '#server/organizations/organizations.store.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import type { StreamReading } from '#server/telemetry/readings/signal-columns.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { findFreePort, type RunningPortal, startPortal, untilHealthy } from '#server/test/running-portal.ts';
import { createKey, type KeyPair } from '#server/writers/keys.store.ts';
import { createWriter } from '#server/writers/writers.store.ts';
import type { Definition } from '#shared/contract/definition.ts';
import type { BenchContext } from './context.ts';
import { benchMachineSignals, READING_INTERVAL_SECONDS } from './fleet.ts';
import { parentProcessOf } from './processes.ts';

/** A logger of a machine. `machine` is the number with which benchMachineSignals() makes the machine's signals. */
export type BenchLogger = KeyPair & {
  readonly loggerSerial: string;
  readonly streamId: number;
  readonly machine: number;
};

/** The portal as in production, as a separate process with its own database. */
export type BenchPortal = {
  readonly pid: number;
  readonly port: number;
  readonly address: string;
  readonly pool: Pool;
  /** Connections as the role that owns the tables. */
  readonly owner: Pool;
  /** Starts a second process on the same database. */
  second(): Promise<{ readonly pid: number; readonly port: number }>;
  /** Creates machines, each with a logger and the logger's key; stream ids ascend. */
  machines(count: number, definition?: Definition): Promise<BenchLogger[]>;
  /** Stores reading `step` of every machine at `timeMs`. Machine n has the signals of `signals(n, step)`. */
  report(
    loggers: readonly BenchLogger[],
    step: number,
    timeMs: number,
    signals?: typeof benchMachineSignals,
  ): Promise<void>;
  /** Signs the administrator in. Returns the session's cookie, `name=value`. */
  signIn(): Promise<string>;
  /** Returns the process id of the database server. */
  postmaster(): Promise<number>;
  countReadings(): Promise<number>;
};

const ADMIN_EMAIL = 'bench@werkstroom.example';
const ADMIN_PASSWORD = 'only for the bench';
/** No server listens at this address: the map is the built-in one, and no page waits for the network. */
const NO_TILES = 'http://127.0.0.1:9/{z}/{x}/{y}.png';
const BATCH = 1_000;

/**
 * Starts the portal and waits until it is healthy.
 * @param nodeArguments arguments of `node`; default: those of the production process
 */
export async function startBenchPortal(
  context: BenchContext,
  settings: Readonly<Record<string, string>> = {},
  nodeArguments?: readonly string[],
): Promise<BenchPortal> {
  const dataDir = await context.folder();
  const { NODE_OPTIONS } = process.env; // for example a profiler's --import
  const environment = {
    LOG_LEVEL: 'warn',
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    STREET_TILES_URL: NO_TILES,
    SATELLITE_TILES_URL: NO_TILES,
    ...(NODE_OPTIONS && { NODE_OPTIONS }),
    ...settings,
  };
  const start = async (port: number): Promise<RunningPortal> => {
    const started = startPortal(dataDir, port, environment, nodeArguments);
    context.onClose(async () => {
      await started.end('SIGTERM');
      // At this log level a portal without errors prints nothing.
      if (started.output()) context.log(`The portal printed:\n${started.output()}`);
    });
    await untilHealthy(started);
    return started;
  };
  const port = await findFreePort();
  const portal = await start(port);
  const { pool, owner } = await openBenchDatabase(context, { DATA_DIR: dataDir, ...settings });
  const secrets = await openSecrets(undefined, dataDir);

  return {
    pid: portal.process.pid as number,
    port,
    address: portal.address,
    pool,
    owner,

    async second() {
      const at = await findFreePort();
      const { process } = await start(at);
      return { pid: process.pid as number, port: at };
    },

    async machines(count, definition) {
      const streams = await createMachines(pool, count);
      const loggers: BenchLogger[] = [];
      await inChunks(pool, count, async (client, n) => {
        const [streamId = 0, loggerSerial] = [streams[n], String(1_000_000 + n)];
        const writerId = await createWriter(client, { streamId, loggerSerial, definition, at: new Date() });
        loggers.push({ loggerSerial, streamId, machine: n, ...(await createKey(client, secrets, writerId)) });
      });
      return loggers;
    },

    async report(loggers, step, time, signals = benchMachineSignals) {
      await openPartitions(pool, Date.now).ensure([time], undefined);
      for (let from = 0; from < loggers.length; from += BATCH) {
        const readings = loggers
          .slice(from, from + BATCH)
          .map(({ streamId }, n) => ({ streamId, time, signals: signals(from + n, step) }));
        const { inserted } = await storeReadings(pool, readings);
        if (inserted !== readings.length)
          throw new Error(`${inserted} of ${readings.length} readings were new.`);
      }
    },

    async signIn() {
      const answer = await fetch(`${portal.address}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: ADMIN_EMAIL, password: ADMIN_PASSWORD }),
      });
      const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0];
      if (!answer.ok || cookie === undefined) throw new Error(`Sign-in failed: ${await answer.text()}`);
      return cookie;
    },

    async postmaster() {
      const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
      return parentProcessOf(rows[0]?.pid ?? 0);
    },

    async countReadings() {
      const { rows } = await pool.query<{ count: number }>('select count(*)::float8 as count from reading');
      return rows[0]?.count ?? 0;
    },
  };
}

/** Opens the database that the settings name, without starting a portal. */
export async function openBenchDatabase(
  context: BenchContext,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly pool: Pool; readonly owner: Pool }> {
  const { pool, owner, close } = await openDatabase(readConfig(settings), pino({ level: 'silent' }));
  context.onClose(close);
  return { pool, owner };
}

/** Creates an organization `bench` with machines BENCH-0, BENCH-1 and so on. Returns their stream ids. */
export async function createMachines(pool: Pool, count: number): Promise<number[]> {
  const organizationId = await createOrganization(pool, {
    name: 'bench',
    clean: 'Bench',
    isLmbCustomer: false,
  });
  const streams: number[] = [];
  await inChunks(pool, count, async (client, n) => {
    const machine = {
      serial: `BENCH-${n}`,
      alias: `Graafmachine ${n}`,
      organizationId,
      brand: 'Volta',
      model: 'EX-14',
      macaddress: '',
      batteries: [{ capacity: 130 }, { capacity: 130 }],
      accessories: [{ naam: 'Dieplepelbak', nummer: 1 }],
      initialHours: 0,
    };
    streams.push(await createMachine(client, machine));
  });
  return streams;
}

/** Calls `work` for 0, 1, … `count` - 1, in transactions of 100 calls. */
async function inChunks(
  pool: Pool,
  count: number,
  work: (client: Parameters<Parameters<typeof inTransaction>[1]>[0], n: number) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < count; from += 100)
    await inTransaction(pool, async (client) => {
      for (let n = from; n < Math.min(from + 100, count); n++) await work(client, n);
    });
}

/** Returns batch `n` of `size` readings of all streams, in the order of time. Batch `n` continues where batch `n - 1` ends. */
export function readingBatch(
  streams: readonly number[],
  size: number,
  n: number,
  firstMs: number,
): StreamReading[] {
  return Array.from({ length: size }, (_, i) => {
    const machine = i % streams.length;
    const step = (n * size) / streams.length + Math.floor(i / streams.length);
    const time = firstMs + step * READING_INTERVAL_SECONDS * 1000;
    return { streamId: streams[machine] as number, time, signals: benchMachineSignals(machine, step) };
  });
}

/** Sends a request to the portal and reads the response to its last byte. @throws if the response is no success */
export async function fetchTimed(
  { address }: Pick<BenchPortal, 'address'>,
  cookie: string,
  path: string,
  body?: unknown,
): Promise<{ readonly ms: number; readonly text: string }> {
  const began = performance.now();
  const headers = {
    cookie,
    ...(body !== undefined && { 'content-type': 'application/json', 'x-requested-with': 'bench' }),
  };
  const answer = await fetch(`${address}${path}`, {
    headers,
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return { ms: performance.now() - began, text };
}

/** Returns the gzip bytes of a response as sent over the network (fetch() would unpack them), and the response's ETag. */
export function fetchGzipped(url: string, cookie: string): Promise<{ bytes: Buffer; etag: string }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { cookie, 'accept-encoding': 'gzip' } }, (response) => {
      const { etag = '', 'content-encoding': encoding } = response.headers;
      if (response.statusCode !== 200 || encoding !== 'gzip')
        return reject(new Error(`${url} answers ${response.statusCode}, ${encoding}.`));
      buffer(response).then((bytes) => resolve({ bytes, etag }), reject);
    }).on('error', reject);
  });
}
