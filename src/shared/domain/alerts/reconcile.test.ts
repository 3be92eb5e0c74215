import { expect, test } from 'vitest';
import { type Recorded, reconcile } from './reconcile.ts';
import type { Episode } from './watch.ts';

/** The numbers are hours: since, at, until. */
const recorded = (id: string, since: number, at: number, until: number | null, key = 'low'): Recorded => ({
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
  words: '',
  ...(until !== undefined && { until }),
});

const FROM = 100;
type Expected = {
  readonly opened?: Episode[];
  readonly changed?: [string, Episode][];
  readonly withdrawn?: string[];
};

test.each<[string, Recorded[], Episode[], Expected]>([
  ['nothing', [], [], {}],
  ['a first one', [], [episode(110, 111)], { opened: [episode(110, 111)] }],
  ['the same, open', [recorded('a', 110, 111, null)], [episode(110, 111)], {}],
  ['the same, over', [recorded('a', 110, 111, 120)], [episode(110, 111, 120)], {}],
  [
    'it is over now',
    [recorded('a', 110, 111, null)],
    [episode(110, 111, 120)],
    { changed: [['a', episode(110, 111, 120)]] },
  ],
  [
    'it was not over',
    [recorded('a', 110, 111, 120)],
    [episode(110, 111)],
    { changed: [['a', episode(110, 111)]] },
  ],
  [
    'it began earlier',
    [recorded('a', 110, 111, 120)],
    [episode(105, 106, 120)],
    { changed: [['a', episode(105, 106, 120)]] },
  ],
  [
    'it was seen later',
    [recorded('a', 110, 111, 120)],
    [episode(110, 115, 120)],
    { changed: [['a', episode(110, 115, 120)]] },
  ],
  [
    'it began later',
    [recorded('a', 110, 115, 120)],
    [episode(112, 115, 120)],
    { changed: [['a', episode(112, 115, 120)]] },
  ],
  [
    'the earlier one only touches it',
    [recorded('a', 110, 111, 120)],
    [episode(105, 106, 110)],
    { changed: [['a', episode(105, 106, 110)]] },
  ],
  [
    'the two only touch',
    [recorded('a', 110, 111, 120)],
    [episode(120, 125)],
    { changed: [['a', episode(120, 125)]] },
  ],
  ['never was', [recorded('a', 110, 111, 120)], [], { withdrawn: ['a'] }],
  ['never was, open', [recorded('a', 110, 111, null)], [], { withdrawn: ['a'] }],
  [
    'another one was',
    [recorded('a', 110, 111, 120)],
    [episode(121, 122)],
    { opened: [episode(121, 122)], withdrawn: ['a'] },
  ],
  [
    'of another rule',
    [recorded('a', 110, 111, null, 'moved')],
    [episode(110, 111)],
    { opened: [episode(110, 111)], withdrawn: ['a'] },
  ],
  [
    'two rules at once',
    [recorded('a', 110, 111, null, 'moved'), recorded('b', 110, 111, null)],
    [episode(110, 111), episode(110, 111, 115, 'moved')],
    { changed: [['a', episode(110, 111, 115, 'moved')]] },
  ],
  [
    'one of two',
    [recorded('a', 110, 111, 115), recorded('b', 120, 121, null)],
    [episode(120, 121)],
    { withdrawn: ['a'] },
  ],
  [
    'one that was two: the first of them',
    [recorded('a', 110, 111, 130)],
    [episode(110, 111, 115), episode(120, 121, 130)],
    { changed: [['a', episode(110, 111, 115)]], opened: [episode(120, 121, 130)] },
  ],
  [
    'two that were one: the first, in whatever order they come',
    [recorded('b', 120, 121, 130), recorded('a', 110, 111, 115)],
    [episode(110, 111, 130)],
    { changed: [['a', episode(110, 111, 130)]], withdrawn: ['b'] },
  ],
  ['open since before the evaluation', [recorded('a', 90, 91, null)], [episode(90, 91)], {}],
  ['an earlier alert stays as it was', [recorded('a', 90, 100, null)], [], {}],
  ['found anew of what began before it', [recorded('a', 90, 101, null)], [], { withdrawn: ['a'] }],
])(
  'reconciles new episodes with recorded alerts: %s (16.3c)',
  (_, before, found, { opened = [], changed = [], withdrawn = [] }) => {
    expect(reconcile(before, found, FROM)).toEqual({
      opened,
      changed: changed.map(([id, now]) => ({ id, now })),
      withdrawn,
    });
    // After recording this result there is nothing left to change.
    const after = [
      ...before
        .filter(({ id }) => !withdrawn.includes(id))
        .map((one) => {
          const now = changed.find(([id]) => id === one.id)?.[1];
          return now ? recorded(one.id, now.since, now.at, now.until ?? null, now.key) : one;
        }),
      ...opened.map((now, n) => recorded(`new ${n}`, now.since, now.at, now.until ?? null, now.key)),
    ];
    expect(reconcile(after, found, FROM)).toEqual({ opened: [], changed: [], withdrawn: [] });
  },
);
