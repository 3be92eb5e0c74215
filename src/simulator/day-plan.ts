import { holidaysOf } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDay, amsterdamInstant, weekday } from './amsterdam-time.ts';
import { randomBetween, randomFraction } from './seeded-random.ts';
import type { CrewRhythm, MachineTrouble, SimulatedDeployment } from './work-schedules.ts';

/** Plans a machine's activities from one full battery to the next: a crew's day, or a cycle of a continuous crew. */

export type MachinePhase = 'off' | 'work' | 'travel' | 'charge';
/** One of the two sites between which a machine travels: 0 is its base, 1 its second site. */
export type SiteIndex = 0 | 1;

export type Segment = {
  readonly phase: MachinePhase;
  /** Time in ms since 1970. The segments of a period follow each other without gaps. */
  readonly from: number;
  readonly to: number;
  /** Site of the machine; for a travel, the site that it leaves. */
  readonly site: SiteIndex;
  /** Full power of the charger as a share of the battery capacity per hour; 0 if the machine is plugged in but gets no current. */
  readonly chargeRate?: number;
  /** Whether the machine charges with direct current, at a fast charger. */
  readonly fast?: boolean;
};

/** A period of activities. The battery is full at both ends. */
export type Period = { readonly from: number; readonly to: number; readonly segments: readonly Segment[] };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Usual times of shifts, minutes after local midnight; single days vary. `anchor`: when a period begins, at the end of the previous
 * period's charge.
 */
const SHIFTS: Readonly<
  Record<Exclude<CrewRhythm, 'continuous'>, Readonly<Record<'anchor' | 'start' | 'pause' | 'end', number>>>
> = {
  day: { anchor: 5 * 60, start: 7 * 60, pause: 12 * 60, end: 16 * 60 + 30 },
  evening: { anchor: 12 * 60, start: 14 * 60, pause: 18 * 60, end: 22 * 60 + 30 },
  night: { anchor: 18 * 60, start: 22 * 60, pause: 26 * 60, end: 29 * 60 + 30 },
};
const PAUSE_MINUTES = 45;
const NIGHT_CHARGE_RATE = 0.13;
const PAUSE_CHARGE_RATE = 0.45;
/** Time until the crew notices a loose plug. */
const LOOSE_MINUTES = 40;
const LOOSE_ON_WEEKDAY = 3;
/**
 * When a guard notices a loose plug that the crew did not notice (minutes after the midnight before the shift: 03:35 of the next day),
 * and the rate of the charger that the guard uses.
 */
const GUARD = { NOTICES: 27 * 60 + 35, CHARGE_RATE: 0.8 };
/** When the low loader leaves the second site on a day with the trouble 'late transport', in minutes after midnight. */
const LATE_TRANSPORT = 19 * 60;
/** Duration of a fast driver's trip as a share of the usual duration. */
const FAST_TRIP_SHARE = 0.8;
/** A machine has its rare trouble on one day of every four weeks: RARE_TROUBLE_ON is that day, counted from a Thursday (day 0). */
const RARE_TROUBLE_DAYS = 28;
const RARE_TROUBLE_ON: Partial<Record<MachineTrouble, number>> = {
  'loose plug': 0,
  'late transport': 12,
  'fast driver': 19,
};
const CYCLE_HOURS = 6;
const CYCLE_CHARGE_RATE = 0.3;
/** Number of six-hour cycles (a week) after which a continuous crew changes sites. */
const CYCLES_PER_SITE = 28;

/** Returns the period that contains an instant. @param travelMs time that the drive between the sites takes */
export function periodAt(
  timeMs: number,
  seed: number,
  deployment: SimulatedDeployment,
  travelMs: number,
): Period {
  if (deployment.rhythm === 'continuous') return cycleAt(timeMs, seed, deployment.cycleOffset, travelMs);
  const { rhythm, trouble } = deployment;
  const { anchor } = SHIFTS[rhythm];
  let day = amsterdamDay(timeMs);
  if (timeMs < amsterdamInstant(day, anchor)) day -= 1;
  const from = amsterdamInstant(day, anchor);
  const to = amsterdamInstant(day + 1, anchor);
  return {
    from,
    to,
    segments: fill(from, to, crewDay(day, seed, rhythm, travelMs, trouble)),
  };
}

