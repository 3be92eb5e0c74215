import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choosePathTimeSlots } from './path-slots.ts';

const cell = (from: number, to: number, metres = 0) => ({ from, to, metres });

test('the slots of a path without distance are spread evenly over the time with readings (MDET-12)', () => {
  expect(choosePathTimeSlots([cell(0, 100), cell(100, 200)], 4)).toEqual([
    { from: 0, to: 50 },
    { from: 50, to: 100 },
    { from: 100, to: 150 },
    { from: 150, to: 200 },
  ]);
  expect(choosePathTimeSlots([], 4)).toEqual([]);
});

test('at least two thirds of the slots of a path lie where the machine drove (MDET-12)', () => {
  const slots = choosePathTimeSlots([cell(0, 1_000), cell(1_000, 2_000, 5_000), cell(2_000, 10_000)], 100);
  const driving = slots.filter(({ from }) => from >= 1_000 && from < 2_000);
  expect(driving.length).toBeGreaterThanOrEqual(69);
  expect(slots.length).toBe(100);
});

test('the slots of a path cover all times with readings, and no gap (MDET-12)', () => {
  const cells = fc
    .array(
      fc.tuple(
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 0, max: 900 }),
      ),
      {
        minLength: 1,
        maxLength: 40,
      },
    )
    .map((parts) => {
      let end = 0;
      return parts.map(([gap, length, metres]) => {
        const from = end + gap * 300_000;
        end = from + length * 300_000;
        return cell(from, end, metres);
      });
    });
  fc.assert(
    fc.property(cells, fc.integer({ min: 1, max: 200 }), (list, count) => {
      const slots = choosePathTimeSlots(list, count);
      expect(slots.length).toBeLessThanOrEqual(count + list.length);
      const covered = (parts: readonly { from: number; to: number }[]) =>
        parts.reduce((sum, { from, to }) => sum + to - from, 0);
      expect(covered(slots)).toBe(covered(list));
      for (const [n, slot] of slots.entries()) {
        expect(slot.from).toBeLessThan(slot.to);
        if (n > 0) expect(slot.from).toBeGreaterThanOrEqual(slots[n - 1]?.to as number);
        // Every slot begins inside a cell, so never in a gap.
        expect(list.some(({ from, to }) => from <= slot.from && slot.from < to)).toBe(true);
      }
    }),
  );
});
