import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { readConfig } from '#server/config.ts';
import { fillHistoryStep, readBoundStreams, readMissingSteps } from '#server/demo/history-fill.ts';
import { bucketCount, type HistoryStep } from '#server/demo/history-gaps.ts';
import { openDatabase } from '#server/open-database.ts';
import { openPool, type Pool } from '#server/platform/database.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { demoLoggers } from '#simulator/demo-loggers.ts';
import { type LogUploadOptions, uploadLog } from '#simulator/log-upload.ts';
import { type LoggerKeys, parseLoggerKeys } from '#simulator/logger-keys.ts';
import {
  compareFillOrder,
  type DemoStream,
  type DemoWindow,
  demoWindows,
  offlineWindows,
} from './history-plan.ts';
import { HistoryReport } from './history-report.ts';

/**
 * Runs `node scripts/demo-history.ts --portal URL --keys FILE`, which fills the gaps in the demo's history while the portal runs,
 * and exits. The process may be killed at any moment, because at its next start it reads from the data which gaps remain.
 */

/** Seconds of rest per second of work, which leaves time for the live uploads. */
const REST_PER_WORK = 0.5;
const RETRY_MS = 10_000;
/**
 * Settings of the connections. Commits do not wait for the disk, because a step that is lost in a crash is filled again. Sequential
 * scans are off, because a plan made while the tables were empty would scan ever larger tables.
 */
const SESSION = '-c synchronous_commit=off -c enable_seqscan=off';
/** Numbers of new readings after which the tables are analyzed, since the portal's plans were made for empty tables. */
const ANALYZE_AFTER = [2_000, 20_000, 100_000, 500_000];

/** Time between two files of the logger that had no network, so that viewers see the day fill. */
const REST_BETWEEN_FILES_MS = 4_000;

/** Number of passes over the gaps; a gap that the last pass leaves cannot be filled. */
const ROUNDS = 3;

type Task = { readonly window: DemoWindow; readonly step: HistoryStep };

const stopping = new AbortController();
const parent = process.ppid;
/** Returns true if this process is stopping, or if its parent process, the demo, was killed. */
const isOver = (): boolean => stopping.signal.aborted || process.ppid !== parent;
const rest = (ms: number): Promise<void> =>
  wait(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

const fleet = demoLoggers();

/** Uploads the readings of a step (a time range) as a log file of its logger. @returns the number of readings */
async function upload(
  options: LogUploadOptions,
  { loggerSerial, intervalMs: everyMs }: DemoWindow,
  { from, to }: HistoryStep,
): Promise<number> {
  const logger = fleet.get(loggerSerial);
  if (!logger?.machine) return 0;
  await uploadLog(options, logger.machine, logger.signalsAt, { from, to, everyMs });
  return (to - from) / everyMs;
}

const readStreams = async (pool: Pool, { loggers }: LoggerKeys): Promise<DemoStream[]> =>
  (
    await readBoundStreams(
      pool,
      loggers.map(({ loggerSerial }) => loggerSerial),
    )
  ).map((bound) => ({ ...bound, silent: fleet.get(bound.loggerSerial)?.silent === true }));

async function fill(
  pool: Pool,
  owner: Pool,
  portal: string,
  keys: LoggerKeys,
  report: HistoryReport,
): Promise<void> {
  const partitions = openPartitions(pool, Date.now);
  const milestones = [...ANALYZE_AFTER];
  let filled = 0;

  /** Stores the readings of a step (a time range). @returns the number of new readings */
  async function store({ window, step }: Task): Promise<number> {
    if (window.cut === 'hours') return upload({ portal, keys }, window, step);
    const logger = fleet.get(window.loggerSerial);
    return logger ? fillHistoryStep(pool, partitions, window, step, logger.signalsAt) : 0;
  }

  async function round(): Promise<'complete' | 'filled'> {
    const windows = demoWindows(await readStreams(pool, keys), Date.now());
    const missing = await readMissingSteps(pool, windows);
    const tasks = windows
      .flatMap((window, n) => (missing[n] ?? []).map((step) => ({ window, step })))
      .sort((a, b) => compareFillOrder(a.step, b.step));
    if (tasks.length === 0) return 'complete';
    const all = windows.reduce((sum, window) => sum + bucketCount(window), 0);
    let left = tasks.reduce((sum, { step }) => sum + step.buckets, 0);
    for (const task of tasks) {
      if (isOver()) return 'filled';
      const began = performance.now();
      const readings = await store(task);
      left -= task.step.buckets;
      filled += readings;
      if (filled >= (milestones[0] ?? Number.POSITIVE_INFINITY)) {
        milestones.shift();
        await owner.query('analyze reading, rollup, latest');
      }
      await report.progress(1 - left / all, readings);
      await rest(REST_PER_WORK * (performance.now() - began));
    }
    return 'filled';
  }

  for (let rounds = 0; rounds < ROUNDS && !isOver(); ) {
    try {
      if ((await round()) === 'complete') break;
      rounds += 1;
    } catch (error) {
      // After an error, such as a full disk or a restarting portal, the next round reads the gaps again.
      if (isOver()) return;
      report.trouble(error);
      await rest(RETRY_MS);
    }
  }
}

/** Uploads the files of the logger that had no network yesterday, oldest first. */
async function deliverBacklog(
  pool: Pool,
  portal: string,
  keys: LoggerKeys,
  report: HistoryReport,
): Promise<void> {
  while (!isOver()) {
    try {
      const windows = offlineWindows(await readStreams(pool, keys), Date.now());
      const missing = await readMissingSteps(pool, windows);
      for (const [n, window] of windows.entries())
        for (const step of missing[n] ?? []) {
          if (isOver()) return;
          await upload({ portal, keys }, window, step);
          await rest(REST_BETWEEN_FILES_MS);
        }
      return;
    } catch (error) {
      if (isOver()) return;
      report.trouble(error);
      await rest(RETRY_MS);
    }
  }
}

async function main(): Promise<void> {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const { values } = parseArgs({ options: { portal: { type: 'string' }, keys: { type: 'string' } } });
  if (!values.portal || !values.keys) throw new Error('Use: --portal http://127.0.0.1:3000 --keys FILE');
  const keys = parseLoggerKeys(await readFile(values.keys, 'utf8'));
  const database = await openDatabase(readConfig(process.env), pino({ level: 'silent' }));
  const pool = openPool({ ...database.connection, max: 1, options: SESSION }, () => undefined);
  try {
    const report = new HistoryReport(pool);
    await Promise.all([
      fill(pool, database.owner, values.portal, keys, report),
      deliverBacklog(pool, values.portal, keys, report),
    ]);
    if (!isOver()) await report.complete();
  } finally {
    await pool.end();
    await database.close();
  }
}

process.on('SIGINT', () => stopping.abort());
process.on('SIGTERM', () => stopping.abort());
try {
  await main();
} catch (error) {
  if (!isOver()) {
    console.error(`The demo's history is not filled: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
