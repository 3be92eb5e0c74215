import { expect, test } from 'vitest';
import { dueMail, type Rhythm } from './mail-rhythm.ts';

/** Rhythm, time in Amsterdam, and the first and last day of the period that is mailed; undefined: no mail is due. */
const CASES: readonly (readonly [Rhythm, string, string | undefined])[] = [
  ['week', '2026-11-23T06:29:59.999+01:00', undefined],
  ['week', '2026-11-23T06:30:00.000+01:00', '2026-11-16 2026-11-22'],
  ['week', '2026-11-25T06:29:59.999+01:00', '2026-11-16 2026-11-22'],
  ['week', '2026-11-25T06:30:00.000+01:00', undefined],
  ['week', '2026-11-29T23:59:59.999+01:00', undefined],
  // Weeks in which summer time begins and ends.
  ['week', '2026-03-30T06:29:59.999+02:00', undefined],
  ['week', '2026-03-30T06:30:00.000+02:00', '2026-03-23 2026-03-29'],
  ['week', '2026-10-26T06:29:59.999+01:00', undefined],
  ['week', '2026-10-26T06:30:00.000+01:00', '2026-10-19 2026-10-25'],
  ['week', '2027-01-04T06:30:00.000+01:00', '2026-12-28 2027-01-03'],
  ['month', '2026-12-01T06:29:59.999+01:00', undefined],
  ['month', '2026-12-01T06:30:00.000+01:00', '2026-11-01 2026-11-30'],
  ['month', '2026-12-03T06:29:59.999+01:00', '2026-11-01 2026-11-30'],
  ['month', '2026-12-03T06:30:00.000+01:00', undefined],
  ['month', '2027-01-02T12:00:00.000+01:00', '2026-12-01 2026-12-31'],
  ['month', '2028-03-01T06:30:00.000+01:00', '2028-02-01 2028-02-29'],
  // Summer time begins in March 2026.
  ['month', '2026-04-01T06:30:00.000+02:00', '2026-03-01 2026-03-31'],
];
test.each(CASES)('the period of the report per %s that is due at %s is %s (14.5a)', (rhythm, at, period) => {
  const due = dueMail(rhythm, Date.parse(at));
  expect(due && `${due.period.from} ${due.period.to}`).toBe(period);
});
