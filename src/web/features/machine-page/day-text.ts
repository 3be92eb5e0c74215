/** Formats the figures of a day. */
import type { DailyFigures } from '#shared/contract/day-figures.ts';
import { formatKilowattHours, formatNumber, hoursText } from '#shared/domain/nl.ts';

export const kilowattHoursText = (kWh: number | null): string =>
  kWh === null ? '--' : formatKilowattHours(kWh, 1);
export const secondsAsHoursText = (seconds: number): string => hoursText(seconds / 3600);

/** Returns the distance in metres that the machine drove itself, without the distance over which it was carried on a trailer. */
export const drivenMetresOf = ({ distance, carried }: DailyFigures): number => distance - carried;

/** Returns for example '12: 9 zonder fix, 3 sprongen'. */
export function unusedPositionsText({ noFix, nullIsland, jumps }: DailyFigures['unused']): string {
  const parts = [
    noFix > 0 ? `${formatNumber(noFix)} zonder fix` : undefined,
    nullIsland > 0 ? `${formatNumber(nullIsland)} bij 0,0` : undefined,
    jumps > 0 ? `${formatNumber(jumps)} ${jumps === 1 ? 'sprong' : 'sprongen'}` : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return 'geen';
  return `${formatNumber(noFix + nullIsland + jumps)}: ${parts.join(', ')}`;
}

/** Returns for example '12 keer laadniveau 0 niet meegeteld'. */
export const unusedLevelsText = (count: number): string =>
  `${formatNumber(count)} keer laadniveau 0 niet meegeteld`;
export const UNUSED_LEVELS_EXPLANATION =
  'Zo snel loopt geen accu leeg of vol. Een accu meldt 0% als zijn besturing wakker wordt of in slaap valt.';
