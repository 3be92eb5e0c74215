import { expect, test } from 'vitest';
import { amsterdamDay, amsterdamInstant } from './amsterdam-time.ts';
import { periodAt } from './day-plan.ts';
import { seedOf } from './seeded-random.ts';
import { deploymentOf } from './work-schedules.ts';

const MINUTE = 60_000;
const TRAVEL = 50 * MINUTE;
const crews = {
  day: deploymentOf('STR26-0417'),
  evening: deploymentOf('VLT2-B027'),
  night: deploymentOf('RH220-5120'),
  continuous: deploymentOf('RH220-5101'),
} as const;

test.each(Object.keys(crews) as (keyof typeof crews)[])(
  'for two years the periods of a %s crew follow each other without a gap, as do the segments of each period',
  (rhythm) => {
    const seed = seedOf(rhythm);
    let at = Date.parse('2024-12-30T12:00:00Z');
    for (let end = 0; at < Date.parse('2026-12-31T00:00:00Z'); at = end) {
      const period = periodAt(at, seed, crews[rhythm], TRAVEL);
      if (end !== 0) expect(period.from).toBe(end);
      let cursor = period.from;
      let site = period.segments[0]!.site;
      for (const segment of period.segments) {
        expect(segment.from).toBe(cursor);
        expect(segment.to).toBeGreaterThan(segment.from);
        expect(segment.site).toBe(site);
        if (segment.phase === 'travel') {
          expect(segment.to - segment.from).toBe(TRAVEL);
          site = site === 0 ? 1 : 0;
        }
        cursor = segment.to;
      }
      expect(cursor).toBe(period.to);
      expect(periodAt(period.to - 1, seed, crews[rhythm], TRAVEL)).toEqual(period);
      end = period.to;
    }
  },
);

test.each([
  ['in winter', '2025-01-14'],
  ['on the Monday after summer time began', '2025-03-31'],
  ['in summer', '2025-07-15'],
  ['on the Monday after it ended', '2025-10-27'],
])('a day crew begins at about 07:00 and charges at noon in Amsterdam, %s', (_, date) => {
  const noon = Date.parse(`${date}T12:00:00Z`);
  const day = amsterdamDay(noon);
  let worked = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const { segments } = periodAt(noon, seed, crews.day, TRAVEL);
    const work = segments.find(({ phase }) => phase === 'work');
    if (!work) continue;
    worked++;
    expect(Math.abs(work.from - amsterdamInstant(day, 7 * 60))).toBeLessThanOrEqual(15 * MINUTE);
    const charge = segments.find(({ phase }) => phase === 'charge');
    expect(Math.abs(charge!.from - amsterdamInstant(day, 12 * 60))).toBeLessThanOrEqual(10 * MINUTE);
  }
  expect(worked).toBeGreaterThan(14);
});

test.each([
  ['Sunday', '2025-11-23'],
  ['Easter Monday', '2026-04-06'],
  ['Christmas Day', '2026-12-25'],
])('a day crew and an evening crew do not work on %s', (_, date) => {
  const noon = Date.parse(`${date}T12:00:00Z`);
  for (const crew of [crews.day, crews.evening])
    for (let seed = 1; seed <= 50; seed++)
      expect(periodAt(noon, seed, crew, TRAVEL).segments.map(({ phase }) => phase)).toEqual(['off']);
});
