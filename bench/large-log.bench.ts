/**
 * An `.rxd` of 100 MB, uploaded to a portal on which another tenant works: how much larger the portal becomes than by one of 1 MB, and
 * what the other tenant feels meanwhile, by the measure of `npm run faults -- neighbour`.
 */
import { loadavg } from 'node:os';
import { buildWebIfMissing } from '#scripts/build-web.ts';
import { type Felt, feltInWords, giveHistory, watch } from './faults/bystander.ts';
import { startFaultPortal } from './faults/fault-portal.ts';
import { isFelt, startNoise } from './faults/neighbour-fault.ts';
import { makeTenant } from './faults/tenant.ts';
import { watchMemory } from './memory.ts';
import { type Bench, whole } from './row.ts';

const MIB = 2 ** 20;
const MOST_GROWTH = 64 * MIB;
const WATCHED_MS = 5_000;
const SETTLED_MS = 30_000;

export const largeLog: Bench = async (place) => {
  await buildWebIfMissing();
  const portal = await startFaultPortal(place, await place.folder(), { LOG_LEVEL: 'warn' });
  const tenant = await makeTenant(portal, 'buur', 'N', 3_000_000, 1);
  const bystander = await makeTenant(portal, 'rustig', 'R', 4_000_000, 1);
  await giveHistory(portal, bystander);
  await watch(portal, bystander, 1_000); // everything is asked for the first time
  const quiet = await watch(portal, bystander, WATCHED_MS);
  const pid = portal.running().process.pid as number;

  /** Makes a file and begins to send it. Returns what waits for its answer, and says what the bystander felt until then. */
  const send = async (noise: 'smallRxd' | 'largeRxd'): Promise<() => Promise<Felt>> => {
    const tally = startNoise(place, noise, { port: portal.port, ...tenant });
    while (!tally().begun) await watch(portal, bystander, 250);
    return async () => {
      const felt: Felt[] = [];
      while (Object.keys(tally()).length < 2) felt.push(await watch(portal, bystander, WATCHED_MS));
      if (!tally()['200']) throw new Error(`The file was answered ${Object.keys(tally())}.`);
      return { pages: felt.flatMap(({ pages }) => pages), uploads: felt.flatMap(({ uploads }) => uploads) };
    };
  };
  const before = watchMemory(pid, 0, 'resident');
  const besideSmall = await (await send('smallRxd'))();
  // The heap grows by whatever is done, up to where the garbage collector begins.
  await watch(portal, bystander, SETTLED_MS);
  const large = await send('largeRxd');
  const base = before.end();
  const growth = watchMemory(pid, base, 'resident');
  const began = performance.now();
  const besideLarge = await large();
  const grown = growth.end();
  const seconds = (performance.now() - began) / 1000;
  return [
    {
      what: '.rxd of 100 MB: memory of the portal, beside an .rxd of 1 MB',
      measured: `+${whole(grown / MIB)} MiB`,
      reference: `${whole(base / MIB)} MiB`,
      reach: `<= +${MOST_GROWTH / MIB} MiB`,
      reached: grown <= MOST_GROWTH,
      notes: [
        `resident, the most while it was sent and decoded, in ${whole(seconds)} s, and the most before`,
      ],
    },
    {
      what: ".rxd of 100 MB: longest wait of another tenant's page and upload meanwhile",
      measured: longest(besideLarge),
      reference: `${longest(quiet)} without`,
      reach: '<= 300 ms, <= 1,000 ms',
      reached: !isFelt(besideLarge, 1),
      notes: [
        `load average at the end ${loadavg()[0]?.toFixed(2)}`,
        `without: ${feltInWords(quiet)}`,
        `beside 1 MB: ${feltInWords(besideSmall)}`,
        `beside 100 MB: ${feltInWords(besideLarge)}`,
      ],
    },
  ];
};

const longest = ({ pages, uploads }: Felt): string =>
  `${whole(Math.max(...pages))} ms, ${whole(Math.max(...uploads))} ms`;
