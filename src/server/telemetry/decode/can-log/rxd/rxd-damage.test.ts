import { describe, expect, test } from 'vitest';
import { rxdUidOfBus, rxdUidOfErrors, rxdUidOfGnss } from '#shared/demo/rxd-configuration.ts';
import { RxdFile } from '#shared/demo/rxd-file.ts';
import { readRxd } from './test/read-rxd.ts';
import { createSmallRxdFile, logErrorOf, SMALL_RXD_SETTINGS } from './test/small-file.ts';

const SECTOR = 512;
const from = (first: number, end: number): number[] =>
  Array.from({ length: end - first }, (_, n) => first + n);

/** Returns a copy of the file with other bytes at offset `at` of one sector. @param sectorFromEnd 1 for the last sector */
function changed(bytes: Uint8Array, sectorFromEnd: number, at: number, ...values: number[]): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(values, bytes.length - sectorFromEnd * SECTOR + at);
  return copy;
}

describe('a truncated .rxd file (43.1)', () => {
  test('a truncated .rxd file gives the frames of its whole sectors, whatever the byte at which it was cut', () => {
    const bytes = createSmallRxdFile();
    const first = bytes.length - 3 * SECTOR;
    for (let length = 0; length <= bytes.length; length += 1) {
      const sectors = Math.max(0, Math.floor((length - first) / SECTOR));
      // With isCut the end of the file is no error.
      const { frames } = readRxd(bytes.subarray(0, length), { isCut: true });
      if (frames.length !== 20 * sectors || frames.some(({ id }, n) => id !== n))
        throw new Error(`cut to ${length} bytes it has ${frames.length} frames`);
    }
  });

  test('an .rxd file that ends within its configuration is rejected', () => {
    const bytes = createSmallRxdFile();
    const end = 4 + (bytes[0] as number) + 256 * (bytes[1] as number);
    for (const length of [0, 1, 3])
      expect(logErrorOf(() => readRxd(bytes.subarray(0, length)))).toBe('no rxd');
    for (const length of [4, 5, 60, 200, end - 1])
      expect(logErrorOf(() => readRxd(bytes.subarray(0, length)))).toBe('truncated');
    expect(readRxd(bytes.subarray(0, end)).frames).toEqual([]);
  });

  test('an .rxd file can end with zeros and a part of a sector', () => {
    const bytes = new Uint8Array(createSmallRxdFile().length + 2 * SECTOR + 100);
    bytes.set(createSmallRxdFile());
    const { frames, damagedSectors } = readRxd(bytes);
    expect([frames.length, damagedSectors]).toEqual([60, 0]);
  });
});

describe('a damaged sector of an .rxd file (43.1)', () => {
  test.each([
    ['an impossible length', [0, 0xff, 0xff], [...from(0, 20), ...from(40, 60)]],
    ['records but a length of 0', [0, 0, 0], [...from(0, 20), ...from(40, 60)]],
    ['a record without a tick', [4, 3], [...from(0, 20), ...from(40, 60)]],
    ['a record that is longer than the sector', [4, 255, 255], [...from(0, 20), ...from(40, 60)]],
    [
      'a frame of 9 bytes without CAN FD, which moves the records behind it',
      [5, 9],
      [...from(0, 20), ...from(40, 60)],
    ],
    ['an identifier of more than 11 bits', [10, 0, 8], [...from(0, 20), ...from(21, 60)]],
    ['an identifier of more than 29 bits', [10, 0, 0, 0, 0x20, 1], [...from(0, 20), ...from(21, 60)]],
  ])('a damaged sector with %s loses no other frames', (what, [at = 0, ...values], ids) => {
    const { frames, damagedSectors } = readRxd(changed(createSmallRxdFile(), 2, at, ...values));
    expect(frames.map(({ id }) => id)).toEqual(ids);
    expect(damagedSectors).toBe(what.startsWith('records but') ? 0 : 1);
  });

  test('a record of a value that is too short is skipped, and its sector counts as damaged', () => {
    const file = new RxdFile({ ...SMALL_RXD_SETTINGS, gnss: ['LATITUDE'] });
    file.addRecord(rxdUidOfGnss('LATITUDE'), 1, [], [0, 0, 0, 64]);
    file.addGnss(2, 'LATITUDE', 52.1);
    const { values, damagedSectors } = readRxd(file.toBytes());
    expect(values).toEqual([{ name: 'LATITUDE', timeMs: 0.02, value: 52.1 }]);
    expect(damagedSectors).toBe(1);
  });

  test('the data of an error report are not passed on', () => {
    const file = new RxdFile(SMALL_RXD_SETTINGS);
    file.addRecord(rxdUidOfErrors(1), 1, [0, 1, 0, 1, 0], new Uint8Array(200));
    expect(readRxd(file.toBytes()).frames).toMatchObject([{ kind: 'error', bus: 1, id: 0, data: '' }]);
  });

  test('a frame of more than 64 bytes and one that is too short are lost, but the records between them are kept', () => {
    const file = new RxdFile(SMALL_RXD_SETTINGS);
    file.addFrame({ tick: 1, bus: 0, id: 1, isFd: true, data: new Uint8Array(64) });
    file.addFrame({ tick: 2, bus: 0, id: 2, isFd: true, data: new Uint8Array(65) });
    file.addRecord(rxdUidOfBus(0), 3, [3, 0, 0, 0], []);
    file.addFrame({ tick: 4, bus: 0, id: 4, data: [] });
    const { frames, damagedSectors } = readRxd(file.toBytes());
    expect(frames.map(({ id, data }) => [id, data.length])).toEqual([
      [1, 128],
      [4, 0],
    ]);
    expect(damagedSectors).toBe(1);
  });
});
