import { LOW_BELOW_PERCENT } from '#shared/domain/battery.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { clockTime, formatPercent } from '#shared/domain/nl.ts';
import { forecastLevel } from '#shared/domain/usual-day.ts';
import { type MachineCharge, type MachineState, OLD_CHARGE_MS } from '../machine-state.ts';
import { shiftAt } from '../work-week.ts';
import {
  isBeyondLimit,
  type KindDeclaration,
  MINUTE_MS,
  NO_FINDINGS,
  type RuleSettings,
  type TimerEvaluation,
} from './kind.ts';

/** The figures of an alert. Times in ms. */
type Figures = {
  readonly percent: number;
  readonly threshold: number;
  /** When the level falls below the threshold; null: the level is below the threshold now. */
  readonly lowAt: number | null;
  readonly shiftTo: number;
};

export const chargeTooLowForShiftKind = {
  word: 'Haalt het einde van de dienst niet',
  source: 'clock',
  explanation:
    'Doet de machine wat zij op de laatste vier van deze weekdagen deed, met pauzes en laden, dan komt de accu voor het einde van de dienst onder de grens.',
  whatToDo: 'Laad de machine tussendoor, of regel een andere voor de rest van de dienst.',
  short: 'te kort',
  settings: {
    threshold: { word: 'Onder', unit: '%', least: 1, most: 99, usual: LOW_BELOW_PERCENT },
    clear: { word: 'Voorbij vanaf', unit: '%', least: 1, most: 100, usual: 25 },
  },
  fires: 'below',
  hasOwnHours: true,
  needs: 'usual-day',
  clauses: (of, { threshold, clear }) => ({
    when: `de accu van ${of} voor het einde van de dienst onder ${threshold}% komt, zoals het op deze weekdag gewoonlijk gaat`,
    ends: `de accu het einde met ${clear}% of meer haalt`,
  }),
} satisfies KindDeclaration;

export const chargeTooLowForShiftEvaluation: TimerEvaluation<Figures> = {
  isDue: (week, _, now) => shiftAt(week, now) !== undefined,
  evaluate(machine, settings, now, openAt) {
    const shortage = findChargeShortage(machine, settings, now, openAt);
    if (shortage === undefined) return NO_FINDINGS;
    if (shortage === 'stays') return [{ since: openAt ?? now, at: openAt ?? now, subject: '' }];
    const { charge, shift, lowAt, lowest } = shortage;
    const figures = {
      percent: charge.percent,
      threshold: settings.threshold ?? 0,
      lowAt: lowAt <= charge.at ? null : lowAt,
      shiftTo: shift.to,
    };
    return [{ since: charge.at, at: charge.at, figures, value: lowest, subject: '' }];
  },
  text({ threshold, lowAt, shiftTo, ...figures }) {
    const when = lowAt === null ? 'nu al' : `om ca. ${clockTime(Math.floor(lowAt / STEP_MS) * STEP_MS)}`;
    return `accu op ${formatPercent(figures.percent)}, als gewoonlijk ${when} onder ${formatPercent(threshold)}; dienst tot ${clockTime(shiftTo)}`;
  },
  sample: [
    { percent: 43, threshold: 20, lowAt: null, shiftTo: 1_773_072_000_000 },
    'accu op 43%, als gewoonlijk nu al onder 20%; dienst tot 17:00',
  ],
};

/** Clock times of a forecast are rounded down to 5 minutes. */
const STEP_MS = 5 * MINUTE_MS;

/**
 * Returns when a machine's charge will be too low before its shift ends; 'stays': an open alert stays open, though no such time is known;
 * undefined: the charge lasts until the end of the shift.
 */
export function findChargeShortage(
  { week, charge }: Pick<MachineState, 'week' | 'charge'>,
  { threshold = 0, clear = 0 }: RuleSettings,
  now: number,
  openAt: number | undefined,
): { charge: MachineCharge; shift: Range; lowAt: number; lowest: number } | 'stays' | undefined {
  const shift = shiftAt(week, now);
  if (!shift || (openAt !== undefined && openAt < shift.from)) return undefined;
  const stays = openAt === undefined ? undefined : 'stays';
  if (!charge || now - charge.at > OLD_CHARGE_MS) return stays;
  if (charge.isCharging) return undefined;
  const ahead = forecastLevel(charge, charge.usual, shift.to, threshold);
  if (!ahead) return stays;
  const { lowAt, lowest } = ahead;
  if (lowAt === undefined) return isBeyondLimit('below', lowest, clear) ? stays : undefined;
  return { charge, shift, lowAt, lowest };
}
