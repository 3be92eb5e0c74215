import { formatDecimals } from '../nl.ts';
import { MJ_PER_KWH } from './column.ts';

/** The energy (mJ) or cost (euro) of the charging sessions of a report, and of all charging in its period. */
export type ChargedSums = {
  readonly sessions: number;
  /** The part of `sessions` that was charged after the end of the report's period. */
  readonly after: number;
  /** Charged inside the period by sessions that began before the period. */
  readonly before: number;
  /** All charging in the period: the total of the report Dagstaten. */
  readonly charged: number;
};

export const NO_CHARGED_SUMS: ChargedSums = { sessions: 0, after: 0, before: 0, charged: 0 };

/**
 * Returns the sum of the sessions, and what must be added and subtracted to get the total of the report Dagstaten, as the left-hand side
 * of an equation. The shown numbers add up exactly to the shown total.
 * @param whole returns the shown number of a quantity, in its smallest unit
 */
function stepsOf(
  { sessions, after, before, charged }: ChargedSums,
  whole: (quantity: number) => number,
  text: (shown: number) => string,
): string {
  const parts = [
    { name: 'na de periode', exact: -after },
    { name: 'van laadbeurten die eerder begonnen', exact: before },
    { name: 'buiten laadbeurten van dit rapport', exact: charged - sessions + after - before },
  ].map((part) => ({ ...part, shown: whole(part.exact) }));
  // The rounding difference goes to the largest part, so that a part of 0 shows 0.
  const largest = parts.reduce((a, b) => (Math.abs(b.exact) > Math.abs(a.exact) ? b : a));
  largest.shown += whole(charged) - whole(sessions) - parts.reduce((sum, { shown }) => sum + shown, 0);
  return [
    `Laadbeurten ${text(whole(sessions))}`,
    ...parts
      .filter(({ shown }) => shown !== 0)
      .map(({ shown, name }) => `${shown < 0 ? '−' : '+'} ${text(Math.abs(shown))} ${name}`),
  ].join(' ');
}

const tenths = (mj: number): number => Math.round((mj / MJ_PER_KWH) * 10);
const tenthsText = (shown: number): string => formatDecimals(shown / 10, 1);

/** Returns the line that explains why the kWh of the sessions differ from those of the report Dagstaten. @param sums mJ */
export const chargedEnergyLine = (sums: ChargedSums): string =>
  `${stepsOf(sums, tenths, tenthsText)} = Geladen ${tenthsText(tenths(sums.charged))} kWh.`;

/** Returns whole cents, rounded as in the cells of a report. */
const cents = (euros: number): number => Number(formatDecimals(euros, 2).replaceAll(/[.,]/g, ''));
const centsText = (shown: number): string => `€ ${formatDecimals(shown / 100, 2)}`;

/**
 * Returns the line that explains why the euros of the sessions differ from those of the report Dagstaten.
 * @param sums euro
 */
export const costLine = (sums: ChargedSums): string =>
  `${stepsOf(sums, cents, centsText)} = Laadkosten van Dagstaten ${centsText(cents(sums.charged))}.`;
