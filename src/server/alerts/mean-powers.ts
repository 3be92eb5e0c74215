import { readWork } from '#server/fleet-figures/work-of-days.ts';
import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { powerKw } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { OwnedMachine } from './watched.store.ts';

/** The mean power of machines in the 30 days before a shift, which stays what it is while the shift runs. */

type Known = { readonly organizationId: number; readonly shiftFrom: number; readonly kW: number | undefined };
/** What was read, by stream: once for each shift. */
export type MeanPowers = Map<number, Known>;

/** Machines of one look: of ten thousand whose shift begins at once the rest is read by the next ones. */
const MOST_READ = 1_000;

export const historyOf = ({ streamId, ownedSince }: OwnedMachine): OwnHistory => ({
  streamId,
  own: [{ from: ownedSince, to: Number.POSITIVE_INFINITY }],
});

/**
 * @param known what was read before; what is read now is added
 * @param machines those whose power matters most, first
 * @param shiftOf the shift of an organization
 * @returns kW, by stream; undefined: it did not work, or that is to be counted or read still
 */
export async function readMeanPowers(
  db: Database,
  known: MeanPowers,
  machines: readonly OwnedMachine[],
  shiftOf: (organizationId: number) => Range | undefined,
): Promise<Map<number, number | undefined>> {
  const isKnown = ({ streamId, organizationId }: OwnedMachine): boolean => {
    const power = known.get(streamId);
    return power?.organizationId === organizationId && power.shiftFrom === shiftOf(organizationId)?.from;
  };
  const unknown = machines.filter((machine) => !isKnown(machine)).slice(0, MOST_READ);
  for (const [organizationId, own] of Map.groupBy(unknown, (machine) => machine.organizationId)) {
    const shift = shiftOf(organizationId);
    if (!shift) continue;
    const work = await readWork(db, [organizationId], own.map(historyOf), shift.from);
    for (const { streamId } of own) {
      const sums = work.get(streamId)?.sums;
      if (sums) known.set(streamId, { organizationId, shiftFrom: shift.from, kW: powerKw(sums) });
    }
  }
  return new Map(
    machines.filter(isKnown).map(({ streamId }) => [streamId, known.get(streamId)?.kW] as const),
  );
}
