import type { CostAnswer } from '#shared/contract/charging-tariffs.ts';
import { formatDecimals } from '#shared/domain/nl.ts';

/** Returns for example '€ 12,34'; '--' if the amount is unknown. */
export const costText = (cost: CostAnswer): string =>
  cost === null || cost.euros === null ? '--' : `€ ${formatDecimals(cost.euros, 2)}`;

/** Returns for example 'voor 3,2 kWh is geen tarief'; undefined if all energy has a tariff. */
export const unpricedText = (cost: CostAnswer): string | undefined =>
  cost === null || cost.unpricedKwh === 0
    ? undefined
    : `voor ${formatDecimals(cost.unpricedKwh, 1)} kWh is geen tarief`;
