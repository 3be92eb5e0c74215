import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AlertPreview } from '#shared/contract/alerts.ts';
import { type AlertKind, usualSettings } from '#shared/domain/alerts/kinds.ts';
import { READING_KINDS, randomCourse } from '#shared/domain/alerts/test/random-course.ts';
import { openEpisodes, type WatchState, watch } from '#shared/domain/alerts/watch.ts';
import { isWorkTime, USUAL_WEEK } from '#shared/domain/alerts/work-week.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { AlertDesk, at, BOSS } from './test/alert-desk.ts';

let d: AlertDesk;
beforeAll(async () => {
  d = await AlertDesk.open();
});
beforeEach(() => d.reset());
afterAll(() => d.close());

async function preview(kind: AlertKind, asked: object = {}, as = BOSS): Promise<AlertPreview> {
  const body = {
    kind,
    settings: usualSettings(kind),
    hours: 'always',
    machines: { by: 'all' },
    isOwn: false,
    ...asked,
  };
  const { status, json } = await d.call<AlertPreview>('POST', '/api/alert-rule/preview', as, body);
  expect([status, json]).toEqual([200, expect.anything()]);
  return json;
}

/** Every reading judged, one after the other. */
function judged(readings: readonly Reading[], kind: (typeof READING_KINDS)[number], settings: object) {
  let state: WatchState | undefined;
  const rule = { key: '', kind, settings, inWorkOnly: false, from: 0 };
  const machine = {
    rules: [rule],
    batteries: [],
    ownedSince: 0,
    isWorkTime: (ms: number) => isWorkTime(USUAL_WEEK, ms),
  };
  const found = readings.flatMap((reading) => {
    const next = watch(state, reading, machine);
    state = next.state;
    return next.ended;
  });
  return [...found, ...(state ? openEpisodes(state) : [])].map(({ since, until }) => [since, until ?? null]);
}

test('16.2a what is found in the parts that are read is what all readings say, over random days of every kind', async () => {
  let all = 0;
  for (let seed = 1; seed <= Number(process.env.PREVIEW_SEEDS ?? 6); seed++) {
    const course = randomCourse(seed);
    const last = course.readings.at(-1)?.time ?? 0;
    // To whole minutes, so that what is a multiple of 5 minutes stays one.
    const later = Math.floor((at(0) - last) / 60_000) * 60_000 - seed * 60_000;
    const readings = course.readings.map(({ time, signals }) => ({
      time: time + later,
      // Two names for one pack are not in the 5-minute figures as they are judged.
      signals: Object.fromEntries(
        Object.entries(signals).filter(([name]) => !/^soc/i.test(name) || /^Soc\d$/.test(name)),
      ),
    }));
    const { streamId } = await d.desk.machine();
    await d.desk.store(streamId, readings);
    for (const kind of READING_KINDS) {
      const settings = {
        ...usualSettings(kind),
        ...(usualSettings(kind).hold !== undefined && { hold: seed % 2 ? 0 : 7 }),
      };
      const { alerts, count, machines } = await preview(kind, { settings });
      const expected = judged(readings, kind, settings);
      const found = alerts
        .map(({ since, until }) => [Date.parse(since), until && Date.parse(until)])
        .reverse();
      expect([seed, kind, found]).toEqual([seed, kind, expected.slice(-50)]);
      expect([count, machines]).toEqual([expected.length, { looked: 1, all: 1 }]);
      all += count;
    }
    await d.reset();
  }
  expect(all).toBeGreaterThan(50);
});
