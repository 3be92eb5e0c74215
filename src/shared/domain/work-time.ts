/** 'Resterende werktijd' (MDET-05). nl.ts shows it as HH:MM or '--:--'. */

/**
 * Hours of work left = remaining kWh (battery.ts) / average kW over the last 30 days. undefined when either is
 * unknown or the average power is zero or negative; never less than 0.
 */
export function workHoursLeft(
  remainingKwh: number | undefined,
  averageKw: number | undefined,
): number | undefined {
  if (remainingKwh === undefined || averageKw === undefined || !(averageKw > 0)) return undefined;
  const hours = remainingKwh / averageKw;
  return Number.isFinite(hours) ? Math.max(0, hours) : undefined;
}
