import { expect, test } from 'vitest';
import { amsterdamInstant, wallClockOf } from '../amsterdam-time.ts';
import { DEFAULT_QUIET_HOURS, nextDailyMail, type QuietHours, quietUntil } from './quiet-hours.ts';

const hours = (from: string, to: string): QuietHours => ({ from, to });
const LUNCH = hours('12:00', '13:30');
const EARLY = hours('22:00', '05:00');
const LATE = hours('23:00', '09:00');
const SMALL_HOURS = hours('01:00', '05:00');

test.each<[string, QuietHours | null, string, string | undefined]>([
  ['a second before quiet hours', DEFAULT_QUIET_HOURS, '2026-11-23 20:59:59', undefined],
  ['at the begin of quiet hours', DEFAULT_QUIET_HOURS, '2026-11-23 21:00', '2026-11-24 06:30'],
  ['before midnight', DEFAULT_QUIET_HOURS, '2026-11-23 23:59:59', '2026-11-24 06:30'],
  ['at midnight', DEFAULT_QUIET_HOURS, '2026-11-24 00:00', '2026-11-24 06:30'],
  ['after midnight', DEFAULT_QUIET_HOURS, '2026-11-24 06:29:59', '2026-11-24 06:30'],
  ['at the end of quiet hours', DEFAULT_QUIET_HOURS, '2026-11-24 06:30', undefined],
  ['by day', DEFAULT_QUIET_HOURS, '2026-11-24 12:00', undefined],
  ['across the end of a year', DEFAULT_QUIET_HOURS, '2026-12-31 22:00', '2027-01-01 06:30'],
  ['a person without quiet hours', null, '2026-11-24 03:00', undefined],
  ['quiet hours without length', hours('22:00', '22:00'), '2026-11-24 22:00', undefined],
  ['quiet hours during the day', LUNCH, '2026-11-24 12:00', '2026-11-24 13:30'],
  ['at the end of quiet hours during the day', LUNCH, '2026-11-24 13:30', undefined],
  ['quiet hours that end before the daily mail', EARLY, '2026-11-23 23:00', '2026-11-24 06:30'],
  ['between early quiet hours and the daily mail', EARLY, '2026-11-24 06:00', '2026-11-24 06:30'],
  ['at the daily mail', EARLY, '2026-11-24 06:30', undefined],
  ['quiet hours that end after the daily mail', LATE, '2026-11-24 08:59', '2026-11-24 09:00'],
  ['quiet hours after midnight only', SMALL_HOURS, '2026-11-24 02:00', '2026-11-24 06:30'],
  ['quiet hours nearly all day', hours('06:00', '05:00'), '2026-11-24 12:00', '2026-11-25 06:30'],
  ['a minute before quiet hours after midnight', SMALL_HOURS, '2026-11-24 00:59', undefined],
  // Clocks go from 02:00 to 03:00 on 29 March, and from 03:00 to 02:00 on 25 October.
  ['a night with an hour less', DEFAULT_QUIET_HOURS, '2026-03-28 23:00', '2026-03-29 06:30'],
  ['after the hour that is skipped', DEFAULT_QUIET_HOURS, '2026-03-29 03:00', '2026-03-29 06:30'],
  ['a night with an hour more', DEFAULT_QUIET_HOURS, '2026-10-24 23:00', '2026-10-25 06:30'],
  ['the evening after summer time ended', DEFAULT_QUIET_HOURS, '2026-10-25 21:00', '2026-10-26 06:30'],
  [
    'quiet hours that begin in the skipped hour',
    hours('02:30', '07:00'),
    '2026-03-29 03:30',
    '2026-03-29 07:00',
  ],
  [
    'quiet hours that begin in the hour that comes twice',
    hours('02:30', '07:00'),
    '2026-10-25 02:30',
    '2026-10-25 07:00',
  ],
])('quietUntil returns when a person may be notified again: %s (16.4a)', (_, quiet, now, expected) => {
  const until = quietUntil(quiet, amsterdamInstant(now, 'first') as number);
  expect(until && wallClockOf(until).slice(0, 16)).toBe(expected);
});

test('quiet hours include the extra hour at the end of summer time (16.4a)', () => {
  const begins = amsterdamInstant('2026-10-24 21:00', 'first') as number;
  expect((quietUntil(DEFAULT_QUIET_HOURS, begins) as number) - begins).toBe(10.5 * 3_600_000);
  const inSpring = amsterdamInstant('2026-03-28 21:00', 'first') as number;
  expect((quietUntil(DEFAULT_QUIET_HOURS, inSpring) as number) - inSpring).toBe(8.5 * 3_600_000);
});

test('the end of quiet hours is not inside quiet hours (16.4a)', () => {
  for (const quiet of [DEFAULT_QUIET_HOURS, LUNCH, EARLY, LATE, SMALL_HOURS])
    for (let now = Date.UTC(2026, 9, 23); now < Date.UTC(2026, 9, 27); now += 600_000) {
      const until = quietUntil(quiet, now);
      if (until !== undefined) expect([now < until, quietUntil(quiet, until)]).toEqual([true, undefined]);
    }
});

test.each([
  ['2026-11-24 06:29', '2026-11-24 06:30'],
  ['2026-11-24 06:30', '2026-11-25 06:30'],
  ['2026-03-28 12:00', '2026-03-29 06:30'],
  ['2026-10-24 12:00', '2026-10-25 06:30'],
])('the daily mail after %s is sent at %s (53.9)', (now, mail) => {
  expect(nextDailyMail(amsterdamInstant(now, 'first') as number)).toBe(amsterdamInstant(mail, 'first'));
});
