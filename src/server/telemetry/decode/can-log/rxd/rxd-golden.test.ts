import { describe, expect, test } from 'vitest';
import { parseLogStartMs } from '#server/telemetry/decode/log-file-name.ts';
import { hasSharedData, sharedData } from '#server/telemetry/decode/test/shared-data.ts';
import { rxdBlock } from '#shared/demo/rxd-configuration.ts';
import { RxdFile } from '#shared/demo/rxd-file.ts';
import { readRxd } from './test/read-rxd.ts';

type Truth = {
  readonly firstTick: number;
  /** Columns: tick, bus, identifier, data, flags. */
  readonly frames: readonly (readonly [number, number, number, string, string?])[];
  readonly values: readonly (readonly [number, string, number])[];
};

const TICK_MS = 0.01;
const NAMES: Readonly<Record<string, string>> = { DATETIME: 'GMT_UNIX' };

const FILES = [
  { time: '080000', what: 'a plain file', damaged: 0, unknown: 0 },
  { time: '090000', what: 'a file in which the counter starts again', damaged: 0, unknown: 0 },
  { time: '100000', what: 'CAN FD, remote, an unknown uid, a cut last sector', damaged: 0, unknown: 1 },
  { time: '110000', what: 'a file with two damaged sectors', damaged: 2, unknown: 0 },
];

/** Files in ../shared/data/rxd, with JSON files of what the vendor's own reader reads from them. */
describe.skipIf(!hasSharedData)(
  `reads the golden .rxd files${hasSharedData ? '' : ': skipped, ../shared/data is not here'} (43.1)`,
  () => {
    test.each(FILES)('$what decodes to the recorded frames', ({ time, damaged, unknown }) => {
      const name = `rxd/BM-0001_0001234_20261127_${time}.rxd`;
      const truth: Truth = JSON.parse(sharedData(`${name}.json`).toString());
      const startMs = parseLogStartMs(name);
      const whole = readRxd(sharedData(name), startMs === undefined ? {} : { startMs });
      const { clock, frames, values } = whole;
      const tick = (timeMs: number): number => Math.round((timeMs - clock.zeroMs) / TICK_MS);

      expect(
        frames.map(({ timeMs, bus, id, data, kind, extended }) => [
          tick(timeMs),
          bus,
          id,
          data,
          kind,
          extended,
        ]),
      ).toEqual(
        truth.frames.map(([at, bus, id, data, flags = '']) => {
          const kind = flags.includes('remote') ? 'remote' : 'frame';
          return [at, bus, id, data, kind, flags.includes('ext')];
        }),
      );
      expect(values.map(({ timeMs, name: of, value }) => [tick(timeMs), of, value])).toEqual(
        truth.values.map(([at, kind, value]) => [at, NAMES[kind] ?? kind, value]),
      );
      expect(whole).toMatchObject({ damagedSectors: damaged, unknownRecords: unknown, skippedPreBuffers: 0 });

      // The time of a DATETIME record is the time that it contains. Without GNSS the first tick is at the time in the file's name.
      const dated = values.filter(({ name: of }) => of === 'GMT_UNIX');
      for (const { timeMs, value } of dated) expect(timeMs).toBeCloseTo(value * 1000, 2);
      if (dated.length === 0) expect(frames[0]?.timeMs).toBeCloseTo(startMs as number, 2);
      expect(clock.source).toBe(dated.length === 0 ? 'name' : 'gnss');

      const bytes = readRxd(sharedData(name), { pieceBytes: 1, ...(startMs !== undefined && { startMs }) });
      expect(bytes).toEqual(whole);
    });

    test('the .rxd writer of the tests produces the blocks and sectors of a recorded file', () => {
      const golden = sharedData('rxd/BM-0001_0001234_20261127_080000.rxd');
      const end = 4 + golden.readUInt32LE();
      for (let at = 4; at < end; at += golden.readUInt16LE(at + 4)) {
        const block = golden.subarray(at, at + golden.readUInt16LE(at + 4));
        const [type, version, uid] = [0, 2, 6].map((offset) => block.readUInt16LE(offset));
        expect(
          rxdBlock(type as number, version as number, uid as number, [...block.subarray(8, -1)]),
        ).toEqual([...block]);
      }
      const file = new RxdFile({ name: 'X', buses: [0] });
      const begin = Math.ceil(end / 512) * 512;
      for (let sector = begin; sector < golden.length; sector += 512) {
        for (let at = sector + 2; at < sector + 2 + golden.readUInt16LE(sector); ) {
          const info = at + 4 + (golden[at + 2] as number);
          const data = golden.subarray(info, info + (golden[at + 3] as number));
          file.addRecord(
            golden.readUInt16LE(at),
            golden.readUInt32LE(at + 4),
            [...golden.subarray(at + 8, info)],
            data,
          );
          at = info + data.length;
        }
      }
      const sectors = golden.subarray(begin);
      expect(Buffer.from(file.toBytes()).subarray(-sectors.length)).toEqual(sectors);
    });
  },
);