/** Returns one cycle of a continuous crew: work, a break, work, charge until full. */
function cycleAt(timeMs: number, seed: number, cycleOffset: number, travelMs: number): Period {
  const length = CYCLE_HOURS * HOUR;
  const cycle = Math.floor((timeMs - cycleOffset * length) / length);
  const from = Math.round((cycle + cycleOffset) * length);
  const to = Math.round((cycle + 1 + cycleOffset) * length);
  const turnOfSite = cycle + Math.floor(randomFraction(seed, 1, 0) * CYCLES_PER_SITE);
  const site: SiteIndex = Math.floor(turnOfSite / CYCLES_PER_SITE) % 2 === 0 ? 0 : 1;
  const last = (turnOfSite + 1) % CYCLES_PER_SITE === 0;
  const plugIn = from + randomBetween(208, 213, seed, 2, cycle) * MINUTE;
  const charge = { phase: 'charge', from: plugIn, to, chargeRate: CYCLE_CHARGE_RATE, fast: true } as const;
  if (last) {
    const arrived = from + 10 * MINUTE + travelMs;
    const next: SiteIndex = site === 0 ? 1 : 0;
    return {
      from,
      to,
      segments: fill(from, to, [
        { phase: 'travel', from: from + 10 * MINUTE, to: arrived, site },
        { phase: 'work', from: arrived + 10 * MINUTE, to: plugIn - 5 * MINUTE, site: next },
        { ...charge, site: next },
      ]),
    };
  }
  const pause = from + randomBetween(95, 115, seed, 3, cycle) * MINUTE;
  return {
    from,
    to,
    segments: fill(from, to, [
      { phase: 'work', from: from + 2 * MINUTE, to: pause, site },
      { phase: 'work', from: pause + 12 * MINUTE, to: plugIn - 4 * MINUTE, site },
      { ...charge, site },
    ]),
  };
}

