/**
 * Fills a disk and later frees it, while the portal keeps running. The disk holds DATA_DIR (the embedded database and the spool), the
 * data of an external database, or the spool alone.
 */
import { chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '#server/test/loggers.ts';
import type { BenchContext } from '../context.ts';
import { startExternalCluster } from './external-cluster.ts';
import { assertInvariant, type Fault, type FaultResult, secondsText, sleep, waitUntil } from './fault.ts';
import { type FaultPortal, requireNoLoss, startFaultPortal } from './fault-portal.ts';
import { makeUploader } from './noise/noise.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { refusalsText, startSteadyLoad } from './steady-load.ts';

const LOGGERS = 100;
/** Time for which the disk stays full after GET /api/health has reported it. */
const FULL_MS = Number(process.env.FAULT_FULL_S ?? 30) * 1_000;
/** Longest time until GET /api/health reports the full disk: the database first uses space that it allocated earlier. */
const SHOWS_WITHIN_MS = 90_000;
const BACK_WITHIN_MS = 60_000;
const LONG_LOG = `select pg_logical_emit_message(true, 'faults', repeat('x', 60000000))`;
const SAYS_SO = /No space left on device|ENOSPC/;

const HOLDS = `while the disk is full, uploads and health get 503 and the log says that no space is left; within ${BACK_WITHIN_MS / 1000} s after space is freed, both get 200, without a restart of the portal; every acknowledged upload is stored`;

export const diskFull: readonly Fault[] = [
  {
    name: 'disk of DATA_DIR full',
    done: `DATA_DIR (embedded database and spool) is on a disk of 400 MB, which is filled to the last byte under load and freed after ${FULL_MS / 1000} s`,
    holds: HOLDS,
    async run(context) {
      const folder = await context.folder();
      const disk = await mountSmallDisk(context, folder, 400);
      return fillUnderLoad(disk, await startFaultPortal(context, folder));
    },
  },
  {
    name: 'disk of the database full',
    done: `an external PostgreSQL is on a disk of 400 MB, which is filled to the last byte under load and freed after ${FULL_MS / 1000} s; a service manager restarts PostgreSQL if it stops`,
    holds: HOLDS,
    async run(context) {
      const folder = await context.folder();
      const disk = await mountSmallDisk(context, folder, 400);
      const cluster = await startExternalCluster(context, folder);
      const manager = setInterval(() => {
        if (!cluster.isRunning()) cluster.start().catch(() => {});
      }, 2_000);
      context.onClose(async () => clearInterval(manager));
      return fillUnderLoad(
        disk,
        await startFaultPortal(context, await context.folder(), { DATABASE_URL: cluster.url }),
      );
    },
  },
  {
    name: 'disk of the spool full',
    done: 'DATA_DIR/spool is on a disk of 4 MB, which is filled to the last byte; a logger uploads log files and a snapshot',
    holds:
      'while the disk is full, log files are refused with 503, snapshots are accepted, health returns 503 and the log says that no space is left; after space is freed, log files are accepted and health returns 200, without a restart; every acknowledged upload is stored',
    run: fillSpool,
  },
];

async function fillUnderLoad(disk: SmallDisk, portal: FaultPortal): Promise<FaultResult> {
  const loggers = await portal.loggers(LOGGERS);
  const began = Math.floor(Date.now() / 1000) - 86_400;
  const load = startSteadyLoad({ ports: [portal.port], loggers, firstSeconds: began });
  try {
    await waitUntil('1,000 uploads', 60_000, () => load.count() >= 1_000);
    await disk.fill();
    const filledAt = performance.now();
    await waitUntil('health says 503', SHOWS_WITHIN_MS, async () => (await portal.health()) === 503);
    const shown = performance.now() - filledAt;
    const until503 = load.count();
    // Writes more than fits on the disk: PostgreSQL stops if it has no room for its write-ahead log, and then cannot start either.
    await portal.withDatabase(({ pool }) => pool.query(LONG_LOG)).catch(() => {});
    await sleep(FULL_MS);
    assertInvariant((await portal.health()) === 503, 'Health says 200 while the disk is full.');
    const whileFull = load.count() - until503;
    const unexpected = [...load.refusals.keys()].filter((answer) => answer !== 503 && answer !== 'broken');
    assertInvariant(unexpected.length === 0, `Uploads were refused with ${refusalsText(load)}.`);
    assertInvariant(SAYS_SO.test(portal.output()), 'The log does not say that no space is left.');

    await disk.free();
    const freedAt = performance.now();
    const again = load.count();
    await waitUntil('uploads are taken again', BACK_WITHIN_MS, () => load.count() >= again + 100);
    const uploads = performance.now() - freedAt;
    await waitUntil('health says 200', BACK_WITHIN_MS, async () => (await portal.health()) === 200);
    const healthy = performance.now() - freedAt;
    await load.stop();
    await requireNoLoss(portal, load.acknowledged);
    return {
      rounds: 1,
      notes: [
        `health returned 503 ${secondsText(shown)} after the disk was full; uploads were accepted ${secondsText(uploads)}, and health returned 200 ${secondsText(healthy)}, after space was freed`,
        `${load.count().toLocaleString('en-GB')} acknowledged uploads, none lost; ${whileFull} of them while the disk was full; refused or broken: ${refusalsText(load)}`,
        `the log: ${sentenceOf(portal.output())}`,
      ],
    };
  } finally {
    await load.stop();
  }
}

/** Returns the message of the first line in the portal's log output that says that no space is left. */
function sentenceOf(output: string): string {
  const line = output.split('\n').find((text) => SAYS_SO.test(text)) ?? '';
  try {
    const { msg, reason } = JSON.parse(line) as { msg?: string; reason?: string };
    return [msg, reason].filter(Boolean).join(': ');
  } catch {
    return line;
  }
}

async function fillSpool(context: BenchContext): Promise<FaultResult> {
  const dataDir = await context.folder();
  const spool = join(dataDir, 'spool');
  await mkdir(spool, { mode: 0o700 });
  const { uid, gid } = await stat(dataDir);
  await chown(spool, uid, gid);
  const disk = await mountSmallDisk(context, spool, 4);
  const portal = await startFaultPortal(context, dataDir);
  const [logger] = await portal.loggers(1);
  const put = makeUploader(portal, logger as Logger);
  const body = Buffer.alloc(1024 * 1024, 'x');
  assertInvariant((await put('before.rxd', body)) === 200, 'A log file is not taken.');

  // Fills the disk again and again, because the portal deletes the processed file after its response, which frees room.
  await waitUntil('health says 503', BACK_WITHIN_MS, async () => {
    await disk.fill();
    return (await portal.health()) === 503;
  });
  assertInvariant(
    (await put('lost.rxd', body)) === 503,
    'A log file that fits nowhere is not refused with 503.',
  );
  assertInvariant(SAYS_SO.test(portal.output()), 'The log does not say that no space is left.');
  const snapshot = JSON.stringify({ GMT_UNIX: Math.floor(Date.now() / 1000), Soc1: 50 });
  assertInvariant(
    (await put('snapshot.json', snapshot)) === 200,
    'A snapshot needs no spool and is not taken.',
  );

  await disk.free();
  const freedAt = performance.now();
  assertInvariant((await put('after.rxd', body)) === 200, 'With room again a log file is not taken.');
  await waitUntil('health says 200', BACK_WITHIN_MS, async () => (await portal.health()) === 200);
  const healthy = performance.now() - freedAt;
  await portal.withDatabase(async ({ pool }) => {
    const { rows } = await pool.query<{ key: string }>(
      `select regexp_replace(key, '.*/', '') as key from object order by id`,
    );
    const keys = rows.map(({ key }) => key).join();
    assertInvariant(keys === 'before.rxd,snapshot.json,after.rxd', `Stored are ${keys}.`);
  });
  return {
    rounds: 1,
    notes: [
      `health returned 200 ${secondsText(healthy)} after space was freed; the log: ${sentenceOf(portal.output())}`,
    ],
  };
}
