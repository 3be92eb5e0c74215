import type { ChargingSessionView, MeasuredCapacity } from '#shared/contract/charging-sessions.ts';
import { formatKilowattHours, formatKilowatts, formatPercent } from '#shared/domain/nl.ts';

const ENDS: Readonly<Record<NonNullable<ChargingSessionView['ended']>, string>> = {
  vol: 'Vol',
  losgekoppeld: 'Losgekoppeld',
  gestopt: 'Gestopt',
  'geen gegevens': 'Geen gegevens',
};
export const sessionEndText = (ended: ChargingSessionView['ended']): string =>
  ended === null ? 'Laadt nog' : ENDS[ended];

/** Returns for example '40% → 100%', per battery if there are several. */
export const sessionLevelsText = (packs: ChargingSessionView['packs']): string[] =>
  packs.map(({ number, begin, end }) => {
    const levels = `${formatPercent(begin ?? undefined)} → ${formatPercent(end ?? undefined)}`;
    return packs.length === 1 ? levels : `${number}: ${levels}`;
  });

export const sessionPlaceText = ({ project, placeName }: ChargingSessionView): string =>
  placeName ?? project ?? '--';

type Points = readonly { readonly percent: number; readonly kW: number }[];

/** Charge levels (%) for which screen readers get the power. */
const SPOKEN_LEVELS = [20, 40, 60, 80, 90, 95];

export function curveText(points: Points): string {
  const highest = points.reduce((most, point) => (point.kW > most.kW ? point : most));
  const spoken = points.filter((point) => SPOKEN_LEVELS.includes(point.percent));
  return [
    `Laadvermogen per laadniveau: het hoogst ${formatKilowatts(highest.kW)} bij ${formatPercent(highest.percent)}.`,
    ...spoken.map((point) => `Bij ${formatPercent(point.percent)} ${formatKilowatts(point.kW)}.`),
  ].join(' ');
}

/** Returns for example '98,2 kWh' and '97,0 kWh tot 99,1 kWh, uit 24 keer laden'. */
export function capacitySpreadText(
  spread: MeasuredCapacity['charge'],
  of: string,
  write: (value: number) => string = (kWh) => formatKilowattHours(kWh, 1),
): { readonly value: string; readonly more: string } | undefined {
  if (!spread) return undefined;
  const { middle, low, high, count } = spread;
  return { value: write(middle), more: `${write(low)} tot ${write(high)}, uit ${count} keer ${of}` };
}
