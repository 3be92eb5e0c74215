/**
 * Kills processes with kill -9 at full load: in successive rounds the server, the postmaster of its embedded database, and both together.
 * Starts a killed server again at once, as a service manager does. Nothing is repaired by hand.
 */
import { postmasterPid } from '#server/platform/postgres/test/postmaster-pid.ts';
import { median } from '../statistics.ts';
import { type Fault, secondsText, waitUntil } from './fault.ts';
import { type FaultPortal, requireNoLoss, startFaultPortal } from './fault-portal.ts';
import { startSteadyLoad } from './steady-load.ts';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 50);
const LOGGERS = 200;
/** Number of uploads that must be acknowledged in each round: BEFORE the kill, and AFTER the portal has recovered. */
const BEFORE = 1_500;
const AFTER = 500;
const BACK_WITHIN_MS = 30_000;
const VICTIMS = ['server', 'postmaster', 'both'] as const;

export const killProcessFault: Fault = {
  name: 'kill -9 at full load',
  done: 'while 200 loggers upload as fast as they can: kill -9 of the server, then of the postmaster, then of both, and so on',
  holds: `every acknowledged reading is stored, and \`latest\` and the totals agree with the readings; within ${BACK_WITHIN_MS / 1000} s the portal accepts uploads and health returns 200, without human intervention`,
  async run(context) {
    const portal = await startFaultPortal(context, await context.folder());
    const loggers = await portal.loggers(LOGGERS);
    const began = Math.floor(Date.now() / 1000) - 86_400;
    const back: Record<(typeof VICTIMS)[number], number[]> = { server: [], postmaster: [], both: [] };
    let total = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const victim = VICTIMS[round % VICTIMS.length] as (typeof VICTIMS)[number];
      // A round's readings are newer than those of the rounds before.
      const load = startSteadyLoad({ ports: [portal.port], loggers, firstSeconds: began + round * 1_000 });
      try {
        await waitUntil(`${BEFORE} uploads`, 60_000, () => load.count() >= BEFORE);
        const killedAt = performance.now();
        await strike(portal, victim);
        await waitUntil(`serves after kill of ${victim}`, BACK_WITHIN_MS, async () => {
          return load.lastAt() > killedAt + 100 && (await portal.health()) === 200;
        });
        back[victim].push(performance.now() - killedAt);
        const before = load.count();
        await waitUntil('uploads go on', 60_000, () => load.count() >= before + AFTER);
      } finally {
        await load.stop();
      }
      await requireNoLoss(portal, load.acknowledged);
      total += load.count();
      context.log(`${round + 1}: ${victim}, back after ${secondsText(back[victim].at(-1) ?? 0)}`);
    }
    return {
      rounds: ROUNDS,
      notes: [
        `${total.toLocaleString('en-GB')} acknowledged uploads, none lost`,
        ...VICTIMS.filter((victim) => back[victim].length > 0).map(
          (victim) =>
            `recovery after kill of ${victim}: median ${secondsText(median(back[victim]))}, longest ${secondsText(Math.max(...back[victim]))}`,
        ),
      ],
    };
  },
};

async function strike(portal: FaultPortal, victim: (typeof VICTIMS)[number]): Promise<void> {
  if (victim !== 'server') process.kill(await postmasterPid(portal.dataDir), 'SIGKILL');
  if (victim === 'postmaster') return;
  await portal.kill();
  portal.start();
}
