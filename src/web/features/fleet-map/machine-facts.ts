/** The remaining work or charging time of a machine, for its popup. */
import type { FleetFigure } from '#shared/contract/fleet-figures.ts';
import type { LiveEntry } from '#shared/contract/live.ts';
import { batteriesOf, hoursUntilFull, remainingKwh, workHoursLeft } from '#shared/domain/battery.ts';
import { isCharging } from '#shared/domain/machine-status.ts';
import { hoursText, timeOrDateText } from '#shared/domain/nl.ts';
import { isStale } from '#shared/domain/staleness.ts';
import {
  chargeLastsUntilText,
  forecastStillAhead,
  fullBetweenText,
  hoursToForecastMiddle,
  whyChargeTimeUnknown,
  whyChargeUntilUnknown,
} from '#shared/domain/time-left.ts';

export type MachineFactLine = {
  readonly label: string;
  readonly value: string;
  readonly more?: string | undefined;
};

const HOUR_MS = 3_600_000;

/**
 * Returns the remaining work time of a machine, or while it charges the remaining charging time, computed as on the overview and on
 * the machine's page.
 * @param figure undefined while it is not loaded
 */
export function machineTimeLeft(
  { metadata, liveData }: LiveEntry,
  figure: FleetFigure | undefined,
  nowMs: number,
): MachineFactLine {
  const batteries = batteriesOf(liveData, metadata.batteries);
  const known = { batteries, liveData, isStale: isStale(liveData.GMT_UNIX, nowMs) };
  if (!known.isStale && isCharging(liveData)) {
    const label = 'Resterende laadtijd';
    const readAt = liveData.GMT_UNIX * 1000;
    const forecast = forecastStillAhead(figure?.forecast, readAt);
    const hours = forecast ? hoursToForecastMiddle(forecast, readAt) : hoursUntilFull(batteries, liveData);
    if (hours === undefined) return { label, value: '--', more: whyChargeTimeUnknown(known) };
    const fullAt = forecast
      ? fullBetweenText(forecast, nowMs)
      : `vol ca. ${timeOrDateText(readAt + hours * HOUR_MS, nowMs)}`;
    return { label, value: hoursText(hours), more: forecast || hours > 0 ? fullAt : undefined };
  }
  const label = 'Resterende werktijd';
  if (known.isStale) return { label, value: '--', more: whyChargeUntilUnknown(known, nowMs) };
  if (!figure) return { label, value: '--', more: 'nog niet geladen' };
  const hours = workHoursLeft(remainingKwh(batteries), figure.power ?? undefined);
  const until = figure.enough && `genoeg ${chargeLastsUntilText(figure.enough.until, nowMs)}`;
  if (hours !== undefined) return { label, value: hoursText(hours), more: until };
  return { label, value: '--', more: until ?? whyChargeUntilUnknown(known, nowMs) };
}
