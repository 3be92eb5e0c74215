import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeRandomLog, randomLog } from './test/random-log.ts';
import { readRxd } from './test/read-rxd.ts';

const NAMES: Readonly<Record<string, string>> = { SPEED_OVER_GROUND: 'Speed' };

/** The clock counts from power-on in ticks of 10 us, so a tick is a hundredth of a millisecond. */
const tickOf = (timeMs: number): number => Math.round(timeMs * 100);

test('every frame, error report and value that was written to an .rxd is read, with unwrapped ticks (43.1)', () => {
  fc.assert(
    fc.property(randomLog, (items) => {
      const { frames, values, damagedSectors, unknownRecords } = readRxd(encodeRandomLog(items));
      expect({ damagedSectors, unknownRecords }).toEqual({ damagedSectors: 0, unknownRecords: 0 });
      expect(frames.map(({ kind, timeMs, bus }) => [kind, tickOf(timeMs), bus])).toEqual(
        items.flatMap((item) => (item.is === 'value' ? [] : [[item.is, item.tick, item.bus]])),
      );
      expect(
        frames.flatMap(({ kind, id, extended, data }) => (kind === 'error' ? [] : [[id, extended, data]])),
      ).toEqual(
        items.flatMap((item) =>
          'data' in item ? [[item.id, item.extended, Buffer.from(item.data).toString('hex')]] : [],
        ),
      );
      expect(values.map(({ name, timeMs, value }) => [name, tickOf(timeMs), value])).toEqual(
        items.flatMap((item) =>
          item.is === 'value' ? [[NAMES[item.kind] ?? item.kind, item.tick, item.value]] : [],
        ),
      );
    }),
    { numRuns: 300 },
  );
});

test('an .rxd is read with the same result from chunks of any size (43.1)', () => {
  fc.assert(
    fc.property(randomLog, fc.integer({ min: 1, max: 1500 }), (items, pieceBytes) => {
      const bytes = encodeRandomLog(items);
      expect(readRxd(bytes, { pieceBytes })).toEqual(readRxd(bytes));
    }),
    { numRuns: 100 },
  );
});

test('the positions of the records of an .rxd, at which reading can resume, are different and in ascending order (43.1)', () => {
  fc.assert(
    fc.property(randomLog, (items) => {
      const places = readRxd(encodeRandomLog(items)).frames.map(({ place }) => place);
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
    }),
    { numRuns: 100 },
  );
});
