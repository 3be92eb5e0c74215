import { expect, test } from 'vitest';
import { type RecordedAlert, reconcileAlerts } from './reconcile.ts';
import type { Episode } from './watch.ts';

/** The numbers are hours: since, at, until. */
const recorded = (
  id: string,
  since: number,
  at: number,
  until: number | null,
  key = 'low',
): RecordedAlert => ({
  id,
  key,
  since,
  at,
  until,
});
const episode = (since: number, at: number, until?: number, key = 'low'): Episode => ({
  key,
  since,
  at,
  seen: at,
  figures: {},
  ...(until !== undefined && { until }),
});

const FROM = 100;
type Expected = {
  readonly opened?: Episode[];
  readonly changed?: [string, Episode][];
  readonly withdrawn?: string[];
};

test.each<[string, RecordedAlert[], Episode[], Expected]>([
  ['no alert and no episode', [], [], {}],
  ['a first episode', [], [episode(110, 111)], { opened: [episode(110, 111)] }],
  ['the same episode, open', [recorded('a', 110, 111, null)], [episode(110, 111)], {}],
  ['the same episode, ended', [recorded('a', 110, 111, 120)], [episode(110, 111, 120)], {}],
  [
    'the episode has ended now',
    [recorded('a', 110, 111, null)],
    [episode(110, 111, 120)],
    { changed: [['a', episode(110, 111, 120)]] },
  ],
  [
    'the episode had not ended',
    [recorded('a', 110, 111, 120)],
    [episode(110, 111)],
    { changed: [['a', episode(110, 111)]] },
  ],
  [
    'the episode began earlier than recorded',
    [recorded('a', 110, 111, 120)],
    [episode(105, 106, 120)],
    { changed: [['a', episode(105, 106, 120)]] },
  ],
  [
    'the episode became an alert later than recorded',
    [recorded('a', 110, 111, 120)],
    [episode(110, 115, 120)],
    { changed: [['a', episode(110, 115, 120)]] },
  ],
  [
    'the episode began later than recorded',
    [recorded('a', 110, 115, 120)],
    [episode(112, 115, 120)],
    { changed: [['a', episode(112, 115, 120)]] },
  ],
  [
    'an earlier episode that only touches the recorded alert',
    [recorded('a', 110, 111, 120)],
    [episode(105, 106, 110)],
    { changed: [['a', episode(105, 106, 110)]] },
  ],
  [
    'a later episode that only touches the recorded alert',
    [recorded('a', 110, 111, 120)],
    [episode(120, 125)],
    { changed: [['a', episode(120, 125)]] },
  ],
  ['an ended alert without an episode', [recorded('a', 110, 111, 120)], [], { withdrawn: ['a'] }],
  ['an open alert without an episode', [recorded('a', 110, 111, null)], [], { withdrawn: ['a'] }],
  [
    'another episode instead of the recorded one',
    [recorded('a', 110, 111, 120)],
    [episode(121, 122)],
    { opened: [episode(121, 122)], withdrawn: ['a'] },
  ],
  [
    'an episode of another rule',
    [recorded('a', 110, 111, null, 'moved')],
    [episode(110, 111)],
    { opened: [episode(110, 111)], withdrawn: ['a'] },
  ],
  [
    'episodes of two rules at once',
    [recorded('a', 110, 111, null, 'moved'), recorded('b', 110, 111, null)],
    [episode(110, 111), episode(110, 111, 115, 'moved')],
    { changed: [['a', episode(110, 111, 115, 'moved')]] },
  ],
  [
    'an episode for one of two alerts',
    [recorded('a', 110, 111, 115), recorded('b', 120, 121, null)],
    [episode(120, 121)],
    { withdrawn: ['a'] },
  ],
  [
    'two episodes for one alert: it becomes the first',
    [recorded('a', 110, 111, 130)],
    [episode(110, 111, 115), episode(120, 121, 130)],
    { changed: [['a', episode(110, 111, 115)]], opened: [episode(120, 121, 130)] },
  ],
  [
    'one episode for two alerts: the first one stays, in any order',
    [recorded('b', 120, 121, 130), recorded('a', 110, 111, 115)],
    [episode(110, 111, 130)],
    { changed: [['a', episode(110, 111, 130)]], withdrawn: ['b'] },
  ],
  ['an alert that is open since before the evaluation', [recorded('a', 90, 91, null)], [episode(90, 91)], {}],
  ['an alert from before the evaluation stays as it was', [recorded('a', 90, 100, null)], [], {}],
  [
    'an alert from the evaluated time whose condition began before',
    [recorded('a', 90, 101, null)],
    [],
    { withdrawn: ['a'] },
  ],
])(
  'new episodes are reconciled with recorded alerts: %s (16.3c)',
  (_, before, found, { opened = [], changed = [], withdrawn = [] }) => {
    expect(reconcileAlerts(before, found, FROM)).toEqual({
      opened,
      changed: changed.map(([id, now]) => ({ id, now })),
      withdrawn,
    });
    // Once this result is recorded, reconciling again changes nothing.
    const after = [
      ...before
        .filter(({ id }) => !withdrawn.includes(id))
        .map((one) => {
          const now = changed.find(([id]) => id === one.id)?.[1];
          return now ? recorded(one.id, now.since, now.at, now.until ?? null, now.key) : one;
        }),
      ...opened.map((now, n) => recorded(`new ${n}`, now.since, now.at, now.until ?? null, now.key)),
    ];
    expect(reconcileAlerts(after, found, FROM)).toEqual({ opened: [], changed: [], withdrawn: [] });
  },
);
