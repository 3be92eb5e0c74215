import { pino } from 'pino';
import { readConfig } from '#server/config.ts';
import { type OpenedDatabase, openDatabase } from '#server/open-database.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { type AcknowledgedTimes, countLoss } from '#server/test/acknowledged.ts';
import { type Logger, makeLoggers } from '#server/test/loggers.ts';
import { findFreePort, type RunningPortal, startPortal, untilHealthy } from '#server/test/running-portal.ts';
import type { BenchContext } from '../context.ts';
import { assertInvariant } from './fault.ts';

/** A portal in a separate process, as in production. A test can kill the process and start it again on the same port and folder. */
export type FaultPortal = {
  readonly port: number;
  readonly dataDir: string;
  readonly address: string;
  running(): RunningPortal;
  kill(): Promise<void>;
  /** Starts the process again, as a service manager does. */
  start(): void;
  /** Opens the portal's database, and closes it after `work`. */
  withDatabase<T>(work: (database: OpenedDatabase) => Promise<T>): Promise<T>;
  loggers(count: number): Promise<Logger[]>;
  /** Returns the status of GET /api/health, or 0 without a response. */
  health(): Promise<number>;
  /** Returns the output of all processes that ran this portal, those that were killed included. */
  output(): string;
};

// No server listens at this address, so that no request for tiles waits for the network.
const NO_TILES = 'http://127.0.0.1:9/{z}/{x}/{y}.png';

/** Starts a portal, which is stopped when the context closes. Resolves when GET /api/health returns 200. */
export async function startFaultPortal(
  context: BenchContext,
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<FaultPortal> {
  const port = await findFreePort();
  const all = { LOG_LEVEL: 'info', STREET_TILES_URL: NO_TILES, SATELLITE_TILES_URL: NO_TILES, ...settings };
  const processes: RunningPortal[] = [];
  let closed = false;
  const start = () => {
    // Does not start a process after the context was closed, as by an interruption.
    if (!closed) processes.push(startPortal(dataDir, port, all));
  };
  const running = () => processes.at(-1) as RunningPortal;
  start();
  context.onClose(() => {
    closed = true;
    return running().end('SIGTERM');
  });
  await untilHealthy(running());
  const config = readConfig({ DATA_DIR: dataDir, ...settings });

  const portal: FaultPortal = {
    port,
    dataDir,
    address: running().address,
    running,
    start,
    kill: () => running().end('SIGKILL'),
    async withDatabase(work) {
      const database = await openDatabase(config, pino({ level: 'silent' }));
      try {
        return await work(database);
      } finally {
        await database.close();
      }
    },
    loggers: (count) =>
      portal.withDatabase(async ({ pool }) =>
        makeLoggers(pool, await openSecrets(config.SECRETS_KEY, dataDir), count),
      ),
    async health() {
      const answer = await fetch(`${portal.address}/api/health`, {
        signal: AbortSignal.timeout(10_000),
      }).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => {});
      return answer?.status ?? 0;
    },
    output: () => processes.map((process) => process.output()).join(''),
  };
  return portal;
}

/** @throws InvariantBroken if an acknowledged upload is not stored, or if `latest` or the totals do not match the readings */
export async function requireNoLoss(portal: FaultPortal, acknowledged: AcknowledgedTimes): Promise<void> {
  const loss = await portal.withDatabase(({ pool }) => countLoss(pool, acknowledged));
  const { missing, behind, miscounted } = loss;
  assertInvariant(missing + behind + miscounted === 0, `Loss: ${JSON.stringify(loss)}.`);
}
