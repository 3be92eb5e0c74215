import { FULL_PERCENT } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { clockTime, formatPercent } from '#shared/domain/nl.ts';
import { type MachineCharge, OLD_CHARGE_MS } from '../machine-state.ts';
import { nextShift, shiftAt } from '../work-week.ts';
import { isBeyondLimit, type KindDeclaration, MINUTE_MS, NO_FINDINGS, type TimerEvaluation } from './kind.ts';

/** The figures of an alert. Times in ms. */
type Figures = {
  readonly percent: number;
  /** When the charge level was `percent`; only if the value is old. */
  readonly chargeAt?: number;
  readonly begin: number;
  /** When the battery will be full; null: not known, absent: the machine does not charge. */
  readonly full?: Range | null;
  /** The latest plug-in time; null: this time has passed, absent: not known. */
  readonly plugBy?: number | null;
};

export const notFullKind = {
  word: 'Niet vol bij begin van de dienst',
  source: 'clock',
  explanation:
    'De accu zal bij het begin van de dienst onder de grens zijn, of is dan misschien nog niet vol.',
  whatToDo: 'Zet de machine aan de lader, of regel een andere voor het begin van de dienst.',
  short: 'niet vol',
  settings: {
    threshold: { word: 'Accu onder', unit: '%', least: 1, most: FULL_PERCENT, usual: 90 },
    ahead: { word: 'Zo lang voor het begin', unit: 'min', least: 10, most: 12 * 60, usual: 120 },
  },
  fires: 'below',
  severity: 'daily',
  hasOwnHours: true,
  needs: 'forecast',
  clauses: (of, { threshold, ahead }) => ({
    when: `${ahead} voor het begin van de dienst te zien is dat de accu van ${of} dan onder ${threshold}% is, of misschien niet vol`,
  }),
} satisfies KindDeclaration;

export const notFullEvaluation: TimerEvaluation<Figures> = {
  isDue: (week, { ahead = 0 }, now) =>
    (nextShift(week, now)?.from ?? Number.POSITIVE_INFINITY) - ahead * MINUTE_MS <= now,
  evaluate({ week, charge }, { threshold, ahead = 0 }, now) {
    const shift = nextShift(week, now);
    if (!shift || !charge || !isBeyondLimit('below', charge.percent, threshold)) return NO_FINDINGS;
    // No alert if another shift ends at the moment at which this shift begins, because there is no time to charge in between.
    if (shiftAt(week, shift.from - 1)) return NO_FINDINGS;
    const at = shift.from - ahead * MINUTE_MS;
    const figures = at <= now ? figuresOf(charge, shift.from, now) : undefined;
    return figures === undefined
      ? NO_FINDINGS
      : [{ since: at, at, figures, value: charge.percent, subject: '' }];
  },
  text({ chargeAt, begin, full, plugBy, ...figures }) {
    const known = `accu ${chargeAt === undefined ? '' : `om ${clockTime(chargeAt)} `}op ${formatPercent(figures.percent)}`;
    if (full === null) return `${known}, laadt; wanneer hij vol is, is niet bekend`;
    if (full) return `${known}, laadt; vol tussen ${clockTime(full.from)} en ${clockTime(full.to)}`;
    if (plugBy === undefined) return `${known}, laadt niet`;
    if (plugBy === null) return `${known}, laadt niet; vol om ${clockTime(begin)} lukt niet meer`;
    return `${known}, laadt niet; vol lukt nog met de lader eraan voor ${clockTime(plugBy)}`;
  },
  sample: [{ percent: 40, begin: 0 }, 'accu op 40%, laadt niet'],
};

/** Returns the figures of the alert; undefined: the battery will be full in time. */
function figuresOf(
  { percent, at, isCharging, full, takesMs }: MachineCharge,
  begin: number,
  now: number,
): Figures | undefined {
  const isOld = now - at > OLD_CHARGE_MS;
  const known = { percent, begin, ...(isOld && { chargeAt: at }) };
  if (isCharging && !isOld) return full && full.to <= begin ? undefined : { ...known, full: full ?? null };
  if (takesMs === undefined) return known;
  return { ...known, plugBy: begin - takesMs > now ? begin - takesMs : null };
}
