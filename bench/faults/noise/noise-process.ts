/**
 * Process of the noisy tenant: makes one kind of load until its parent disconnects, and sends the parent its counts four times a
 * second.
 */
import { bombs } from './bombs.ts';
import { files } from './files.ts';
import { heldUploads } from './held-uploads.ts';
import { junkLogs } from './junk-logs.ts';
import { largeDbc } from './large-dbc.ts';
import type { Noise, NoiseContext } from './noise.ts';
import { past } from './past.ts';
import { largeRxd } from './rxd-files.ts';

export const NOISES = {
  files,
  junkLogs,
  heldUploads,
  bombs,
  largeDbc,
  past,
  largeRxd,
} satisfies Record<string, Noise>;
export type NoiseName = keyof typeof NOISES;

const tally: Record<string, number> = {};
process.once('message', (order: NoiseContext) => {
  NOISES[process.argv[2] as NoiseName](order, (what, amount = 1) => {
    tally[what] = (tally[what] ?? 0) + amount;
  });
  setInterval(() => process.send?.(tally, () => {}), 250); // the parent process may have ended
});
process.on('disconnect', () => process.exit());
