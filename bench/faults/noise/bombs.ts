import { gzipSync } from 'node:zlib';
import { hashedBody, type NoiseGenerator, repeatInParallel, uploadOnNewConnection } from './noise.ts';

/** Returns 306 kB of gzip that unpack to one frame and 300 MB of empty lines. Gzip files may be concatenated. */
function bomb(): Buffer {
  const emptyLines = gzipSync(Buffer.alloc(1_000_000, '\n'), { level: 9 });
  return Buffer.concat([gzipSync('(1.0) can0 100#A0\n'), ...Array<Buffer>(300).fill(emptyLines)]);
}

const FRAMES = 200_000;
/** Returns a gzipped candump log of 2,000 s, with 100 frames per second of messages in the loggers' data definition. */
const drive = (): Buffer =>
  gzipSync(
    Array.from(
      { length: FRAMES },
      (_, n) => `(${n / 100}) can0 10${n % 2}#A0${(n % 100) + 10}000000000000\n`,
    ).join(''),
  );

/**
 * Sends log files over eight parallel lanes: two loggers upload gzip bombs, two loggers upload ordinary logs of half an hour. The start
 * times in the file names differ by an hour.
 */
export const uploadGzipBombs: NoiseGenerator = ({ port, loggers }, note) => {
  const bodies = { bomb: hashedBody(bomb()), drive: hashedBody(drive()) };
  repeatInParallel(8, async (lane, n) => {
    const logger = loggers[lane % 4];
    if (!logger) return;
    const kind = lane % 2 ? 'bomb' : 'drive';
    const start = new Date(Date.now() - (20 * lane + n + 1) * 3_600_000).toISOString().replace(/\D/g, '');
    const name = `WS_${logger.loggerSerial}_${start.slice(0, 8)}_${start.slice(8, 14)}.log.gz`;
    note(`${kind} ${await uploadOnNewConnection(port, logger, name, bodies[kind])}`);
  });
};
