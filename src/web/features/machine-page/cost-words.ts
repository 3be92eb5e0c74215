import type { CostAnswer } from '#shared/contract/charging-tariffs.ts';
import { decimals } from '#shared/domain/nl.ts';

/** '€ 12,34'; '--' where the amount is not known. */
export const costInWords = (cost: CostAnswer): string =>
  cost === null || cost.euros === null ? '--' : `€ ${decimals(cost.euros, 2)}`;

/** 'voor 3,2 kWh is geen tarief'; undefined where all of the energy has one. */
export const unpricedInWords = (cost: CostAnswer): string | undefined =>
  cost === null || cost.unpricedKwh === 0
    ? undefined
    : `voor ${decimals(cost.unpricedKwh, 1)} kWh is geen tarief`;
