import { hashedBody, type NoiseGenerator, repeatInParallel, uploadOnNewConnection } from './noise.ts';

export const JUNK_MIB = 30;

/** Uploads files that are not log files, all with the same access key, 8 at a time. */
export const uploadJunkLogs: NoiseGenerator = ({ port, loggers: [logger] }, note) => {
  if (!logger) return;
  const junk = hashedBody(Buffer.alloc(JUNK_MIB * 1024 ** 2, 'junk of a logger\n'));
  repeatInParallel(8, async (lane, n) => {
    const status = await uploadOnNewConnection(port, logger, `${lane}-${n}.rxd`, junk);
    note(String(status));
    // Waits after a refused upload, as a real logger does before it retries.
    if (status !== 200) await new Promise((later) => setTimeout(later, 100));
  });
};
