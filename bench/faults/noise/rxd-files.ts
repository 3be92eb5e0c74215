import { RxdFile, rxdFileName } from '#shared/demo/rxd-file.ts';
import { hashedBody, type NoiseGenerator, uploadOnNewConnection } from './noise.ts';

/** Frames in a sector of 512 bytes. */
const IN_A_SECTOR = 24;
const TICKS_PER_MS = 100;

/**
 * Sends an .rxd file of 1 MiB and then one of 100 MiB. Each has one frame per millisecond, of messages in the loggers' data definition,
 * and ends an hour ago.
 */
export const uploadLargeRxds: NoiseGenerator = async ({ port, loggers: [logger] }, note) => {
  if (!logger) return;
  for (const mib of [1, 100]) {
    const frames = mib * 2048 * IN_A_SECTOR;
    const start = Math.floor(Date.now() / 1000) * 1000 - 3_600_000 - frames;
    const file = new RxdFile({ name: 'WS', buses: [0], gnss: ['DATETIME'] });
    file.addGnss(0, 'DATETIME', start / 1000);
    for (let n = 0; n < frames; n++)
      file.addFrame({
        tick: n * TICKS_PER_MS,
        bus: 0,
        id: 0x100 + (n % 2),
        data: [n % 200, n % 30, 0, 0, 0, 0, 0, 0],
      });
    const body = hashedBody(Buffer.from(file.toBytes()));
    note(
      String(await uploadOnNewConnection(port, logger, rxdFileName('WS', logger.loggerSerial, start), body)),
    );
  }
};
