import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { knownPowerShare, powerKw } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { addSums, daySums } from './range-sums.ts';

const MS_PER_HOUR = 3_600_000;
const NEEDED = ['runningMs', 'cableMs', 'runKnownMs', 'runOutMj', 'runInMj'] as const;

/** `AvgPower` in kW, null when it is unknown. */
type Power = { readonly hours: number; readonly AvgPower: number | null };
export type WorkPower = Pick<Power, 'AvgPower'> & {
  /** Share of the running time without a charging cable in which the power is known; null without such time. */
  readonly known: number | null;
  readonly days: (Power & { readonly date: string })[];
};

/**
 * Returns the mean power while running without a charging cable (docs/figures.md section 5; MDET-05): of the whole range, and of the days
 * in Amsterdam on which the machine ran or its power is known.
 */
export async function workPower(db: Database, history: OwnHistory, range: Range): Promise<WorkPower> {
  const days = await daySums(db, history, range, NEEDED);
  const all = addSums([...days.values()], NEEDED);
  return {
    AvgPower: powerKw(all) ?? null,
    known: knownPowerShare(all) ?? null,
    days: [...days]
      .map(([date, sums]) => ({ date, hours: sums.runningMs / MS_PER_HOUR, AvgPower: powerKw(sums) ?? null }))
      .filter(({ hours, AvgPower }) => hours > 0 || AvgPower !== null),
  };
}
