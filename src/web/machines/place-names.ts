import { useMemo } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { type PlaceName, type PlaceNamer, placeNamer, withProjectName } from '#shared/domain/place-text.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { useMachineFigure } from './fleet-figures.ts';
import { useTerreinen } from './terreinen.ts';

/** Returns the name of a machine's place: the terrein (yard, depot) of its organization, else the nearest town. */
export type GetPresentPlaceName = (organization: string, at: Position) => PlaceName;

const NO_TERREINEN = placeNamer([], []);

/** Returns the function that names present places; it changes when terreinen change. */
export function usePresentPlaceName(): GetPresentPlaceName {
  const { data } = useTerreinen();
  return useMemo(() => {
    const byOrganization = Map.groupBy(data ?? [], ({ organization }) => organization);
    const namers = new Map<string, PlaceNamer>(
      [...byOrganization].map(([organization, own]) => [
        organization,
        placeNamer(
          own.map(({ terreinName, areas }) => ({ name: terreinName, areas })),
          [],
        ),
      ]),
    );
    return (organization, at) => (namers.get(organization) ?? NO_TERREINEN)(at, 0);
  }, [data]);
}

/** Returns the present place of a machine: terrein (yard, depot), else project, else the nearest town; undefined if unknown. */
export function usePresentPlace({ metadata, liveData }: LiveEntry): string | undefined {
  const nameOf = usePresentPlaceName();
  const { data: figure } = useMachineFigure(metadata.serialNumber, metadata.kind === 'machine');
  const at = positionOf(liveData);
  return at && withProjectName(nameOf(metadata.organization, at), figure?.project?.projectName ?? null).name;
}
