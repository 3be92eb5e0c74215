import { getPriority, setPriority } from 'node:os';
import { buildWebIfMissing } from '#scripts/build-web.ts';
import { startHelper } from '../load-client.ts';
import type { Workplace } from '../workplace.ts';
import { type Felt, feltInWords, giveHistory, watch } from './bystander.ts';
import { type Fault, mustHold, Skipped, until } from './fault.ts';
import { type FaultPortal, startFaultPortal } from './fault-portal.ts';
import type { NoiseOrder, Tally } from './noise/noise.ts';
import type { NoiseName } from './noise/noise-process.ts';
import { makeTenant, type Tenant } from './tenant.ts';

const PAGE_MS = 300;
const UPLOAD_MS = 1_000;
const QUIET_MS = 4_000;
const NOISY_MS = 12_000;
const BEGINS_WITHIN_MS = 30_000;

/** What makes a row: the noise, what it needs, and when it was loud enough. */
export type Neighbour = {
  readonly name: string;
  readonly done: string;
  readonly noise: NoiseName;
  readonly machines: number;
  readonly prepare?: (portal: FaultPortal, noisy: Tenant) => Promise<Partial<NoiseOrder>>;
  /** The least that it must have achieved, by what it tells. */
  readonly loud: Tally;
};

/** Beside each figure stands the same one of the quiet seconds before. */
export const neighbourFault = ({ name, done, noise, machines, prepare, loud }: Neighbour): Fault => ({
  name: `neighbour: ${name}`,
  done,
  holds: `another tenant's page, with all it asks, is there within ${PAGE_MS} ms, its logger's upload within ${UPLOAD_MS / 1000} s`,
  async run(place) {
    await buildWebIfMissing();
    const portal = await startFaultPortal(place, await place.folder());
    const noisy = await makeTenant(portal, 'buur', 'N', 3_000_000, machines);
    const bystander = await makeTenant(portal, 'rustig', 'R', 4_000_000, 1);
    await giveHistory(portal, bystander);
    await watch(portal, bystander, 1_000); // everything is asked for the first time
    const quiet = await watch(portal, bystander, QUIET_MS);
    if (isFelt(quiet, 0.5)) throw new Skipped(`This machine is too busy by itself: ${feltInWords(quiet)}.`);
    const order = { port: portal.port, ...noisy, ...(await prepare?.(portal, noisy)) };
    const tally = startNoise(place, noise, order);
    await until('the neighbour is heard', BEGINS_WITHIN_MS, () => Object.keys(tally()).length > 0);
    const felt = await watch(portal, bystander, NOISY_MS);
    const notes = [
      `quiet: ${feltInWords(quiet)}`,
      `beside the neighbour: ${feltInWords(felt)}`,
      `the neighbour: ${inWords(tally())}`,
    ];
    for (const note of notes) place.say(note);
    for (const [what, least] of Object.entries(loud)) {
      const achieved = tally()[what] ?? 0;
      mustHold(achieved >= least, `The neighbour was not noisy: ${achieved} of ${least} x ${what}.`);
    }
    mustHold(!isFelt(felt, 1), `Felt: ${feltInWords(felt)}; quiet: ${feltInWords(quiet)}.`);
    return { rounds: 1, notes };
  },
});

/** Whether the longest wait is as long as this share of what may be. */
export const isFelt = ({ pages, uploads }: Felt, share: number): boolean =>
  Math.max(...pages) >= share * PAGE_MS || Math.max(...uploads) >= share * UPLOAD_MS;

const inWords = (tally: Tally): string =>
  Object.entries(tally)
    .map(([what, amount]) => `${amount.toLocaleString('en-GB')} x ${what}`)
    .join(', ');

/** A process of its own, that yields to the portal: the neighbour's computers are none of ours. */
export function startNoise(place: Workplace, name: NoiseName, order: NoiseOrder): () => Tally {
  const child = startHelper(place, './faults/noise/noise-process.ts', name);
  if (child.pid !== undefined) setPriority(child.pid, Math.min(getPriority() + 5, 19));
  let tally: Tally = {};
  child.on('message', (told: Tally) => {
    tally = told;
  });
  child.send(order);
  return () => tally;
}
