import type { Database } from '#server/platform/database.ts';
import { type Charge, chargeOf, type Standing } from '#shared/domain/alerts/standing.ts';
import type { WorkWeek } from '#shared/domain/alerts/work-week.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { type LatestValue, liveDataOf } from '#shared/domain/live-data.ts';
import type { Reading } from '#shared/domain/signal.ts';
import type { ActiveRule, OwnedMachine } from './watched.store.ts';

/** What stood of a machine at a moment of the past, and what a rule would have told of it. */

/** That a rule would have told something; ms. */
export type Told = {
  readonly since: number;
  /** When it would have been told. */
  readonly at: number;
  readonly until?: number | undefined;
  readonly words: string;
};

export type Preview = {
  readonly rule: ActiveRule;
  readonly week: WorkWeek;
  readonly range: Range;
};

/** By stream. */
export type Find = (
  db: Database,
  preview: Preview,
  machines: readonly OwnedMachine[],
) => Promise<Map<number, Told[]>>;

export const standing = (week: WorkWeek, known: Partial<Standing>): Standing => ({
  heardAt: undefined,
  charge: undefined,
  plans: [],
  faults: [],
  ...known,
  week,
});

/** As what live data say after the last of these readings. */
export function chargeAfter(readings: readonly Reading[]): Charge | undefined {
  const at = readings.at(-1)?.time;
  const latest = new Map<string, LatestValue>();
  for (const { time, signals } of readings)
    for (const [name, value] of Object.entries(signals)) latest.set(name, { value, time });
  return at === undefined ? undefined : chargeOf(liveDataOf(latest, at), at);
}
