/**
 * Process of the noisy tenant: makes one kind of load until the parent process disconnects, and sends the tenant's counts to the parent
 * process four times a second.
 */
import { uploadGzipBombs } from './bombs.ts';
import { downloadMachineFiles } from './files.ts';
import { holdUploadsOpen } from './held-uploads.ts';
import { uploadJunkLogs } from './junk-logs.ts';
import { uploadLargeDbcs } from './large-dbc.ts';
import type { NoiseContext, NoiseGenerator } from './noise.ts';
import { sendPastReadings } from './past.ts';
import { uploadLargeRxds } from './rxd-files.ts';

export const NOISE_GENERATORS = {
  files: downloadMachineFiles,
  junkLogs: uploadJunkLogs,
  heldUploads: holdUploadsOpen,
  bombs: uploadGzipBombs,
  largeDbc: uploadLargeDbcs,
  past: sendPastReadings,
  largeRxd: uploadLargeRxds,
} satisfies Record<string, NoiseGenerator>;
export type NoiseName = keyof typeof NOISE_GENERATORS;

const tally: Record<string, number> = {};
process.once('message', (order: NoiseContext) => {
  NOISE_GENERATORS[process.argv[2] as NoiseName](order, (what, amount = 1) => {
    tally[what] = (tally[what] ?? 0) + amount;
  });
  setInterval(() => process.send?.(tally, () => {}), 250); // the parent process may have ended
});
process.on('disconnect', () => process.exit());
