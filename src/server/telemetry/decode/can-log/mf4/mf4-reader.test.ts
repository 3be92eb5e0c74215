import { expect, test } from 'vitest';
import { randomTestFrames, testFrameRow } from '#server/telemetry/decode/can-log/test/given-frames.ts';
import { readMf4 } from '#server/telemetry/decode/can-log/test/read-mf4.ts';
import { type Mf4Style, sampleMf4 } from '#server/telemetry/decode/can-log/test/sample-mf4.ts';

const FRAMES = randomTestFrames(5, 400, { fd: true });
const ALL_KINDS = randomTestFrames(6, 400, { fd: true, remote: true, error: true });
const ROWS = FRAMES.map(testFrameRow);

const STYLES: readonly [string, Mf4Style][] = [
  ['sorted', { idBytes: 0, data: 'fixed' }],
  ['sorted, data first', { idBytes: 0, data: 'fixed', dataFirst: true }],
  ['sorted, in a list of blocks', { idBytes: 0, data: 'fixed', blockBytes: 1000 }],
  ['sorted, packed', { idBytes: 0, data: 'fixed', packing: 'zlib' }],
  [
    'sorted, transposed and packed in a list',
    { idBytes: 0, data: 'fixed', packing: 'transposed', blockBytes: 999 },
  ],
  ['sorted, with SD blocks', { idBytes: 0, data: 'sd' }],
  ['sorted, with packed SD blocks in a list', { idBytes: 0, data: 'sd', packing: 'zlib', blockBytes: 500 }],
  [
    'sorted, with SD blocks, data first',
    { idBytes: 0, data: 'sd', packing: 'transposed', blockBytes: 500, dataFirst: true },
  ],
  ['unsorted', { idBytes: 1, data: 'fixed' }],
  ['unsorted, with data in records before', { idBytes: 1, data: 'record before' }],
  [
    'unsorted, with data in records behind, packed',
    { idBytes: 2, data: 'record behind', packing: 'zlib', blockBytes: 777 },
  ],
  ['unsorted, ids of 4 bytes, with SD blocks', { idBytes: 4, data: 'sd', blockBytes: 777 }],
  ['unsorted, ids of 8 bytes', { idBytes: 8, data: 'record before', packing: 'transposed' }],
];

/** Styles of an MF4 whose records are in DV blocks, listed by LD blocks. */
const VALUE_STYLES: readonly [string, Mf4Style][] = [
  ['sorted, with values of equal length', { idBytes: 0, data: 'fixed', blockBytes: 1000, values: 'equal' }],
  ['sorted, with values by offsets', { idBytes: 0, data: 'fixed', blockBytes: 777, values: 'offsets' }],
  [
    'sorted, with packed values by offsets, data first',
    { idBytes: 0, data: 'fixed', packing: 'zlib', blockBytes: 777, values: 'offsets', dataFirst: true },
  ],
  [
    'sorted, with transposed values and their invalidation bytes',
    { idBytes: 0, data: 'fixed', packing: 'transposed', blockBytes: 800, values: 'invalidation' },
  ],
  [
    'sorted, with values and their invalidation bytes',
    { idBytes: 0, data: 'fixed', blockBytes: 800, values: 'invalidation' },
  ],
  ['sorted, with values in one block', { idBytes: 0, data: 'fixed', values: 'equal' }],
];

function expectAllFrames(style: Mf4Style): void {
  const frames = style.idBytes === 0 ? FRAMES : ALL_KINDS;
  const file = sampleMf4(frames, style);
  const rows = frames.map(testFrameRow);
  const first = readMf4(file);
  expect(first.damaged).toBe(0);
  // A frame with data outside its record is read when the data arrive, possibly after later frames without data.
  expect(style.data === 'fixed' ? first.rows : first.rows.toSorted()).toEqual(
    style.data === 'fixed' ? rows : rows.toSorted(),
  );
  for (const pieceBytes of [1, 37]) expect(readMf4(file, pieceBytes)).toEqual(first);
}

test.each(STYLES)('an MF4 that is %s is read, in chunks of any size (43.1)', (_, style) => {
  expectAllFrames(style);
});

test.each(VALUE_STYLES)('an MF4 that is %s is read, in chunks of any size (43.13)', (_, style) => {
  expectAllFrames(style);
});

test.each([...STYLES, ...VALUE_STYLES].filter(([, { dataFirst }]) => dataFirst !== true))(
  'an unfinalized MF4 that is %s is read up to its truncated record (43.1)',
  (_, style) => {
    const frames = style.idBytes === 0 ? FRAMES : ALL_KINDS;
    const rows = new Set(frames.map(testFrameRow));
    const file = Buffer.concat([sampleMf4(frames, style)]);
    file.write('UnFinMF ');
    let most = 0;
    for (let cut = 0; cut < 40; cut += 3) {
      const read = readMf4(file.subarray(0, file.length - cut));
      for (const row of read.rows) expect(rows.has(row)).toBe(true);
      most = Math.max(most, read.rows.length);
    }
    expect(most).toBe(rows.size);
  },
);

test('the last data block of an unfinalized MF4, whose length is missing, is read up to the end of the file (43.1)', () => {
  const file = sampleMf4(FRAMES, { idBytes: 0, data: 'fixed' });
  const at = file.lastIndexOf('##DT');
  file.writeBigUInt64LE(24n, at + 8);
  expect(readMf4(file).rows).toEqual([]);
  file.write('UnFinMF ');
  expect(readMf4(file).rows).toEqual(ROWS);
  expect(readMf4(file.subarray(0, -1)).rows).toEqual(ROWS.slice(0, -1));
});
