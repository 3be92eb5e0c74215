import { useDeferredValue, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { distanceMetres } from '#shared/domain/distance.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { useChangeSearchParams } from '#web/lib/change-search.ts';
import type { FleetEntry } from '#web/live/live-snapshot.ts';
import { useFleetFigures } from '#web/machines/fleet-figures.ts';
import { useUser } from '#web/session/user.ts';
import { type MachineAvailability, machineAvailabilityOf } from './free-machines.ts';
import { useNamedAreas } from './named-areas.ts';
import { type ItemWithDistance, nearestFirst } from './nearest-first.ts';
import { findOriginByKey, metresFrom, type NearbyOrigin, type OriginSources } from './origin.ts';

export type NearbyRow = ItemWithDistance<LiveEntry> & {
  readonly deployment: MachineAvailability | undefined;
};

type NearbyOptions = {
  readonly fleet: readonly FleetEntry[];
  /** The machines to list: those that pass the filter by state and label above the map. */
  readonly shown: readonly FleetEntry[];
  /** The user's own position; undefined while it is unknown. */
  readonly own: Position | undefined;
  /** Unix ms. */
  readonly now: number;
  /** Whether the list is visible. */
  readonly isOpen: boolean;
};

/** The rows are computed again at this interval, because the state of machines changes with time. */
const SORT_STEP_MS = 60_000;

/**
 * Returns the list of nearby machines, with its origin ('vanaf=project-12' in the address) and its filter for free machines
 * ('vrij=1'). Loads projects, and figures of machines, only when the list needs them.
 */
export function useNearby({ fleet, shown: listed, own, now, isOpen }: NearbyOptions) {
  const [search] = useSearchParams();
  const changeSearch = useChangeSearchParams();
  const isAllowed = isActionAllowed(useUser(), 'see-machines');
  const [isSearching, setSearching] = useState(false);
  const key = search.get('vanaf');
  const isFreeOnly = search.get('vrij') === '1';
  const areas = useNamedAreas(isAllowed && (isSearching || key !== null), now);
  const known: OriginSources = useMemo(() => ({ areas, fleet }), [areas, fleet]);
  const origin = useMemo(() => findOriginByKey(key, known), [key, known]);
  const needsFigures = isFreeOnly || origin !== undefined || own !== undefined;
  const figures = useFleetFigures(isAllowed && isOpen && needsFigures);
  // Deferred, so that the map appears before ten thousand machines are sorted.
  const shown = useDeferredValue(listed);
  const step = Math.floor(now / SORT_STEP_MS) * SORT_STEP_MS;
  const rows = useMemo((): readonly NearbyRow[] => {
    if (!isOpen) return [];
    const metresTo = origin
      ? (position: Position) => metresFrom(origin, position)
      : own && ((position: Position) => distanceMetres(own, position));
    return nearestFirst(shown, ({ liveData }) => positionOf(liveData), metresTo)
      .map((row) => ({ ...row, deployment: machineAvailabilityOf(row.item, figures.data, step) }))
      .filter(({ item, deployment }) => {
        if (isFreeOnly && deployment?.kind !== 'free') return false;
        return `machine-${item.metadata.serialNumber}` !== origin?.key;
      });
  }, [isOpen, shown, figures.data, step, isFreeOnly, origin, own]);

  const put = (name: string, value: string | undefined): void =>
    changeSearch((now) => {
      if (value === undefined) now.delete(name);
      else now.set(name, value);
      return now;
    });
  return {
    rows,
    known,
    origin,
    figures,
    isFreeOnly,
    startSearch: () => setSearching(true),
    setOrigin: (chosen: NearbyOrigin | undefined) => put('vanaf', chosen?.key),
    setFreeOnly: (isOn: boolean) => put('vrij', isOn ? '1' : undefined),
  };
}
