import { expect, test } from 'vitest';
import { completenessMarks } from './completeness.ts';

test.each<[number | null, boolean, string[]]>([
  [null, false, []],
  [null, true, ['voorlopig']],
  [1, false, []],
  [0.95, false, []],
  [0.9499, false, ['dekking 94%']],
  [0.949_999_9, true, ['dekking 94%', 'voorlopig']],
  [0.57, false, ['dekking 57%']],
  [0.29, false, ['dekking 29%']],
  [0, false, ['dekking 0%']],
])(
  'a figure with coverage %s, provisional %s, has the marks %j (14.6a)',
  (coverage, isProvisional, marks) => {
    expect(completenessMarks(coverage, isProvisional)).toEqual(marks);
  },
);

test('a figure is marked with the share of the time with known energy if that share is below 95 % (14.6a)', () => {
  expect(completenessMarks(0.9, true, 0.6)).toEqual(['dekking 90%', 'energie 60% bekend', 'voorlopig']);
  expect(completenessMarks(1, false, 0.95)).toEqual([]);
});
