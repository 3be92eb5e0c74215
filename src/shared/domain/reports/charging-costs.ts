import { addCosts, type ChargingCost, type ChargingTariff } from '../charging-tariffs.ts';
import { dutchDate, formatDecimals, formatExactNumber } from '../nl.ts';
import { type Column, MJ_PER_KWH, summedColumn } from './column.ts';

/** Rounds to nine decimals, with which the sum of a million rows is right to a tenth of a cent. */
const toNano = (euros: number): number => Math.round(euros * 1e9) / 1e9 + 0;

/** Returns euro; null: not known, or none of the energy has a tariff. */
export const eurosOf = (cost: ChargingCost | null): number | null =>
  cost === null || (cost.euros === 0 && cost.unpricedMj > 0) ? null : toNano(cost.euros);

/** Returns a cost in the format of the calls: euro and kWh. */
export const toCostAnswer = (cost: ChargingCost | null) =>
  cost && { euros: eurosOf(cost), unpricedKwh: cost.unpricedMj / MJ_PER_KWH };

/** Returns the column with the cost of charging. Its total is the sum of the known costs. */
export const costColumn = <Row>(
  key: string,
  title: string,
  costOf: (row: Row) => ChargingCost | null,
): Column<Row> => ({
  key,
  title,
  unit: '€',
  kind: 'number',
  digits: 2,
  isSummed: true,
  isPartlyKnown: true,
  value: (row) => eurosOf(costOf(row)),
});

/** Returns the column with the charged energy that has no tariff and is not in the cost. */
export const unpricedColumn = <Row>(costsOf: (row: Row) => readonly (ChargingCost | null)[]): Column<Row> =>
  summedColumn('energy', 'unpriced', 'Zonder tarief', (row) => {
    const known = costsOf(row).filter((cost) => cost !== null);
    return known.length === 0 ? null : addCosts(known).unpricedMj;
  });

const COST_RULE =
  'Laadkosten: de geladen energie van elk uur maal het tarief van dat uur, zonder btw zoals het is ingevuld. Het is de energie die de machine opnam; verlies in de lader telt niet mee.';

const euro = (price: number): string => `€ ${formatExactNumber(price)}`;
const hour = (of: number): string => `${String(of).padStart(2, '0')}:00`;

/** Returns '€ 0,25 per kWh' or 'dag € 0,25, nacht € 0,18 per kWh (23:00 tot 07:00 en in het weekend)'. */
export function priceText({ dayPrice, nightPrice, ...night }: ChargingTariff): string {
  if (nightPrice === null) return `${euro(dayPrice)} per kWh`;
  const weekend = night.nightWeekend ? ' en in het weekend' : '';
  return `dag ${euro(dayPrice)}, nacht ${euro(nightPrice)} per kWh (${hour(night.nightFrom)} tot ${hour(night.nightTo)}${weekend})`;
}

/** Returns 'Vanaf 01-01-2026' or 'Van 01-01-2026 tot en met 31-03-2026'. */
export const tariffPeriodText = ({
  firstDay,
  lastDay,
}: Pick<ChargingTariff, 'firstDay' | 'lastDay'>): string =>
  lastDay === null
    ? `Vanaf ${dutchDate(firstDay)}`
    : `Van ${dutchDate(firstDay)} tot en met ${dutchDate(lastDay)}`;

/**
 * Returns the lines below a report with costs.
 * @param tariffs with the organization's name if the report has more than one organization, else ''
 * @param unpricedMj of all rows
 */
export function costNotes(
  tariffs: readonly {
    readonly organization: string;
    readonly tariff: ChargingTariff & { readonly terreinName: string | null };
  }[],
  unpricedMj: number,
): string[] {
  return [
    COST_RULE,
    ...tariffs.map(
      ({ organization, tariff }) =>
        `Laadtarief${organization && ` ${organization}`}${tariff.terreinName === null ? '' : ` op ${tariff.terreinName}`}: ${tariffPeriodText(tariff).toLowerCase()} ${priceText(tariff)}.`,
    ),
    ...(unpricedMj > 0
      ? [
          `Voor ${formatDecimals(unpricedMj / MJ_PER_KWH, 1)} kWh is geen tarief ingevuld: die energie zit niet in de laadkosten.`,
        ]
      : []),
  ];
}
