import type { Database } from '#server/platform/database.ts';
import type { Preview, Told } from './past-standing.ts';
import { episodesOf, type PresenceRule, placeTurnsOf, wereElsewhere } from './presence-watch.ts';
import { readCountedMachines, readNamedPlaces } from './presences.store.ts';
import type { OwnedMachine } from './watched.store.ts';
import { readWorkTimes } from './work-time.ts';

const DAY_MS = 86_400_000;

type FoundOf = { readonly streamId: number; readonly found: readonly Told[]; readonly isWhole: boolean };

/** When machines came and left, by their presences as they are now, of the areas as they are now. */
export async function presencesFinder(
  db: Database,
  { rule, range }: Pick<Preview, 'range'> & { readonly rule: PresenceRule },
): Promise<(machines: readonly OwnedMachine[]) => Promise<FoundOf[]>> {
  const places = await readNamedPlaces(db, [rule.organizationId]);
  return async (machines) => {
    const isWorkTime = await readWorkTimes(db, machines, range);
    const counted = new Map(
      (await readCountedMachines(db, machines, range.from - DAY_MS)).map((one) => [one.streamId, one]),
    );
    const turned = machines.flatMap((machine) => {
      const one = counted.get(machine.streamId);
      const turns = one ? placeTurnsOf(one, machine, places, range.to) : [];
      return episodesOf(rule, machine, turns, places, isWorkTime(machine.streamId)).map((episode) => ({
        streamId: machine.streamId,
        ...episode,
      }));
    });
    const were = await wereElsewhere(db, turned);
    const told = Map.groupBy(
      turned.filter((_, n) => were[n]),
      ({ streamId }) => streamId,
    );
    return machines.map(({ streamId }) => ({
      streamId,
      found: told.get(streamId) ?? [],
      isWhole: counted.has(streamId),
    }));
  };
}
