import { describe, expect, test } from 'vitest';
import {
  littleEndianBytes16,
  littleEndianBytes32,
  rxdBlock,
  rxdText,
  rxdUidOfBus,
} from '#shared/demo/rxd-configuration.ts';
import { RxdFile } from '#shared/demo/rxd-file.ts';
import { checksumOf } from './configuration-blocks.ts';
import { RxdReader } from './rxd-reader.ts';
import { readRxd } from './test/read-rxd.ts';
import { createSmallRxdFile, SMALL_RXD_SETTINGS } from './test/small-file.ts';

describe('the configuration of an .rxd file (43.1)', () => {
  test('values of an .rxd file get their names from its configuration; LIN and unknown uids are counted but not decoded', () => {
    const named = rxdText('Oil pressure');
    const blocks = [
      rxdBlock(33, 1, 1000, new Array(20).fill(0)),
      rxdBlock(46, 1, 1001, [1, 0, 0, ...littleEndianBytes32(0), ...named]),
      rxdBlock(21, 1, 1002, [3, 0, 0, 0, 0]),
      rxdBlock(4, 2, 1003, [
        ...new Array(22).fill(0),
        ...rxdText('a name that is too long for a reading '.repeat(2)),
      ]),
      rxdBlock(24, 1, 1004, [0, 2, ...new Array(10).fill(0)]),
    ];
    const file = new RxdFile({ ...SMALL_RXD_SETTINGS, blocks });
    file.addRecord(1000, 10, [0x3c, 0, 0, 0, 0], [1, 2]);
    file.addRecord(1001, 20, [], [0, 0, 0x20, 0x41]);
    file.addRecord(1002, 30, [], [1]);
    file.addRecord(1003, 40, [], [0, 0, 0x20, 0x41]);
    file.addRecord(1004, 50, [], [0, 0, 0x80, 0xbf]);
    file.addRecord(9999, 60, [], [1, 2, 3, 4]);
    const read = readRxd(file.toBytes());
    expect(read.values).toEqual([
      { name: 'Oil pressure', timeMs: 0.2, value: 10 },
      { name: 'Digital 3', timeMs: 0.3, value: 1 },
      { name: 'Accelerometer Z', timeMs: 0.5, value: -1 },
    ]);
    expect(read).toMatchObject({ linFrames: 1, unknownRecords: 2, damagedSectors: 0, frames: [] });
  });

  test('a frame of an SDMessage gets the bus of the recorded message, and is skipped if that bus is unknown', () => {
    const sdMessage = (recorded: number): number[] => [
      ...[
        ...littleEndianBytes32(0),
        ...littleEndianBytes32(0xffff_ffff),
        2,
        3,
        0,
        ...littleEndianBytes16(4),
        ...littleEndianBytes32(0),
        ...littleEndianBytes16(0),
        0,
        0,
        0,
      ],
      ...littleEndianBytes16(recorded),
    ];
    const lost = [
      ...littleEndianBytes32(0),
      ...littleEndianBytes32(7),
      0,
      8,
      0,
      ...littleEndianBytes16(4321),
      ...new Array(41).fill(0),
    ];
    const blocks = [
      rxdBlock(14, 1, 1000, sdMessage(rxdUidOfBus(1))),
      rxdBlock(14, 1, 1001, sdMessage(1001)),
      rxdBlock(3, 4, 1002, lost),
    ];
    const file = new RxdFile({ ...SMALL_RXD_SETTINGS, blocks });
    for (const uid of [1000, 1001, 1002])
      file.addRecord(uid, 10, [...littleEndianBytes32(7), 0], [uid & 0xff]);
    const { frames, unknownRecords } = readRxd(file.toBytes());
    expect(frames).toMatchObject([{ bus: 1, id: 7, data: 'e8' }]);
    expect(unknownRecords).toBe(2);
  });

  test('the Config block of an .rxd of a version below 4 has no uid', () => {
    const { length } = rxdBlock(1, 8, 0, new Array(18 + 6 + 5 + 16).fill(0));
    const older = [
      ...littleEndianBytes16(1),
      ...littleEndianBytes16(3),
      ...littleEndianBytes16(length),
      ...new Array(18).fill(0),
    ];
    // Without the uid this block would be two bytes too short, so two zeros are added before the checksum.
    older.push(...rxdText('SMALL'), 4, ...littleEndianBytes32(1000), ...new Array(18).fill(0), 0);
    older[length - 1] = checksumOf(Uint8Array.from(older));
    const bytes = createSmallRxdFile();
    bytes.set(older, 4);
    expect(readRxd(bytes).frames[7]).toMatchObject({ id: 7, timeMs: 7000 });
  });

  test('if two blocks of an .rxd configuration have the same uid, the first one is used', () => {
    const other = rxdBlock(33, 1, rxdUidOfBus(0), [0, 0]);
    expect(readRxd(createSmallRxdFile({ ...SMALL_RXD_SETTINGS, blocks: [other] })).frames).toHaveLength(60);
  });

  test('the configuration of an .rxd is read up to a damaged block', () => {
    const blocks = [rxdBlock(33, 1, 1000, [0, 0]), rxdBlock(33, 1, 1001, [0, 0])];
    const bytes = createSmallRxdFile({ ...SMALL_RXD_SETTINGS, blocks });
    const damaged = Uint8Array.from(bytes);
    damaged[4 + (bytes[0] as number) + 256 * (bytes[1] as number) - 15] = 77;
    expect(readRxd(damaged).frames).toHaveLength(60);
  });

  test('the configuration of an .rxd can contain a million blocks', () => {
    const uids = 0x1_0000;
    const block = Uint8Array.from(rxdBlock(46, 1, 0, [1, 0, 0, 0, 0, 0, 0, ...rxdText('A signal')]));
    const blocks = new Uint8Array(uids * block.length);
    for (let uid = 0; uid < uids; uid += 1) {
      block.set(littleEndianBytes16(uid), 6);
      block[block.length - 1] = checksumOf(block);
      blocks.set(block, uid * block.length);
    }
    const config = createSmallRxdFile().subarray(4, 4 + 8 + 18 + 6 + 5 + 16 + 1);
    const length = config.length + 16 * blocks.length;
    const reader = new RxdReader(
      { frame: () => undefined, value: () => undefined },
      { zeroMs: 0, source: 'none' },
    );
    reader.push(Uint8Array.from(littleEndianBytes32(length)));
    reader.push(config);
    for (let n = 0; n < 16; n += 1) reader.push(blocks);
    const sector = new Uint8Array(1024);
    sector.set(
      [...littleEndianBytes16(12), ...littleEndianBytes16(65_000), 4, 4, 0, 0, 0, 0, 0, 0, 0x80, 0x3f],
      512 - ((4 + length) % 512),
    );
    reader.push(sector.subarray(0, 1024 - ((4 + length) % 512)));
    reader.end(false);
    expect(reader).toMatchObject({ damagedSectors: 0, unknownRecords: 0 });
    expect(reader.place.byteOffset).toBe(Math.ceil((4 + length) / 512) * 512 + 512);
  });
});
