import { expect, test } from 'vitest';
import { randomTestFrames, testFrameRow } from '#server/telemetry/decode/can-log/test/given-frames.ts';
import { readMf4 } from '#server/telemetry/decode/can-log/test/read-mf4.ts';
import { mf4WithDecodedSignals, sampleMf4 } from '#server/telemetry/decode/can-log/test/sample-mf4.ts';
import {
  channelGroupBlock,
  collectLinkedBlocks,
  dataGroupBlock,
  headerBlock,
  type Mf4TestBlock,
  mf4Block,
  mf4File,
  textBlock,
} from '#server/telemetry/decode/can-log/test/written-mf4.ts';
import { dataBlock } from '#server/telemetry/decode/can-log/test/written-mf4-data.ts';
import { frameChannels } from '#server/telemetry/decode/can-log/test/written-mf4-records.ts';
import { MAX_UNPACKED_BYTES } from '#server/telemetry/decode/can-log/unpack.ts';

const FRAMES = randomTestFrames(7, 60, { fd: true });
const ROWS = FRAMES.map(testFrameRow);

const refusal = (kind: string) => expect.objectContaining({ name: 'LogError', kind });
const FRAME_GROUP = () =>
  channelGroupBlock(1, 80, frameChannels('CAN_DataFrame', { byte: 16, bits: 512, dataType: 10 }));
const withData = (data: Mf4TestBlock) =>
  mf4File([...collectLinkedBlocks(headerBlock([dataGroupBlock(0, [FRAME_GROUP()], data)]))]);

test('an MF4 with decoded signals is rejected because it has no CAN frames (43.1)', () => {
  expect(() => readMf4(mf4WithDecodedSignals())).toThrow(
    expect.objectContaining({
      kind: 'no frames',
      message: expect.stringContaining('geen CAN-berichten'),
      english: expect.stringContaining('no CAN frames'),
    }),
  );
});

test('an MF4 of a logger that recorded nothing is read as a log without frames (43.1)', () => {
  const empty = mf4File([
    ...collectLinkedBlocks(headerBlock([dataGroupBlock(0, [FRAME_GROUP()], undefined)])),
  ]);
  expect(readMf4(empty)).toEqual({ rows: [], damaged: 0 });
  expect(readMf4(withData(mf4Block('DT', Buffer.alloc(0))))).toEqual({ rows: [], damaged: 0 });
});

test.each(['hallo', 'MDF     3.30    ', 'MDX     4.11    '])(
  'a file that is no MF4 is rejected: %s (43.1)',
  (name) => {
    expect(() => readMf4(Buffer.from(name.padEnd(200, '\0')))).toThrow(refusal('header'));
  },
);

test('an MF4 that is truncated before its description is rejected (43.1)', () => {
  const file = sampleMf4(FRAMES, { idBytes: 0, data: 'fixed', dataFirst: true });
  const kinds = new Set<string>();
  for (let length = 64; length < file.length - 200; length += 40)
    try {
      const { rows } = readMf4(file.subarray(0, length));
      expect(rows).toEqual(ROWS.slice(0, rows.length));
    } catch (error) {
      kinds.add((error as { kind: string }).kind);
    }
  expect([...kinds]).toEqual(['truncated']);
  expect(() => readMf4(Buffer.alloc(0))).toThrow(refusal('header'));
});

test('an MF4 that lacks the name of a channel is rejected (43.1)', () => {
  const file = sampleMf4(FRAMES, { idBytes: 0, data: 'fixed' });
  const name = file.lastIndexOf('##TX', file.indexOf('CAN_DataFrame.DataLength'));
  file.write('----', name);
  expect(() => readMf4(file)).toThrow(refusal('truncated'));
});

test('bytes of the records of an unfinalized MF4 are not taken for its description (43.1)', () => {
  const file = sampleMf4(FRAMES, { idBytes: 0, data: 'fixed' });
  const at = file.lastIndexOf('##DT');
  file.write('UnFinMF ');
  file.writeBigUInt64LE(24n, at + 8);
  const block = Buffer.alloc(80);
  block.write('##CG', 8);
  block.writeBigUInt64LE(BigInt(17 * 1024 ** 2), 16);
  expect(readMf4(Buffer.concat([file, block])).rows.slice(0, ROWS.length)).toEqual(ROWS);
});

