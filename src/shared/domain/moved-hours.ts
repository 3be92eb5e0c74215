import { dayAndMonth, hoursAsClock } from './nl.ts';

/** Running and charging time of a machine on a project on one day, ms. */
export type ProjectHours = {
  /** 'YYYY-MM-DD' */
  readonly day: string;
  readonly projectId: number;
  readonly runningMs: number;
  readonly chargingMs: number;
};

/** Hours that a change of a machine's time on a project moves from one project to another; null: no project. */
export type MovedHours = {
  readonly from: number | null;
  readonly to: number | null;
  /** 'YYYY-MM-DD': the first and the last day on which hours move. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly runningMs: number;
  readonly chargingMs: number;
};

type Figure = 'runningMs' | 'chargingMs';
const NO_PROJECT = 0;

/**
 * Returns the hours of a machine that a change moves between projects. The moves explain the difference of every project's hours before and
 * after the change. A project that gains hours which no other project loses gets them from null (no project), and the other way round.
 * @param first the project whose gains and losses are matched before those of others
 */
export function movedHours(
  before: readonly ProjectHours[],
  after: readonly ProjectHours[],
  first: number,
): MovedHours[] {
  const moves = new Map<string, MovedHours>();
  for (const day of [...new Set([...before, ...after].map((one) => one.day))].sort())
    for (const figure of ['runningMs', 'chargingMs'] as const)
      for (const [from, to, ms] of movesOf(deltasOf(before, after, day, figure), first)) {
        const key = `${from} ${to}`;
        const known = moves.get(key) ?? {
          from: from === NO_PROJECT ? null : from,
          to: to === NO_PROJECT ? null : to,
          firstDay: day,
          lastDay: day,
          runningMs: 0,
          chargingMs: 0,
        };
        moves.set(key, { ...known, lastDay: day, [figure]: known[figure] + ms });
      }
  return [...moves.values()];
}

/** Returns the change of each project's time on a day, and of the time on no project, ms. */
function deltasOf(
  before: readonly ProjectHours[],
  after: readonly ProjectHours[],
  day: string,
  figure: Figure,
): Map<number, number> {
  const deltas = new Map<number, number>();
  const add = (projectId: number, ms: number): void => {
    deltas.set(projectId, (deltas.get(projectId) ?? 0) + ms);
    deltas.set(NO_PROJECT, (deltas.get(NO_PROJECT) ?? 0) - ms);
  };
  for (const one of before) if (one.day === day) add(one.projectId, -one[figure]);
  for (const one of after) if (one.day === day) add(one.projectId, one[figure]);
  return deltas;
}

/** Pairs projects that lose hours with projects that gain them, the project `first` before others. @returns a list of [from, to, ms] */
function movesOf(deltas: ReadonlyMap<number, number>, first: number): [number, number, number][] {
  const inOrder = [...deltas].sort(([a], [b]) => Number(b === first) - Number(a === first) || b - a);
  const gains = inOrder.filter(([, ms]) => ms > 0);
  const moves: [number, number, number][] = [];
  for (const [from, delta] of inOrder) {
    let left = -delta;
    for (const gain of gains) {
      const ms = Math.min(left, gain[1]);
      if (ms <= 0) continue;
      moves.push([from, gain[0], ms]);
      gain[1] -= ms;
      left -= ms;
    }
  }
  return moves;
}

/** A move with the names of its projects; null: no project. */
export type NamedMovedHours = Omit<MovedHours, 'from' | 'to'> & {
  readonly from: string | null;
  readonly to: string | null;
};

/**
 * Returns Dutch sentences about the moved hours: 'Van 12 t/m 27 november gaan 43:20 draaiuren van RH220-5120 van dit project af (naar: geen
 * project).'
 * @param project name of the changed project
 */
export function movedHoursText(
  moves: readonly NamedMovedHours[],
  machine: string,
  project: string,
): string[] {
  if (moves.length === 0) return ['Er verhuizen geen uren.'];
  const others = moves.filter(({ from, to }) => from !== project && to !== project);
  return [
    ...sentence(
      moves.filter(({ from }) => from === project),
      (hours) => `gaan ${hours} van ${machine} van dit project af`,
      'naar',
    ),
    ...sentence(
      moves.filter(({ to }) => to === project),
      (hours) => `komen ${hours} van ${machine} bij dit project`,
      'van',
    ),
    ...others.map(
      (move) =>
        `${periodText(move)} gaan ${hoursText(move)} van ${machine} van ${nameOf(move.from)} naar ${nameOf(move.to)}.`,
    ),
  ];
}

const nameOf = (project: string | null): string => project ?? 'geen project';

function sentence(
  moves: readonly NamedMovedHours[],
  words: (hours: string) => string,
  way: 'naar' | 'van',
): string[] {
  if (moves.length === 0) return [];
  const total = (figure: Figure): number => moves.reduce((sum, one) => sum + one[figure], 0);
  const all = {
    firstDay: moves.map(({ firstDay }) => firstDay).sort()[0] as string,
    lastDay: moves
      .map(({ lastDay }) => lastDay)
      .sort()
      .at(-1) as string,
    runningMs: total('runningMs'),
    chargingMs: total('chargingMs'),
  };
  const others = moves.map((one) => {
    const name = nameOf(way === 'naar' ? one.to : one.from);
    return moves.length === 1 ? name : `${name} ${hoursText(one)}`;
  });
  return [`${periodText(all)} ${words(hoursText(all))} (${way}: ${others.join(', ')}).`];
}

type Hours = Pick<MovedHours, 'runningMs' | 'chargingMs'>;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Returns '43:20 draaiuren' or '43:20 draaiuren en 2:10 laaduren'. */
function hoursText({ runningMs, chargingMs }: Hours): string {
  const charging = `${hoursAsClock(chargingMs / HOUR_MS)} laaduren`;
  const running = `${hoursAsClock(runningMs / HOUR_MS)} draaiuren`;
  if (chargingMs < MINUTE_MS) return running;
  return runningMs < MINUTE_MS ? charging : `${running} en ${charging}`;
}

/** Returns 'Op 12 november', 'Van 12 t/m 27 november' or 'Van 28 december 2025 t/m 3 januari 2026'. */
function periodText({ firstDay, lastDay }: Pick<MovedHours, 'firstDay' | 'lastDay'>): string {
  if (firstDay === lastDay) return `Op ${dayAndMonth(firstDay)}`;
  const [year, month] = firstDay.split('-');
  const [lastYear, lastMonth] = lastDay.split('-');
  if (year !== lastYear)
    return `Van ${dayAndMonth(firstDay)} ${year} t/m ${dayAndMonth(lastDay)} ${lastYear}`;
  return month === lastMonth
    ? `Van ${Number(firstDay.slice(8))} t/m ${dayAndMonth(lastDay)}`
    : `Van ${dayAndMonth(firstDay)} t/m ${dayAndMonth(lastDay)}`;
}
