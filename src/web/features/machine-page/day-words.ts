/** How the figures of a day are written. */
import type { Day } from '#shared/contract/day-figures.ts';
import { hoursText, kilowattHours, plainNumber } from '#shared/domain/nl.ts';

export const energyOf = (kWh: number | null): string => (kWh === null ? '--' : kilowattHours(kWh, 1));
export const durationOf = (seconds: number): string => hoursText(seconds / 3600);

/** m; undefined: counted before carried distance was kept apart. */
export const drivenOf = ({ distance, carried }: Day): number | undefined =>
  carried === null ? undefined : distance - carried;

/** '12: 9 zonder fix, 3 sprongen'. */
export function unusedInWords({ noFix, nullIsland, jumps }: Day['unused']): string {
  const parts = [
    noFix > 0 ? `${plainNumber(noFix)} zonder fix` : undefined,
    nullIsland > 0 ? `${plainNumber(nullIsland)} bij 0,0` : undefined,
    jumps > 0 ? `${plainNumber(jumps)} ${jumps === 1 ? 'sprong' : 'sprongen'}` : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return 'geen';
  return `${plainNumber(noFix + nullIsland + jumps)}: ${parts.join(', ')}`;
}

/** '12 keer laadniveau 0 niet meegeteld' */
export const unusedLevelsInWords = (count: number): string =>
  `${plainNumber(count)} keer laadniveau 0 niet meegeteld`;
export const UNUSED_LEVELS_WHY =
  'Zo snel loopt geen accu leeg of vol. Een accu meldt 0% als zijn besturing wakker wordt of in slaap valt.';
