import { expect, test } from 'vitest';
import { TEST_FRAMES_START_MS } from '#server/telemetry/decode/can-log/test/given-frames.ts';
import { readMf4 } from '#server/telemetry/decode/can-log/test/read-mf4.ts';
import {
  channelBlock,
  channelGroupBlock,
  collectLinkedBlocks,
  conversionBlock,
  dataGroupBlock,
  headerBlock,
  type Mf4TestBlock,
  mf4Block,
  mf4File,
} from '#server/telemetry/decode/can-log/test/written-mf4.ts';

const US = TEST_FRAMES_START_MS * 1000;
const RECORD_BYTES = 78;
/** The records: time in seconds (a double), identifier, length code (in the upper half of a byte) and flags. The data follow. */
const RECORDS: readonly [seconds: number, id: number, code: number, flags: number][] = [
  [0.5, 0x123, 2, 0],
  [1.25, 0x98fe_f100, 9, 0],
  [2, 0x7ff, 8, 1],
];
const DATA = Buffer.from(Array.from({ length: 64 }, (_, index) => index));

function records(isBigEndian: boolean): Buffer {
  const all = RECORDS.map(([seconds, id, code, flags]) => {
    const record = Buffer.alloc(RECORD_BYTES);
    if (isBigEndian) {
      record.writeDoubleBE(seconds, 0);
      record.writeUInt32BE(id, 8);
    } else {
      record.writeDoubleLE(seconds, 0);
      record.writeUInt32LE(id, 8);
    }
    record[12] = (code << 4) | 5;
    record[13] = flags;
    DATA.copy(record, 14);
    return record;
  });
  return Buffer.concat(all);
}

const lengths = conversionBlock(5, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 12]);

function file(isBigEndian: boolean, others: readonly Mf4TestBlock[], name = '', head = headerBlock): Buffer {
  const channels = [
    channelBlock('t', { type: 2, dataType: isBigEndian ? 5 : 4, byte: 0, bits: 64 }),
    channelBlock('CAN_DataFrame.ID', { dataType: isBigEndian ? 1 : 0, byte: 8, bits: 32 }),
    channelBlock('CAN_DataFrame.DataBytes', { dataType: 10, byte: 14, bits: 512 }),
    ...others,
  ];
  const data = mf4Block('DT', records(isBigEndian));
  return mf4File([
    ...collectLinkedBlocks(
      head([dataGroupBlock(0, [channelGroupBlock(1, RECORD_BYTES, channels, name)], data)]),
    ),
  ]);
}

const code = () => channelBlock('CAN_DataFrame.DLC', { byte: 12, bit: 4, bits: 4 });
const length = () =>
  channelBlock('CAN_DataFrame.DataLength', { byte: 12, bit: 4, bits: 4, conversion: lengths });
const remote = () => channelBlock('CAN_DataFrame.RTR', { byte: 13, bits: 1 });
const bus5 = () =>
  channelBlock('CAN_DataFrame.BusChannel', {
    type: 6,
    byte: 0,
    bits: 0,
    conversion: conversionBlock(1, [5, 0]),
  });

const rows = (bus: number) => [
  `${US + 500_000} ${bus} 123 0001`,
  `${US + 1_250_000} ${bus} 18fef100x 000102030405060708090a0b`,
  `${US + 2_000_000} remote`,
];

test.each([false, true])('the numbers of an MF4 are read in both byte orders: %s (43.1)', (isBigEndian) => {
  expect(readMf4(file(isBigEndian, [code(), remote()])).rows).toEqual(rows(0));
});

test('the bus of an MF4 comes from its channel, which may be a constant, or else from the name of the group (43.1)', () => {
  expect(readMf4(file(false, [code(), remote(), bus5()], 'CAN7_Rx')).rows).toEqual(rows(5));
  expect(readMf4(file(false, [code(), remote()], 'CAN7_Rx')).rows).toEqual(rows(7));
});

test('the number of data bytes in an MF4 comes from the length channel by its conversion table, or else from the length code (43.1)', () => {
  expect(readMf4(file(false, [length(), remote()])).rows).toEqual(rows(0));
  expect(readMf4(file(false, [length(), code(), remote()])).rows).toEqual(rows(0));
});

test('the local start time of an MF4 is read as Europe/Amsterdam (43.1)', () => {
  const local = (groups: readonly Mf4TestBlock[]) => headerBlock(groups, TEST_FRAMES_START_MS + 7_200_000, 1);
  expect(readMf4(file(false, [code(), remote()], '', local)).rows).toEqual(rows(0));
});

test('the buses of an MF4 of the ReXgen exporter are counted from 0, and its remote flag is read (43.1)', () => {
  const influx = (groups: readonly Mf4TestBlock[]) => {
    const head = headerBlock(groups);
    const comment = mf4Block(
      'MD',
      Buffer.from('<FHcomment><tool_vendor>Influx Technology LTD</tool_vendor></FHcomment>\0'),
    );
    head.links[1] = mf4Block('FH', Buffer.alloc(16), undefined, comment);
    return head;
  };
  const flag = channelBlock('CAN_DataFrame.SRR', { byte: 13, bits: 1 });
  expect(readMf4(file(false, [code(), flag, bus5()], '', influx)).rows).toEqual(rows(4));
  const [, , last] = readMf4(file(false, [code(), flag, bus5()])).rows;
  expect(last).toBe(`${US + 2_000_000} 5 7ff ${DATA.subarray(0, 8).toString('hex')}`);
});

test('groups of an MF4 whose channels do not fit into their records are skipped (43.1)', () => {
  const outside = channelBlock('CAN_DataFrame.DataLength', { byte: 100, bits: 8 });
  expect(readMf4(file(false, [outside, code(), remote()])).rows).toEqual(rows(0));
  const channels = [
    channelBlock('t', { type: 2, dataType: 4, byte: 0, bits: 64 }),
    channelBlock('CAN_DataFrame.ID', { byte: 8, bits: 32 }),
    channelBlock('CAN_DataFrame.DataBytes', { dataType: 10, byte: 14, bits: 5120 }),
  ];
  const head = headerBlock([
    dataGroupBlock(0, [channelGroupBlock(1, RECORD_BYTES, channels)], mf4Block('DT', records(false))),
  ]);
  expect(() => readMf4(mf4File([...collectLinkedBlocks(head)]))).toThrow(
    expect.objectContaining({ kind: 'no frames' }),
  );
});

test('the blocks of an MF4 are found after bytes that are not a block (43.1)', () => {
  const channels = [
    channelBlock('t', { type: 2, dataType: 4, byte: 0, bits: 64 }),
    channelBlock('CAN_DataFrame.ID', { byte: 8, bits: 32 }),
    channelBlock('CAN_DataFrame.DataBytes', { dataType: 10, byte: 14, bits: 512 }),
    code(),
    remote(),
  ];
  const data = mf4Block('DT', records(false));
  const parts = collectLinkedBlocks(
    headerBlock([dataGroupBlock(0, [channelGroupBlock(1, RECORD_BYTES, channels)], data)]),
  );
  parts.delete(data);
  const [head, ...others] = parts;
  // `gap` is written before the last block of the description; its length is no multiple of 8.
  const gap = Buffer.from(`${'#'.repeat(30)}##D##DG`);
  expect(readMf4(mf4File([head as Mf4TestBlock, data, ...others], 'MDF     ', gap)).rows).toEqual(rows(0));
});
