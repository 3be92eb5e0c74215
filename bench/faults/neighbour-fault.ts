import { getPriority, setPriority } from 'node:os';
import { buildWebIfMissing } from '#scripts/build-web.ts';
import type { BenchContext } from '../context.ts';
import { startHelper, watchMemory } from '../processes.ts';
import {
  formatQuietTenantWaitTimes,
  measureQuietTenant,
  type QuietTenantWaitTimes,
  storeLastDay,
} from './bystander.ts';
import { assertInvariant, type Fault, FaultSkipped, waitUntil } from './fault.ts';
import { type FaultPortal, startFaultPortal } from './fault-portal.ts';
import type { NoiseContext, NoisyTenantCounts } from './noise/noise.ts';
import type { NoiseName } from './noise/noise-process.ts';
import { makeTenant, type Tenant } from './tenant.ts';

const PAGE_MS = 300;
const UPLOAD_MS = 1_000;
const QUIET_MS = 4_000;
const NOISY_MS = 12_000;
/** How long memory is measured, both without the noise and with it: the heap grows with any work, until garbage collection begins. */
const SETTLED_MS = 30_000;
const MIB = 2 ** 20;
const BEGINS_WITHIN_MS = 30_000;

/** A noisy neighbour (a tenant that overloads the portal): its kind of load, how it is prepared, and how much load it must reach. */
export type NeighbourFault = {
  readonly name: string;
  readonly done: string;
  readonly noise: NoiseName;
  readonly machines: number;
  readonly prepare?: (portal: FaultPortal, noisy: Tenant) => Promise<Partial<NoiseContext>>;
  /** Counts that the noisy tenant must reach at least, or the fault-injection test fails because the tenant was not noisy. */
  readonly loud: NoisyTenantCounts;
  /** How much the portal's resident memory may grow while the noisy tenant runs. A test of memory lasts longer (SETTLED_MS). */
  readonly mostGrowthMib?: number;
};

export const neighbourFault = ({
  name,
  done,
  noise,
  machines,
  prepare,
  loud,
  mostGrowthMib,
}: NeighbourFault): Fault => ({
  name: `neighbour: ${name}`,
  done,
  holds: `a machine page of another organization, with all its requests, loads within ${PAGE_MS} ms; an upload of its logger is acknowledged within ${UPLOAD_MS / 1000} s${mostGrowthMib ? `; the portal's memory grows by at most ${mostGrowthMib} MiB` : ''}`,
  async run(context) {
    await buildWebIfMissing();
    const portal = await startFaultPortal(context, await context.folder());
    const noisy = await makeTenant(portal, 'buur', 'N', 3_000_000, machines);
    const bystander = await makeTenant(portal, 'rustig', 'R', 4_000_000, 1);
    await storeLastDay(portal, bystander);
    await measureQuietTenant(portal, bystander, 1_000); // fills caches
    const more = await prepare?.(portal, noisy);
    const pid = portal.running().process.pid as number;
    const settled = await watchMemory(pid);
    const quiet = await measureQuietTenant(portal, bystander, mostGrowthMib ? SETTLED_MS : QUIET_MS);
    const base = settled.before + settled.end();
    if (isDisturbed(quiet, 0.5))
      throw new FaultSkipped(
        `This machine is too busy without a neighbour: ${formatQuietTenantWaitTimes(quiet)}.`,
      );
    const memory = await watchMemory(pid);
    const tally = startNoise(context, noise, { port: portal.port, ...noisy, ...more });
    await waitUntil('the neighbour is noisy', BEGINS_WITHIN_MS, () => Object.keys(tally()).length > 0);
    const felt = await measureQuietTenant(portal, bystander, mostGrowthMib ? SETTLED_MS : NOISY_MS);
    const grownMib = (memory.before + memory.end() - base) / MIB;
    const notes = [
      `before the load: ${formatQuietTenantWaitTimes(quiet)}`,
      `during the load: ${formatQuietTenantWaitTimes(felt)}`,
      `the load: ${tallyText(tally())}`,
      `memory of the portal: ${(base / MIB).toFixed(0)} MiB, ${grownMib.toFixed(0)} MiB more during the load`,
    ];
    for (const note of notes) context.log(note);
    for (const [what, least] of Object.entries(loud)) {
      const achieved = tally()[what] ?? 0;
      assertInvariant(achieved >= least, `The neighbour was not noisy: ${achieved} of ${least} x ${what}.`);
    }
    assertInvariant(
      !isDisturbed(felt, 1),
      `Felt: ${formatQuietTenantWaitTimes(felt)}; quiet: ${formatQuietTenantWaitTimes(quiet)}.`,
    );
    assertInvariant(
      grownMib <= (mostGrowthMib ?? grownMib),
      `The portal grew by ${grownMib.toFixed(0)} MiB.`,
    );
    return { rounds: 1, notes };
  },
});

/** Returns whether the longest wait for a page or an upload is at least `share` times the longest allowed wait. */
export const isDisturbed = ({ pages, uploads }: QuietTenantWaitTimes, share: number): boolean =>
  Math.max(...pages) >= share * PAGE_MS || Math.max(...uploads) >= share * UPLOAD_MS;

const tallyText = (tally: NoisyTenantCounts): string =>
  Object.entries(tally)
    .map(([what, amount]) => `${amount.toLocaleString('en-GB')} x ${what}`)
    .join(', ');

/**
 * Starts the process of the noisy tenant, with a lower priority than the portal's, because a real neighbour uses its own computers.
 * @returns a function that returns the tenant's newest counts
 */
function startNoise(context: BenchContext, name: NoiseName, order: NoiseContext): () => NoisyTenantCounts {
  const child = startHelper(context, './faults/noise/noise-process.ts', name);
  if (child.pid !== undefined) setPriority(child.pid, Math.min(getPriority() + 5, 19));
  let tally: NoisyTenantCounts = {};
  child.on('message', (achieved: NoisyTenantCounts) => {
    tally = achieved;
  });
  child.send(order);
  return () => tally;
}
