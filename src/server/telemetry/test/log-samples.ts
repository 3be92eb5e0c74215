import { RxdFile } from '#shared/demo/rxd-file.ts';

const TICKS_PER_S = 100_000;

/**
 * Returns an .rxd log with one frame per second, of the message Battery in `logs.ts`: charge level 0, 1, 2, … percent.
 * A GNSS signal in the log gives the time of each frame.
 */
export function createSecondlyRxdLog(startMs: number, seconds: number): Buffer {
  const file = new RxdFile({ name: 'WS', buses: [0], gnss: ['DATETIME'] });
  for (let n = 0; n < seconds; n += 1) {
    const tick = n * TICKS_PER_S;
    file.addGnss(tick, 'DATETIME', startMs / 1000 + n);
    file.addFrame({ tick, bus: 0, id: 256, data: [2 * n, 0] });
  }
  return Buffer.from(file.toBytes());
}
