import { expect, test } from 'vitest';
import {
  EXPORTED_START_MS,
  exportedLog,
  exportedRows,
} from '#server/telemetry/decode/can-log/test/exported-log.ts';
import { randomTestFrames, testFrameRow } from '#server/telemetry/decode/can-log/test/given-frames.ts';
import { hasPythonCan, writtenByPythonCan } from '#server/telemetry/decode/can-log/test/python-can.ts';
import { type MakeReader, readFrames } from '#server/telemetry/decode/can-log/test/read-frames.ts';
import {
  blfContainer,
  blfHeader,
  blfMessage,
  blfObject,
} from '#server/telemetry/decode/can-log/test/written-blf.ts';
import { hasSharedData } from '#server/telemetry/decode/test/shared-data.ts';
import { BlfReader } from './blf-reader.ts';

const blf: MakeReader = (sink) => new BlfReader(sink);
const exportedBlf: MakeReader = (sink) => new BlfReader(sink, EXPORTED_START_MS);
const START_US = Date.UTC(2026, 6, 1, 8) * 1000;

/** Rounds the times of rows to 10 µs: the exporter truncated its times to whole microseconds, so they may be 1 µs too low. */
const inTicks = (rows: readonly string[]) =>
  rows.map((row) => row.replace(/^\d+/, (us) => String(Math.round(Number(us) / 10))));

test.skipIf(!hasSharedData)(
  'the BLF of the ReXgen exporter is read as the 240 frames of its .rxd, in chunks of any size (43.1)',
  () => {
    for (const pieceBytes of [1, 7, 4096]) {
      const { rows, damaged } = readFrames(exportedBlf, exportedLog('blf'), pieceBytes);
      expect(inTicks(rows)).toEqual(inTicks(exportedRows()));
      expect(damaged).toBe(0);
    }
  },
);

test.skipIf(!hasPythonCan)(
  'a BLF file that python-can wrote decodes to the frames that were given to it (43.1)',
  () => {
    const frames = randomTestFrames(3, 8000, { fd: true, remote: true, error: true });
    const file = writtenByPythonCan('blf', frames);
    for (const pieceBytes of [777, 4096])
      expect(readFrames(blf, file, pieceBytes)).toEqual({ rows: frames.map(testFrameRow), damaged: 0 });
  },
);

function fdMessage64(data: readonly number[], flags = 0x1000): Buffer {
  const body = Buffer.alloc(40 + data.length);
  body[0] = 3;
  body[2] = data.length;
  body.writeUInt32LE(0x8000_0123, 4);
  body.writeUInt32LE(flags, 12);
  body.set(data, 40);
  return body;
}

/** Returns a frame that declares 8 bytes of data and contains only the first, followed by fields of another kind. */
function withoutZeros(): Buffer {
  const body = fdMessage64([7, 0, 0, 0, 9, 9]);
  body[2] = 8;
  body[35] = 32 + 40 + 4;
  return body;
}

const OBJECTS = Buffer.concat([
  blfObject(1, blfMessage(1, 0x123, [1, 2, 3]), { time: 1_000_000 }),
  blfObject(86, Buffer.concat([blfMessage(2, 0x98fe_f100, [0xff]), Buffer.alloc(8)]), {
    time: 200,
    flags: 1,
  }),
  blfObject(115, Buffer.alloc(33)),
  blfObject(101, fdMessage64(Array.from({ length: 13 }, (_, index) => index)), {
    version: 2,
    time: 3_000_000,
  }),
  blfObject(101, withoutZeros(), { time: 3_500_000 }),
  blfObject(101, fdMessage64([], 0x10), { time: 4_000_000 }),
  blfObject(1, blfMessage(1, 0x123, [], 0x80), { time: 5_000_000 }),
  blfObject(2, Buffer.alloc(8), { time: 6_000_000 }),
  blfObject(73, Buffer.alloc(32), { time: 7_000_000 }),
]);
const ROWS = [
  `${START_US + 1000} 0 123 010203`,
  `${START_US + 2000} 1 18fef100x ff`,
  `${START_US + 3000} 2 123x 000102030405060708090a0b0c`,
  `${START_US + 3500} 2 123x 0700000000000000`,
  `${START_US + 4000} remote`,
  `${START_US + 5000} remote`,
  `${START_US + 6000} error`,
  `${START_US + 7000} error`,
];

/** Returns a BLF with OBJECTS in containers of this many bytes. */
const packed = (bytes: number, method: 0 | 2) =>
  Buffer.concat([
    blfHeader(),
    ...Array.from({ length: Math.ceil(OBJECTS.length / bytes) }, (_, index) =>
      blfContainer(OBJECTS.subarray(index * bytes, (index + 1) * bytes), method),
    ),
  ]);

test.each([1, 5, 16, 33, 100, 10_000])(
  'a BLF whose objects cross containers of %i bytes is read (43.1)',
  (bytes) => {
    for (const method of [0, 2] as const)
      for (const pieceBytes of [1, 11, 4096])
        expect(readFrames(blf, packed(bytes, method), pieceBytes)).toEqual({ rows: ROWS, damaged: 0 });
  },
);

test('a BLF whose objects are in no container is read (43.1)', () => {
  expect(readFrames(blf, Buffer.concat([blfHeader(), OBJECTS]))).toEqual({ rows: ROWS, damaged: 0 });
});

test('a BLF that is truncated at any byte is read up to the cut (43.1)', () => {
  const file = packed(100, 2);
  let most = 0;
  for (let length = 0; length <= file.length; length++) {
    const { rows } = readFrames(blf, file.subarray(0, length));
    expect(rows).toEqual(ROWS.slice(0, rows.length));
    expect(rows.length).toBeGreaterThanOrEqual(most);
    most = rows.length;
  }
  expect(most).toBe(ROWS.length);
});

test('the position of the reader in a BLF is the number of frames that it has read (43.1)', () => {
  const reader = blf({ frame: () => undefined, value: () => undefined });
  reader.push(packed(100, 2));
  expect(reader.place).toEqual({ byteOffset: ROWS.length, line: ROWS.length });
});
