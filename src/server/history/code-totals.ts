import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import { type RailReadings, railValues } from './rail-readings.ts';

/**
 * Returns the time in ms for which each code of the machine's status was valid in the segments, and for which none was
 * (docs/figures.md section 8).
 * @param parts all readings; a sample would not be enough
 */
export function sumStatusCodeDurations(parts: readonly RailReadings[]): NonNullable<LmbData['totals']> {
  const validMs = new Map<number, number>();
  let noDataMs = 0;
  for (const rail of parts) {
    const { segment, readings } = rail;
    noDataMs += segment.to - segment.from;
    const values = railValues(rail, 'Machinestatus');
    let last: number | undefined;
    for (const [n, time] of readings.times.entries()) {
      if (Number.isNaN(values[n])) continue;
      const [from, value] = [readings.times[last ?? n] as number, values[last ?? n] as number];
      const ms = Math.min(time, segment.to) - Math.max(from, segment.from);
      if (time - from <= MAX_GAP_MS && ms > 0) {
        validMs.set(value, (validMs.get(value) ?? 0) + ms);
        noDataMs -= ms;
      }
      last = n;
    }
  }
  const codes = [...validMs].map(([value, ms]) => ({ value, ms })).sort((a, b) => a.value - b.value);
  return { codes, noDataMs };
}
