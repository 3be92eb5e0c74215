import { type ChargingPrices, readPrices } from '#server/charging-tariffs/tariffs.store.ts';
import type { Database } from '#server/platform/database.ts';
import type { Scope } from '#shared/domain/access.ts';
import type { ChargingCost } from '#shared/domain/charging-tariffs.ts';
import { costNotes } from '#shared/domain/reports/charging-costs.ts';
import type { Column } from '#shared/domain/reports/column.ts';
import { type OwnedMachine, organizationIdsOf } from './report-machines.ts';

/** Prices for a report's organizations, and the energy without a price in the rows shown so far. */
export type ReportPrices = ChargingPrices & {
  /** Adds the unpriced energy of a row that is shown. */
  show(costs: readonly (ChargingCost | null)[]): void;
  /** The lines below the report; complete after all rows are shown. */
  rules(): string[];
};

/** Returns the prices for the organizations of these machines; undefined if none of these organizations has a tariff. */
export async function reportPrices(
  db: Database,
  { limited }: Scope,
  machines: readonly OwnedMachine[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ReportPrices | undefined> {
  const organizations = organizationIdsOf(machines);
  const prices = limited ? undefined : await readPrices(db, organizations);
  if (!prices) return undefined;
  let unpricedMj = 0;
  const names = new Map(
    machines.map(({ organizationId, machine }) => [organizationId, machine.organization]),
  );
  return {
    ...prices,
    show(costs) {
      for (const cost of costs) unpricedMj += cost?.unpricedMj ?? 0;
    },
    rules: () =>
      costNotes(
        organizations.flatMap((id) =>
          prices
            .tariffs(id)
            .flatMap((tariffs) => inPeriod(tariffs, from, to))
            .map((tariff) => ({
              organization: organizations.length > 1 ? (names.get(id) ?? '') : '',
              tariff,
            })),
        ),
        unpricedMj,
      ),
  };
}

type Tariffs = ReturnType<ChargingPrices['tariffs']>[number];

/**
 * Returns the tariffs that apply on at least one day of the period.
 * @param tariffs all tariffs, in the order of their first days
 */
const inPeriod = (tariffs: Tariffs, from: string, to: string): Tariffs =>
  tariffs.filter(({ firstDay, lastDay }, n) => {
    const next = tariffs[n + 1];
    return firstDay <= to && !(lastDay !== null && lastDay < from) && !(next && next.firstDay <= from);
  });

/** Returns the columns with the cost columns inserted after the column whose key is `behind`. */
export function withCostColumns<Row>(
  columns: readonly Column<Row>[],
  behind: string,
  costs: readonly Column<Row>[],
): readonly Column<Row>[] {
  const at = columns.findIndex(({ key }) => key === behind) + 1;
  return [...columns.slice(0, at), ...costs, ...columns.slice(at)];
}
