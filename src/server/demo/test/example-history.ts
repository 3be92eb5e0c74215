import { fillHistoryStep, readMissingSteps } from '#server/demo/history-fill.ts';
import type { HistoryWindow } from '#server/demo/history-gaps.ts';
import type { Pool } from '#server/platform/database.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import type { Signals } from '#shared/domain/signal.ts';

const FROM = Date.UTC(2026, 9, 23);
const HOUR = 3_600_000;
/** Returns the time range of the example history: from Friday to Monday noon, so that it covers two weekly partitions. */
export const exampleWindow = (streamId: number): HistoryWindow => ({
  streamId,
  from: FROM,
  to: FROM + 84 * HOUR,
  intervalMs: 60_000,
  cut: 'readings',
});
/** Times of readings that the live loggers already delivered: half an hour at the end, a few minutes in the middle. */
export const LIVE_READING_TIMES_MS: readonly number[] = [
  ...Array.from({ length: 360 }, (_, n) => FROM + 84 * HOUR - 1_803_000 + n * 5_000),
  ...Array.from({ length: 40 }, (_, n) => FROM + 30 * HOUR + 141_000 + n * 5_000),
];

export function exampleSignalsAt(timeMs: number): Signals {
  const minutes = timeMs / 60_000;
  const charging = Math.floor(minutes / 300) % 3 === 0;
  return {
    LATITUDE: Number((52 + 0.01 * Math.sin(minutes / 40)).toFixed(6)),
    LONGITUDE: Number((5 + 0.01 * Math.cos(minutes / 40)).toFixed(6)),
    MotorSpeed: charging ? 0 : 900,
    BatteryCurrent: charging ? -60.5 : Number((40 * Math.sin(minutes / 7)).toFixed(1)),
    BatteryVoltage: 700,
    ChargingCurrent: charging ? 61 : 0,
    Soc1: Number((50 + 30 * Math.sin(minutes / 150)).toFixed(1)),
    IsCharging1: charging ? 1 : 0,
    Oil: Math.round(minutes % 50),
  };
}

/** Fills the gaps of the example history, newest first. @param onStep gets the number of the step; the fill stops if it returns false */
export async function fillExampleHistory(
  db: Pool,
  streamId: number,
  onStep: (n: number) => boolean = () => true,
): Promise<number> {
  const window = exampleWindow(streamId);
  const partitions = openPartitions(db, () => window.to);
  const [missing = []] = await readMissingSteps(db, [window]);
  let stored = 0;
  for (const [n, step] of [...missing].reverse().entries()) {
    if (!onStep(n)) break;
    stored += await fillHistoryStep(db, partitions, window, step, exampleSignalsAt);
  }
  return stored;
}
