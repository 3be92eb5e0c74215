import { expect, test } from 'vitest';
import { collect, decodeLog } from './test/small-log.ts';

/** Returns the CPU time that this thread has used, in ms; other processes do not affect it. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

test.each([
  ['empty lines', 'candump', '', '\n', 4_000_000],
  ['frames', 'candump', '', '(1780000000.000000) can0 001#A00A00\n', 4_000_000],
  ['CSV with a quote too many in each row', 'csv', 'time,Soc1\n', '"1"2\n', 60_000],
  ['CSV with nothing in its rows', 'csv', 'time,Soc1\n', ',\n', 400_000],
  [
    'points of a GPX',
    'gpx',
    '<gpx>',
    '<trkpt lat="52" lon="5"><time>2026-01-01T00:00:00Z</time></trkpt>',
    400_000,
  ],
] as const)(
  'the event loop runs every few milliseconds during %s (12.B4)',
  async (_, format, head, line, bytes) => {
    const text = head + line.repeat(bytes / line.length);
    const turns: number[] = [];
    let began = processorMs();
    const giveWay = async (): Promise<void> => {
      turns.push(processorMs() - began);
      began = processorMs();
    };
    await collect(decodeLog(text, { format, giveWay })).catch(() => {});
    turns.sort((a, b) => a - b);
    expect(turns.length).toBeGreaterThan(1);
    // A turn of the event loop decodes for 5 ms and finishes a chunk of the file, about 17 ms at most; with chunks of 16 KiB a turn
    // would take 100 ms. The slowest quarter does not count: the first turns compile code and some turns collect garbage.
    expect(turns[Math.floor(turns.length * 0.75) - 1]).toBeLessThan(60);
  },
);
