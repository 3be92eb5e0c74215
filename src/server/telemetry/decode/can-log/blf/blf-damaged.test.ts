import { expect, test } from 'vitest';
import { type MakeReader, readFrames } from '#server/telemetry/decode/can-log/test/read-frames.ts';
import {
  blfContainer,
  blfHeader,
  blfMessage,
  blfObject,
} from '#server/telemetry/decode/can-log/test/written-blf.ts';
import { MAX_UNPACKED_BYTES } from '#server/telemetry/decode/can-log/unpack.ts';
import { BlfReader } from './blf-reader.ts';

const blf: MakeReader = (sink) => new BlfReader(sink);
const START_US = Date.UTC(2026, 6, 1, 8) * 1000;
const INDEXES = [1, 2, 3, 4, 5, 6, 7];
const OBJECTS = Buffer.concat(
  INDEXES.map((index) => blfObject(1, blfMessage(1, index, [index]), { time: index * 1_000_000 })),
);
const ROWS = INDEXES.map((index) => `${START_US + index * 1000} 0 ${index} 0${index}`);

test('the damaged containers of a BLF are skipped and counted (43.1)', () => {
  const damaged = blfContainer(OBJECTS);
  damaged.fill(0xff, 40, 60);
  const unknown = blfContainer(OBJECTS, 0);
  unknown.writeUInt16LE(7, 16);
  const file = Buffer.concat([blfHeader(), damaged, unknown, Buffer.alloc(50, 1), blfContainer(OBJECTS)]);
  expect(readFrames(blf, file)).toEqual({ rows: ROWS, damaged: 3 });
});

test('an object of a BLF that states too few bytes is skipped (43.1)', () => {
  const short = blfObject(1, blfMessage(1, 7, [1]));
  short.writeUInt32LE(8, 8);
  const noBody = blfObject(1, blfMessage(1, 7, [1]).subarray(0, 4));
  const longData = blfObject(100, Buffer.alloc(20).fill(0xff, 14, 15));
  const content = Buffer.concat([short, noBody, longData, OBJECTS]);
  expect(readFrames(blf, Buffer.concat([blfHeader(), blfContainer(content)]))).toEqual({
    rows: ROWS,
    damaged: 3,
  });
});

test('a file that is no BLF is rejected (43.1)', () => {
  for (const text of ['hallo', 'LOGX', `LOGG${'\0'.repeat(200)}`])
    expect(readFrames(blf, Buffer.from(text)).refusal).toBe('header');
});

test('a container of a BLF that states or has more bytes than a writer packs is rejected (43.1)', () => {
  const bomb = Buffer.alloc(MAX_UNPACKED_BYTES + 1);
  const before = blfContainer(OBJECTS);
  const read = (container: Uint8Array) => readFrames(blf, Buffer.concat([blfHeader(), before, container]));
  const refused = { rows: ROWS, damaged: 0, refusal: 'too large' };
  expect(read(blfContainer(bomb))).toEqual(refused);
  const hugeObject = blfContainer(OBJECTS);
  hugeObject.writeUInt32LE(0xffff_ffff, 8);
  expect(read(hugeObject)).toEqual(refused);
  expect(read(blfContainer(bomb, 2, 1000))).toEqual({ rows: ROWS, damaged: 1 });
});