test('a compressed block of an MF4 is rejected if it states a size that no writer packs, and counts as damaged if it has more bytes than stated (43.1)', () => {
  const bomb = Buffer.alloc(MAX_UNPACKED_BYTES + 1);
  expect(readMf4(withData(dataBlock('DT', bomb, 'zlib', 80))).refusal).toBe('too large');
  expect(readMf4(withData(dataBlock('DT', bomb, 'zlib', 80, 800)))).toEqual({ rows: [], damaged: 1 });
});

test('an MF4 whose description needs too much memory is rejected (43.1)', () => {
  const large = mf4Block('CG', Buffer.alloc(17 * 1024 ** 2));
  expect(() => readMf4(mf4File([headerBlock([]), large]))).toThrow(refusal('too large'));
  const many = Array.from({ length: 2200 }, () => textBlock('x'.repeat(8000)));
  expect(() => readMf4(mf4File([headerBlock([]), ...many]))).toThrow(refusal('too large'));
});

test('an MF4 whose frames are too far from their data is rejected (43.1)', () => {
  const variable = channelGroupBlock(2, 0, [], '', 1);
  const frames = channelGroupBlock(
    1,
    40_000,
    frameChannels('CAN_DataFrame', { type: 1, byte: 16, bits: 64, dataType: 10, data: variable }),
  );
  const records = Buffer.alloc(40_001 * 1100).fill(1);
  const file = mf4File([
    ...collectLinkedBlocks(headerBlock([dataGroupBlock(1, [frames, variable], mf4Block('DT', records))])),
  ]);
  for (let at = 0; at < records.length; at += 40_001)
    file.writeBigUInt64LE(0n, file.length - records.length + at + 17);
  expect(readMf4(file, 65_536).refusal).toBe('too large');
});

test('an MF4 whose blocks link in a circle is rejected instead of being read forever (43.1)', () => {
  const channels = frameChannels('CAN_DataFrame', { byte: 16, bits: 512, dataType: 10 });
  const one = channelGroupBlock(1, 80, channels);
  const [time, frame] = channels as [Mf4TestBlock, Mf4TestBlock];
  frame.links[0] = time;
  frame.links[1] = frame;
  one.links[0] = one;
  const groups = dataGroupBlock(0, [one], mf4Block('DT', Buffer.alloc(800)));
  one.links[0] = one;
  groups.links[0] = groups;
  expect(() => readMf4(mf4File([...collectLinkedBlocks(headerBlock([groups]))]))).toThrow(
    refusal('no frames'),
  );
});

test('an MF4 whose data blocks are in another order than in their list is rejected (43.1)', () => {
  const blocks = [mf4Block('DT', Buffer.alloc(80)), mf4Block('DT', Buffer.alloc(80))] as const;
  const list = mf4Block('DL', Buffer.alloc(24), undefined, blocks[1], blocks[0]);
  const parts = [...collectLinkedBlocks(headerBlock([dataGroupBlock(0, [FRAME_GROUP()], list)]))];
  const described = parts.filter(({ id }) => id !== 'DT');
  expect(() => readMf4(mf4File([...described, ...blocks]))).toThrow(refusal('corrupt'));
});

test('the damaged blocks of an MF4 are skipped and counted (43.1)', () => {
  const file = sampleMf4(FRAMES, { idBytes: 0, data: 'fixed', packing: 'zlib', blockBytes: 800 });
  const second = file.indexOf('##DZ', file.indexOf('##DZ') + 1);
  file.fill(0xff, second + 50, second + 90);
  expect(readMf4(file)).toEqual({ rows: [...ROWS.slice(0, 10), ...ROWS.slice(20)], damaged: 1 });
});

test('an unsorted MF4 is read up to a record of an unknown kind (43.1)', () => {
  const file = sampleMf4(FRAMES, { idBytes: 1, data: 'fixed' });
  const at = file.lastIndexOf('##DT') + 24 + 81 * 5;
  file[at] = 200;
  expect(readMf4(file)).toEqual({ rows: ROWS.slice(0, 5), damaged: 1 });
});
