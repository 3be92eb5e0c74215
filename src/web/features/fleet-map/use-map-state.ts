import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { useChangeSearchParams } from '#web/lib/change-search.ts';
import { useIsPageCurrent } from '#web/lib/own-address.ts';
import type { MapView } from '#web/map/fitting-view.ts';
import type { OpenedPopup } from '#web/map/machine-markers.tsx';
import { hasMapState, hasView, type MapState, mapStateOf, withMapState } from './map-address.ts';

/** Query key under which the map's last state is kept until the session ends, for a return to the map by a link without a state. */
const LEFT_KEY = ['map-left'] as const;

function remember(client: QueryClient, state: MapState): void {
  client.setQueryDefaults(LEFT_KEY, { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData<MapState>(LEFT_KEY, state);
}

type Opening = (opened: OpenedPopup | undefined) => MapView;

function arrivingState(client: QueryClient, search: string, opening: Opening) {
  const params = new URLSearchParams(search);
  const left = hasMapState(params) ? undefined : client.getQueryData<MapState>(LEFT_KEY);
  return { state: left ?? mapStateOf(params, opening), isGivenView: left !== undefined || hasView(params) };
}

/** The address is updated once the map has not moved for this long, because browsers accept at most 100 address changes in 30 s. */
const WRITE_DELAY_MS = 250;

type KeptMapState = MapState & {
  /** Whether the view comes from the address or from an earlier visit, instead of being the opening view. */
  readonly isGivenView: boolean;
  /** Changes the state, stores it for the next visit and writes it to the address. */
  readonly change: (change: Partial<MapState>) => void;
};

/**
 * Returns the state of the map: from the address, else from an earlier visit, else the opening view. The map component
 * itself keeps the view to which the user moves the map; the returned view changes only when the user navigates to an
 * address with another view.
 */
export function useMapState(opening: Opening): KeptMapState {
  const client = useQueryClient();
  const changeSearch = useChangeSearchParams();
  const { search, key } = useLocation();
  const isOwnAddress = useIsPageCurrent();
  const arrival = useNavigationType();
  const [arrived] = useState(() => arrivingState(client, search, opening));
  const [state, setState] = useState(arrived.state);
  /** The present state, with the view to which the user moved the map. */
  const newest = useRef(state);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const write = useEffectEvent(() => {
    clearTimeout(timer.current);
    if (!isOwnAddress()) return;
    changeSearch((now) => withMapState(now, newest.current));
  });

  const arrive = useEffectEvent(() => {
    const params = new URLSearchParams(search);
    // Ignores an address that replaced the previous one in the history, because this hook wrote it.
    if (arrival === NavigationType.Replace || !hasMapState(params)) return;
    clearTimeout(timer.current);
    newest.current = mapStateOf(params, opening);
    remember(client, newest.current);
    setState(newest.current);
  });
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    arrive();
  }, [key]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    ...state,
    isGivenView: arrived.isGivenView,
    change(change) {
      const before = newest.current;
      newest.current = { ...before, ...change };
      remember(client, newest.current);
      clearTimeout(timer.current);
      const { layer, opened } = newest.current;
      if (layer !== before.layer || opened !== before.opened) {
        setState((shownNow) => ({ ...shownNow, layer, opened }));
        write();
      } else timer.current = setTimeout(() => write(), WRITE_DELAY_MS);
    },
  };
}
