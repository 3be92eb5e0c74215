import { expect, test } from 'vitest';
import { type Clocks, otherClock, type SeenClocks } from './frozen-clock.ts';

const NOW = 1_780_000_000;
/** What each delivery goes by, where not by its first clock. */
function through(...deliveries: Clocks[]): (string | undefined)[] {
  let seen: SeenClocks = [];
  return deliveries.map((clocks) => {
    const result = otherClock(clocks, seen, NOW * 1000);
    seen = result.seen;
    return result.other;
  });
}
const at = (gmt: number, rtc: number, datetime?: number): Clocks => ({
  GMT_UNIX: gmt,
  RTC_UNIX: rtc,
  ...(datetime !== undefined && { DATETIME: datetime }),
});

test.each<[string, Clocks[], (string | undefined)[]]>([
  ['both run', [at(NOW, 5), at(NOW + 10, 15), at(NOW + 20, 25)], [undefined, undefined, undefined]],
  // L3.
  [
    'the third time that it stands still',
    [at(NOW, NOW), at(NOW, NOW + 10), at(NOW, NOW + 20), at(NOW, NOW + 30)],
    [undefined, undefined, 'RTC_UNIX', 'RTC_UNIX'],
  ],
  [
    'a repeated upload changes nothing',
    [at(NOW, NOW), at(NOW, NOW), at(NOW, NOW), at(NOW, NOW + 10), at(NOW, NOW + 20)],
    [undefined, undefined, undefined, undefined, 'RTC_UNIX'],
  ],
  ['another one that cannot be', [at(NOW, 5), at(NOW, 15), at(NOW, 25)], [undefined, undefined, undefined]],
  [
    'another one that was set back',
    [at(NOW, NOW + 9), at(NOW, NOW + 3), at(NOW, NOW + 20)],
    [undefined, undefined, undefined],
  ],
  [
    'the first in order that runs',
    [at(NOW, NOW, NOW), at(NOW, NOW + 1, NOW + 1), at(NOW, NOW + 2, NOW + 2)],
    [undefined, undefined, 'DATETIME'],
  ],
  [
    'a fix again',
    [at(NOW, NOW), at(NOW, NOW + 10), at(NOW, NOW + 20), at(NOW + 30, NOW + 30)],
    [undefined, undefined, 'RTC_UNIX', undefined],
  ],
])('%s (INGEST-03, 12.A9)', (_, deliveries, expected) => {
  expect(through(...deliveries)).toEqual(expected);
});
