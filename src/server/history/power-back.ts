import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { knownEnergyShare, type Sums } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { addSums, daySums } from './range-sums.ts';

const MJ_PER_KWH = 3_600_000_000;
const NEEDED = ['inMj', 'heardMs', 'knownMs'] as const;

/**
 * `known`: the share of the time in which the energy is known; null for a stream without BatteryCurrent, whose kWh are
 * meaningless (docs/figures.md section 4).
 */
type Back = { readonly kWh: number; readonly known: number | null };

/**
 * Returns the energy in kWh that was fed back into the battery while no charging cable was plugged in (TEST-01), in total and for each day
 * in Amsterdam with readings.
 */
export async function readEnergyFedBack(
  db: Database,
  history: OwnHistory,
  range: Range,
): Promise<Back & { days: (Back & { date: string })[] }> {
  const days = await daySums(db, history, range, NEEDED);
  return {
    ...backOf(addSums([...days.values()], NEEDED)),
    days: [...days].map(([date, sums]) => ({ date, ...backOf(sums) })),
  };
}

const backOf = (sums: Pick<Sums, (typeof NEEDED)[number]>): Back => ({
  kWh: sums.inMj / MJ_PER_KWH,
  known: knownEnergyShare(sums),
});
