import type { E2ePortal } from './fixtures.ts';
import { recordReadings } from './record.ts';

const MINUTE_MS = 60_000;

/**
 * Stores readings of an LMB logger every 10 s from `from` (ISO), for `minutes`. The machine drives for ten
 * minutes, works on the track for ten minutes, and so on; in the last minute of each hour it sends a code that
 * is in no legend.
 */
export async function recordRailDay(
  portal: E2ePortal,
  loggerid: string,
  { from, minutes, hasPosition = true }: { from: string; minutes: number; hasPosition?: boolean },
): Promise<void> {
  const start = Date.parse(from);
  const readings = Array.from({ length: minutes * 6 }, (_, n) => {
    const time = start + n * 10_000;
    const minute = Math.floor((time - start) / MINUTE_MS);
    const drives = Math.floor(minute / 10) % 2 === 0;
    return {
      time,
      signals: {
        ...(hasPosition && { LATITUDE: 52.15 + n * 2e-5, LONGITUDE: 5.38 + Math.sin(n / 60) * 0.02 }),
        Speed: drives ? 20 + 12 * Math.sin(n / 7) : 1.5,
        Machinestatus: minute % 60 === 59 ? 7 : drives ? 2 : 3,
        Spoor: drives ? 0 : 1,
        Spoorstand: minute % 10 === 0 ? 1 : drives ? 0 : 2,
        BatteryCurrent: drives ? -10 : 0,
        BatteryVoltage: 600,
      },
    };
  });
  await recordReadings(portal, loggerid, readings);
}
