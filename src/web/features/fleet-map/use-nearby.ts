import { useDeferredValue, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { LiveEntry } from '#shared/contract/live.ts';
import { may } from '#shared/domain/access.ts';
import { distanceMetres } from '#shared/domain/distance.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import type { SeenEntry } from '#web/live/live-image.ts';
import { useFleetFigures } from '#web/machines/fleet-figures.ts';
import { useUser } from '#web/session/user.ts';
import { type Deployment, deploymentOf } from './deployment.ts';
import { useNamedAreas } from './nearby-calls.ts';
import { type Nearby, nearestFirst } from './nearest-first.ts';
import { type Known, metresFrom, type Origin, originOf } from './origin.ts';

export type NearbyRow = Nearby<LiveEntry> & { readonly deployment: Deployment | undefined };

type Asked = {
  readonly fleet: readonly SeenEntry[];
  /** The machines that are listed: those that the strip of states leaves. */
  readonly shown: readonly SeenEntry[];
  /** The person's own position; undefined: not known. */
  readonly own: Position | undefined;
  /** Time, ms. */
  readonly now: number;
  /** The list is in sight. */
  readonly isOpen: boolean;
};

/** A minute; rows are sorted again when the state of machines may have changed. */
const STEP_MS = 60_000;

/**
 * The list of nearby machines: from where it is measured (in the address: 'vanaf=project-12') and whether only free machines are listed
 * ('vrij=1'). Projects and figures are loaded when the person uses the list.
 */
export function useNearby({ fleet, shown: listed, own, now, isOpen }: Asked) {
  const [search, setSearch] = useSearchParams();
  const isAllowed = may(useUser(), 'see-machines');
  const [isLooking, setIsLooking] = useState(false);
  const key = search.get('vanaf');
  const isFreeOnly = search.get('vrij') === '1';
  const areas = useNamedAreas(isAllowed && (isLooking || key !== null), now);
  const known: Known = useMemo(() => ({ areas, fleet }), [areas, fleet]);
  const origin = useMemo(() => originOf(key, known), [key, known]);
  const isAsked = isFreeOnly || origin !== undefined || own !== undefined;
  const figures = useFleetFigures(isAllowed && isOpen && isAsked);
  // The map first: sorting ten thousand machines is a task of its own.
  const shown = useDeferredValue(listed);
  const step = Math.floor(now / STEP_MS) * STEP_MS;
  const rows = useMemo((): readonly NearbyRow[] => {
    if (!isOpen) return [];
    const metresTo = origin
      ? (position: Position) => metresFrom(origin, position)
      : own && ((position: Position) => distanceMetres(own, position));
    return nearestFirst(shown, ({ liveData }) => positionOf(liveData), metresTo)
      .map((row) => ({ ...row, deployment: deploymentOf(row.item, figures.data, step) }))
      .filter(({ item, deployment }) => {
        if (isFreeOnly && deployment?.kind !== 'free') return false;
        return `machine-${item.metadata.serialNumber}` !== origin?.key;
      });
  }, [isOpen, shown, figures.data, step, isFreeOnly, origin, own]);

  const put = (name: string, value: string | undefined): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === undefined) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return {
    rows,
    known,
    origin,
    figures,
    isFreeOnly,
    look: () => setIsLooking(true),
    setOrigin: (chosen: Origin | undefined) => put('vanaf', chosen?.key),
    setFreeOnly: (isOn: boolean) => put('vrij', isOn ? '1' : undefined),
  };
}
