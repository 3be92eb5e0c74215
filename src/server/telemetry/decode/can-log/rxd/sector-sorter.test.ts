import { describe, expect, test } from 'vitest';
import { littleEndianBytes32, type RxdSettings, rxdBlock } from '#shared/demo/rxd-configuration.ts';
import { RxdFile } from '#shared/demo/rxd-file.ts';
import { readRxd } from './test/read-rxd.ts';

const SECTOR = 512;
const TRIGGER = 1000;
/** An arbitrary sector number of the logger's card, from which the sectors of a ring are counted. */
const ON_CARD = 70_000;

const SETTINGS: RxdSettings = {
  name: 'RING',
  buses: [0],
  blocks: [rxdBlock(18, 1, TRIGGER, new Array(13).fill(0))],
};

type Ring = { readonly sectors: number; readonly written: number; readonly initialTick?: number };

/**
 * Returns a file with sectors before a pre-buffer (a ring), the ring as the logger leaves it in the file, and two sectors after it.
 * Each sector has an error report and a frame; the frame's identifier is its number in chronological order.
 * @param before number of sectors before the ring
 */
function fileWithRing({ sectors, written, initialTick = 0 }: Ring, before = 0): Uint8Array {
  const file = new RxdFile({
    name: 'RING',
    buses: [0],
    blocks: [rxdBlock(18, 1, TRIGGER, new Array(13).fill(0))],
  });
  const add = (id: number): void => {
    file.endSector();
    file.addError(10_000 + 100 * id, 0);
    file.addFrame({ tick: 10_000 + 100 * id, bus: 0, id: id % 0x800, data: [id & 0xff] });
  };
  for (let n = 0; n < before; n += 1) add(n);
  file.endSector();
  const numbers = [ON_CARD, ON_CARD + written, ON_CARD + sectors - 1, 0, 0, 0, initialTick];
  file.addRecord(TRIGGER, 10_000 + 100 * (before + sectors), numbers.flatMap(littleEndianBytes32), []);
  // The oldest sector follows the sector that was written last.
  for (let n = 0; n < sectors; n += 1) add(before + ((n + sectors - written - 1) % sectors));
  add(before + sectors);
  add(before + sectors + 1);
  return file.toBytes();
}
const framesOf = (bytes: Uint8Array): number[] =>
  readRxd(bytes).frames.flatMap(({ kind, id }) => (kind === 'frame' ? id : []));
const upTo = (end: number): number[] => Array.from({ length: end }, (_, n) => n);

describe('the pre-buffer of an .rxd file (43.1)', () => {
  test.each([
    [{ sectors: 9, written: 3 }, 0],
    [{ sectors: 9, written: 0 }, 0],
    [{ sectors: 9, written: 7 }, 2],
    [{ sectors: 9, written: 8 }, 2],
    [{ sectors: 1, written: 0 }, 3],
  ])('the pre-buffer of an .rxd file is read in chronological order: %o after %i sectors', (ring, before) => {
    const bytes = fileWithRing(ring, before);
    expect(framesOf(bytes)).toEqual(upTo(before + ring.sectors + 2));
    expect(readRxd(bytes, { pieceBytes: 1 })).toEqual(readRxd(bytes));
  });

  test('an .rxd file that ends within its pre-buffer is read to the end of the file', () => {
    const bytes = fileWithRing({ sectors: 9, written: 3 });
    const end = bytes.length - 5 * SECTOR;
    // In the file, four newer sectors precede the older ones, of which only two are present.
    expect(framesOf(bytes.subarray(0, end))).toEqual([0, 1, 5, 6, 7, 8]);
    expect(framesOf(bytes.subarray(0, end - 3 * SECTOR))).toEqual([5, 6, 7]);
  });

  test('reading can resume before the pre-buffer of an .rxd file, but not within it', () => {
    const bytes = fileWithRing({ sectors: 9, written: 3 }, 2);
    const { frames } = readRxd(bytes);
    const places = frames.map(({ place }) => place);
    // Two sectors come before the ring, and each sector has two records.
    expect(new Set(places.slice(4, 22)).size).toBe(1);
    const others = [...places.slice(0, 5), ...places.slice(22)];
    expect(others).toEqual([...new Set(others)].sort((a, b) => a - b));
  });

  test('the order of the sectors in the pre-buffer of an .rxd file is read from the first Trigger record before it; later ones are ignored', () => {
    const numbers = [7, 9, 40, 0, 0, 0, 0].flatMap(littleEndianBytes32);
    const file = new RxdFile(SETTINGS);
    file.addRecord(TRIGGER, 5, [1, 2, 4, 0, 0, 0, 0].flatMap(littleEndianBytes32), []);
    file.addRecord(TRIGGER, 5, numbers, []);
    for (const id of [2, 3, 0, 1, 4, 5]) {
      file.endSector();
      file.addFrame({ tick: id, bus: 0, id, data: [] });
      if (id < 2 || id === 3) file.addRecord(TRIGGER, 5, numbers, []);
    }
    expect(framesOf(file.toBytes())).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('the pre-buffer of an .rxd file states the tick that belongs to the start time in the file name', () => {
    const bytes = fileWithRing({ sectors: 9, written: 3, initialTick: 9_000 });
    const startMs = Date.UTC(2026, 10, 27);
    expect(readRxd(bytes, { startMs }).clock).toEqual({ zeroMs: startMs - 90, source: 'name' });
  });

  test('the pre-buffer of an .rxd file is skipped and counted when more than 4 MiB of it would have to be held', () => {
    const bytes = fileWithRing({ sectors: 8_200, written: 8_192 }, 1);
    expect(framesOf(bytes)).toEqual([0, 8_201, 8_202].map((id) => id % 0x800));
    expect(readRxd(bytes).skippedPreBuffers).toBe(1);
  });

  test.each([
    ['none was recorded', [0, 0, 0]],
    ['its sectors are in no order', [9, 3, 12]],
    ['it is larger than a card', [1, 5, 0xffff_ffff]],
  ])('the pre-buffer of an .rxd file is read in file order when %s', (_, numbers) => {
    const bytes = fileWithRing({ sectors: 9, written: 8 });
    const info = bytes.length - 12 * SECTOR + 2 + 4 + 4;
    bytes.set(numbers.flatMap(littleEndianBytes32), info);
    expect(framesOf(bytes)).toEqual(upTo(11));
    expect(readRxd(bytes).skippedPreBuffers).toBe(0);
  });
});