/** Returns a crew's day: travel, work, charge in the break, work, travel back, charge at the base. */
function crewDay(
  day: number,
  seed: number,
  rhythm: Exclude<CrewRhythm, 'continuous'>,
  travelMs: number,
  trouble: MachineTrouble | undefined,
): Segment[] {
  const half = weekday(day) === 5 && rhythm !== 'night';
  const rare = trouble && RARE_TROUBLE_ON[trouble] === day % RARE_TROUBLE_DAYS ? trouble : undefined;
  if (!rare && randomFraction(seed, 4, day) >= workChance(day, rhythm)) return [];
  const shift = SHIFTS[rhythm];
  const local = (minutes: number, spread: number, salt: number): number =>
    amsterdamInstant(day, minutes) + randomBetween(-spread, spread, seed, salt, day) * MINUTE;
  const start = local(shift.start, 15, 5);
  const pause = local(shift.pause, 8, 6);
  const resume = pause + PAUSE_MINUTES * MINUTE;
  const end = half ? pause : local(shift.end, 20, 7);

  // On a day of a rare trouble the machine is at its second site in the afternoon, because the trouble occurs on the way home.
  const kind = half ? 0 : rare ? 1 : randomFraction(seed, 8, day);
  const morning: SiteIndex = kind < 0.4 || kind >= 0.8 ? 0 : 1;
  const afternoon: SiteIndex = kind < 0.4 ? 0 : 1;
  const leaves = rare === 'late transport' ? amsterdamInstant(day, LATE_TRANSPORT) : end + 10 * MINUTE;
  const arrives = leaves + Math.round(travelMs * (rare === 'fast driver' ? FAST_TRIP_SHARE : 1));
  const home = afternoon === 1 ? arrives + 10 * MINUTE : end;
  const plugIn = home + randomBetween(25, 60, seed, 9, day) * MINUTE;

  const segments: Segment[] = [];
  if (morning === 1) {
    segments.push({
      phase: 'travel',
      from: start - 10 * MINUTE - travelMs,
      to: start - 10 * MINUTE,
      site: 0,
    });
  }
  segments.push(...withBreak(start, pause, 15, morning));
  if (!half) {
    const moved = morning === afternoon ? resume : resume + 20 * MINUTE + travelMs;
    const charger = { chargeRate: PAUSE_CHARGE_RATE, fast: true } as const;
    segments.push({
      phase: 'charge',
      from: pause + 2 * MINUTE,
      to: resume - 2 * MINUTE,
      site: morning,
      ...charger,
    });
    if (morning !== afternoon) {
      segments.push({ phase: 'travel', from: resume + 10 * MINUTE, to: moved - 10 * MINUTE, site: 0 });
    }
    segments.push(...withBreak(moved, end, 10, afternoon));
  }
  if (afternoon === 1) {
    segments.push({ phase: 'travel', from: leaves, to: arrives, site: 1 });
  }
  const nextAnchor = amsterdamInstant(day + 1, shift.anchor);
  const charge = { phase: 'charge', site: 0, fast: false, chargeRate: NIGHT_CHARGE_RATE } as const;
  if (trouble !== 'loose plug' || weekday(day) !== LOOSE_ON_WEEKDAY)
    return [...segments, { ...charge, from: plugIn, to: nextAnchor }];
  const noticed = rare ? amsterdamInstant(day, GUARD.NOTICES) : plugIn + LOOSE_MINUTES * MINUTE;
  const charger = rare ? { chargeRate: GUARD.CHARGE_RATE, fast: true } : {};
  segments.push({ ...charge, from: plugIn, to: noticed, chargeRate: 0 });
  return [...segments, { ...charge, ...charger, from: noticed, to: nextAnchor }];
}

/** Returns the probability that a crew works on a day. Night crews work on railways, also on days when building sites are closed. */
function workChance(day: number, rhythm: CrewRhythm): number {
  const isHoliday = isNationalHoliday(day);
  if (weekday(day) < 5 && !isHoliday) return 0.93;
  if (rhythm === 'night') return 0.6;
  return weekday(day) === 5 && !isHoliday ? 0.15 : 0;
}

function isNationalHoliday(day: number): boolean {
  const date = new Date(day * 24 * HOUR).toISOString().slice(0, 10);
  return holidaysOf(Number(date.slice(0, 4))).some((holiday) => holiday.day === date);
}

/** Returns the segments of work from one time to another with a break in the middle. */
function withBreak(from: number, to: number, breakMinutes: number, site: SiteIndex): Segment[] {
  const middle = (from + to) / 2;
  return [
    { phase: 'work', from, to: middle, site },
    { phase: 'work', from: middle + breakMinutes * MINUTE, to, site },
  ];
}

/** Rounds the segments to milliseconds, and fills every gap with 'off'. */
function fill(from: number, to: number, planned: readonly Segment[]): Segment[] {
  const segments: Segment[] = [];
  let cursor = from;
  let site: SiteIndex = planned[0]?.site ?? 0;
  for (const segment of planned) {
    const start = Math.round(segment.from);
    const end = Math.round(segment.to);
    if (start > cursor) segments.push({ phase: 'off', from: cursor, to: start, site });
    segments.push({ ...segment, from: start, to: end });
    cursor = end;
    site = segment.phase === 'travel' ? (segment.site === 0 ? 1 : 0) : segment.site;
  }
  if (cursor < to) segments.push({ phase: 'off', from: cursor, to, site });
  return segments;
}
