import type { Database } from '#server/platform/database.ts';
import type { OwnedMachine } from './active-rules.store.ts';
import {
  findPlaceEvents,
  type PresenceRule,
  presenceEpisodesOfRule,
  wereSeenElsewhere,
} from './evaluate-presences.ts';
import type { PreviewedAlert, TimerRulePreview } from './past-machine-state.ts';
import { readMachinePresences, readNamedPlaces } from './presences.store.ts';
import { readWorkTimes } from './work-time.ts';

const DAY_MS = 86_400_000;

type FoundOf = {
  readonly streamId: number;
  readonly found: readonly PreviewedAlert[];
  readonly isWhole: boolean;
};

/** Returns a function that finds arrivals and departures from the present areas and the stored presences. */
export async function presencesFinder(
  db: Database,
  { rule, range }: Pick<TimerRulePreview, 'range'> & { readonly rule: PresenceRule },
): Promise<(machines: readonly OwnedMachine[]) => Promise<FoundOf[]>> {
  const places = await readNamedPlaces(db, [rule.organizationId]);
  return async (machines) => {
    const isWorkTime = await readWorkTimes(db, machines, range);
    const presences = new Map(
      (await readMachinePresences(db, machines, range.from - DAY_MS)).map((one) => [one.streamId, one]),
    );
    const found = machines.flatMap((machine) => {
      const one = presences.get(machine.streamId);
      const events = one ? findPlaceEvents(one, machine, places, range.to) : [];
      return presenceEpisodesOfRule(rule, machine, events, places, isWorkTime(machine.streamId)).map(
        (episode) => ({
          streamId: machine.streamId,
          ...episode,
        }),
      );
    });
    const were = await wereSeenElsewhere(db, found);
    const alerts = Map.groupBy(
      found.filter((_, n) => were[n]),
      ({ streamId }) => streamId,
    );
    return machines.map(({ streamId }) => ({
      streamId,
      found: alerts.get(streamId) ?? [],
      isWhole: presences.has(streamId),
    }));
  };
}
