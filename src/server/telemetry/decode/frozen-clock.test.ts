import { expect, test } from 'vitest';
import { detectFrozenClock, type LastSnapshotClocks, type SnapshotClocks } from './frozen-clock.ts';

const NOW = 1_780_000_000;
/** Passes the clocks of consecutive snapshots; returns for each snapshot the clock that is used instead of a frozen one. */
function through(...deliveries: SnapshotClocks[]): (string | undefined)[] {
  let seen: LastSnapshotClocks = [];
  return deliveries.map((clocks) => {
    const result = detectFrozenClock(clocks, seen, NOW * 1000);
    seen = result.seen;
    return result.other;
  });
}
const at = (gmt: number, rtc: number, datetime?: number): SnapshotClocks => ({
  GMT_UNIX: gmt,
  RTC_UNIX: rtc,
  ...(datetime !== undefined && { DATETIME: datetime }),
});

test.each<[string, SnapshotClocks[], (string | undefined)[]]>([
  ['both clocks run', [at(NOW, 5), at(NOW + 10, 15), at(NOW + 20, 25)], [undefined, undefined, undefined]],

  [
    'the first clock repeats a time for the third time',
    [at(NOW, NOW), at(NOW, NOW + 10), at(NOW, NOW + 20), at(NOW, NOW + 30)],
    [undefined, undefined, 'RTC_UNIX', 'RTC_UNIX'],
  ],
  [
    'a repeated upload changes nothing',
    [at(NOW, NOW), at(NOW, NOW), at(NOW, NOW), at(NOW, NOW + 10), at(NOW, NOW + 20)],
    [undefined, undefined, undefined, undefined, 'RTC_UNIX'],
  ],
  [
    'the other clock has an impossible time',
    [at(NOW, 5), at(NOW, 15), at(NOW, 25)],
    [undefined, undefined, undefined],
  ],
  [
    'the other clock was set back',
    [at(NOW, NOW + 9), at(NOW, NOW + 3), at(NOW, NOW + 20)],
    [undefined, undefined, undefined],
  ],
  [
    'the first running clock in the order of preference',
    [at(NOW, NOW, NOW), at(NOW, NOW + 1, NOW + 1), at(NOW, NOW + 2, NOW + 2)],
    [undefined, undefined, 'DATETIME'],
  ],
  [
    'the receiver has a fix again',
    [at(NOW, NOW), at(NOW, NOW + 10), at(NOW, NOW + 20), at(NOW + 30, NOW + 30)],
    [undefined, undefined, 'RTC_UNIX', undefined],
  ],
])('the clock of each delivery is chosen: %s (INGEST-03, 12.A9)', (_, deliveries, expected) => {
  expect(through(...deliveries)).toEqual(expected);
});
