import { expect, test } from 'vitest';
import { newestDueBackupTime } from './scheduled-backups.ts';

const at = (text: string): number => Date.parse(text);

test.each([
  ['after its hour, in winter', '2026-01-15T12:00:00+01:00', '03:30', '2026-01-15T03:30:00+01:00'],
  ['before its hour', '2026-01-15T03:29:59+01:00', '03:30', '2026-01-14T03:30:00+01:00'],
  ['at its hour', '2026-01-15T03:30:00+01:00', '03:30', '2026-01-15T03:30:00+01:00'],
  ['in summer', '2026-07-15T12:00:00+02:00', '23:59', '2026-07-14T23:59:00+02:00'],
  ['for an hour that is skipped', '2026-03-29T12:00:00+02:00', '02:30', '2026-03-29T03:30:00+02:00'],
  [
    'for an hour that occurs twice: the first',
    '2026-10-25T02:40:00+01:00',
    '02:30',
    '2026-10-25T02:30:00+02:00',
  ],
])('a daily backup is due at the newest past time of its schedule: %s (54.2)', (_what, now, time, due) => {
  expect(new Date(newestDueBackupTime(at(now), time)).toISOString()).toBe(new Date(at(due)).toISOString());
});
