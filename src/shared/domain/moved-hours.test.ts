import { expect, test } from 'vitest';
import {
  type MovedHours,
  movedHours,
  movedHoursText,
  type NamedMovedHours,
  type ProjectHours,
} from './moved-hours.ts';

const MINUTE = 60_000;
const on = (day: string, projectId: number, minutes: number, charging = 0): ProjectHours => ({
  day,
  projectId,
  runningMs: minutes * MINUTE,
  chargingMs: charging * MINUTE,
});
const move = (changed: Partial<MovedHours>): MovedHours => ({
  from: 1,
  to: null,
  firstDay: '2026-11-12',
  lastDay: '2026-11-12',
  runningMs: 0,
  chargingMs: 0,
  ...changed,
});

test('hours that one project loses move to the project that gains hours on that day, and the remaining hours to no project', () => {
  const before = [on('2026-11-12', 1, 60, 10), on('2026-11-13', 1, 30), on('2026-11-13', 3, 5)];
  const after = [on('2026-11-12', 1, 10), on('2026-11-12', 2, 20), on('2026-11-13', 3, 5)];
  expect(movedHours(before, after, 1)).toEqual([
    move({ to: 2, runningMs: 20 * MINUTE }),
    move({ lastDay: '2026-11-13', runningMs: 60 * MINUTE, chargingMs: 10 * MINUTE }),
  ]);
});

test('the moved hours add up to the difference of each project’s hours before and after a change', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let n = 0; n < 500; n += 1) {
    const some = () =>
      Array.from({ length: random(8) }, () =>
        on(`2026-11-1${random(4)}`, 1 + random(4), random(90), random(9)),
      );
    const [before, after] = [some(), some()];
    const moves = movedHours(before, after, 1 + random(4));
    const sum = (all: readonly ProjectHours[], projectId: number) =>
      all.filter((one) => one.projectId === projectId).reduce((ms, one) => ms + one.runningMs, 0);
    for (const id of [1, 2, 3, 4]) {
      const come = moves.filter(({ to }) => to === id).reduce((ms, one) => ms + one.runningMs, 0);
      const go = moves.filter(({ from }) => from === id).reduce((ms, one) => ms + one.runningMs, 0);
      expect(sum(before, id) - go + come).toBe(sum(after, id));
    }
  }
});

const named = (changed: Partial<NamedMovedHours>): NamedMovedHours => ({
  ...move({}),
  from: 'Kade',
  to: null,
  ...changed,
});
test.each<[string, NamedMovedHours[], string[]]>([
  ['nothing moves', [], ['Er verhuizen geen uren.']],
  [
    'all goes to no project',
    [named({ lastDay: '2026-11-27', runningMs: 2600 * MINUTE })],
    ['Van 12 t/m 27 november gaan 43:20 draaiuren van RH220 van dit project af (naar: geen project).'],
  ],
  [
    'hours go to two places',
    [
      named({ runningMs: 60 * MINUTE, chargingMs: 30 * MINUTE }),
      named({ to: 'Sluis', firstDay: '2026-10-30', runningMs: 5 * MINUTE }),
    ],
    [
      'Van 30 oktober t/m 12 november gaan 01:05 draaiuren en 00:30 laaduren van RH220 van dit project af (naar: geen project 01:00 draaiuren en 00:30 laaduren, Sluis 00:05 draaiuren).',
    ],
  ],
  [
    'hours come from another project',
    [named({ from: 'Sluis', to: 'Kade', runningMs: 90 * MINUTE })],
    ['Op 12 november komen 01:30 draaiuren van RH220 bij dit project (van: Sluis).'],
  ],
])('the text about moved hours when %s (53.17)', (_, moves, sentences) => {
  expect(movedHoursText(moves, 'RH220', 'Kade')).toEqual(sentences);
});
