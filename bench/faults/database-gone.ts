/**
 * The database is unavailable for a minute and then available again: stopped and started, crashed and started,
 * and hanging (SIGSTOP: it accepts connections but does not respond). The portal is not restarted.
 */
import { signalCluster } from '#server/platform/postgres/test/postmaster-pid.ts';
import type { BenchContext } from '../context.ts';
import { type ExternalCluster, startExternalCluster } from './external-cluster.ts';
import { assertInvariant, type Fault, type FaultResult, secondsText, sleep, waitUntil } from './fault.ts';
import { requireNoLoss, startFaultPortal } from './fault-portal.ts';
import { refusalsText, startSteadyLoad } from './steady-load.ts';

const GONE_MS = Number(process.env.FAULT_GONE_S ?? 60) * 1_000;
const LOGGERS = 100;
const NOTICED_WITHIN_MS = 5_000;
const BACK_WITHIN_MS = 15_000;

type Way = { name: string; done: string; go(cluster: ExternalCluster): Promise<() => Promise<void>> };

const WAYS: readonly Way[] = [
  {
    name: 'stopped',
    done: 'is stopped (fast shutdown) and started again',
    async go(cluster) {
      await cluster.stop('fast');
      return () => cluster.start();
    },
  },
  {
    name: 'crashed',
    done: 'crashes (immediate shutdown) and is started again',
    async go(cluster) {
      await cluster.stop('crash');
      return () => cluster.start();
    },
  },
  {
    name: 'hangs',
    done: 'hangs (SIGSTOP to each of its processes) and continues',
    async go(cluster) {
      const pid = cluster.pid();
      await signalCluster(pid, 'SIGSTOP');
      return () => signalCluster(pid, 'SIGCONT');
    },
  },
];

export const databaseGone: readonly Fault[] = WAYS.map((way) => ({
  name: `database ${way.name} for ${GONE_MS / 1000} s`,
  done: `while ${LOGGERS} loggers upload, an external PostgreSQL ${way.done} after ${GONE_MS / 1000} s`,
  holds: `health returns 503 within ${NOTICED_WITHIN_MS / 1000} s and until the database is back; no upload is acknowledged meanwhile; the portal's process keeps running; uploads are accepted within ${BACK_WITHIN_MS / 1000} s after the database is back; every acknowledged upload is stored`,
  run: (context) => outlive(context, way),
}));

async function outlive(context: BenchContext, way: Way): Promise<FaultResult> {
  const cluster = await startExternalCluster(context, await context.folder());
  const portal = await startFaultPortal(context, await context.folder(), { DATABASE_URL: cluster.url });
  const loggers = await portal.loggers(LOGGERS);
  const began = Math.floor(Date.now() / 1000) - 86_400;
  const load = startSteadyLoad({ ports: [portal.port], loggers, firstSeconds: began });
  let back: (() => Promise<void>) | undefined;
  try {
    await waitUntil('1,000 uploads', 60_000, () => load.count() >= 1_000);
    back = await way.go(cluster);
    const goneAt = performance.now();
    await waitUntil('health says 503', NOTICED_WITHIN_MS, async () => (await portal.health()) === 503);
    const noticed = performance.now() - goneAt;
    const acknowledged = load.count();
    while (performance.now() - goneAt < GONE_MS) {
      assertInvariant((await portal.health()) === 503, 'Health did not answer 503.');
      await sleep(500);
    }
    assertInvariant(load.count() === acknowledged, 'An upload was acknowledged without a database.');
    const { process } = portal.running();
    assertInvariant(process.exitCode === null && process.signalCode === null, 'The process ended.');

    const broughtBackAt = performance.now();
    await back();
    back = undefined;
    const again = load.count();
    await waitUntil('uploads are taken again', BACK_WITHIN_MS, () => load.count() > again);
    const uploads = performance.now() - broughtBackAt;
    await waitUntil('health says 200', 45_000, async () => (await portal.health()) === 200);
    const healthy = performance.now() - broughtBackAt;
    await waitUntil('1,000 more uploads', 60_000, () => load.count() >= again + 1_000);
    await load.stop();
    await requireNoLoss(portal, load.acknowledged);
    const lines = portal
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":40')).length;
    return {
      rounds: 1,
      notes: [
        `health returned 503 after ${secondsText(noticed)}; uploads were accepted ${secondsText(uploads)}, and health returned 200 ${secondsText(healthy)}, after the database was back`,
        `${load.count().toLocaleString('en-GB')} acknowledged uploads, none lost; refused or broken: ${refusalsText(load)}`,
        `${lines} warnings in the log`,
      ],
    };
  } finally {
    await back?.();
    await load.stop();
  }
}
