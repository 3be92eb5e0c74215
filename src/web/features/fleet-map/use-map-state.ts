import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router';
import { useOwnAddress } from '#web/lib/own-address.ts';
import type { MapView } from '#web/map/fitting-view.ts';
import type { Opened } from '#web/map/machine-markers.tsx';
import { type MapState, mapStateOf, saysOfMap, saysWhere, withMapState } from './map-address.ts';

/** How the map was left: for who comes back to it by a link. It goes with the session. */
const LEFT_KEY = ['map-left'] as const;

function remember(client: QueryClient, state: MapState): void {
  client.setQueryDefaults(LEFT_KEY, { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData<MapState>(LEFT_KEY, state);
}

type Opening = (opened: Opened | undefined) => MapView;

function arrivingState(client: QueryClient, search: string, opening: Opening) {
  const asked = new URLSearchParams(search);
  const left = saysOfMap(asked) ? undefined : client.getQueryData<MapState>(LEFT_KEY);
  return { state: left ?? mapStateOf(asked, opening), isAsked: left !== undefined || saysWhere(asked) };
}

/** An address is written when the map has been at rest this long, ms: browsers take a hundred in half a minute. */
const REST_MS = 250;

type KeptMapState = MapState & {
  /** The view is one that an address names or that was left, not where the map opens. */
  readonly isAsked: boolean;
  /** Remembers it, and puts it in the address in place of what stood there. */
  readonly change: (change: Partial<MapState>) => void;
};

/**
 * How the map looks: as the address says, else as it was left, else as it opens. The view is the map's own: what comes
 * out is where it must go, and is another object only when an address brings it.
 */
export function useMapState(opening: Opening): KeptMapState {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { search, key } = useLocation();
  const isOwnAddress = useOwnAddress();
  const arrival = useNavigationType();
  const [arrived] = useState(() => arrivingState(client, search, opening));
  const [state, setState] = useState(arrived.state);
  /** The newest, the view included. */
  const newest = useRef(state);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const write = useEffectEvent(() => {
    clearTimeout(timer.current);
    if (!isOwnAddress()) return;
    const next = withMapState(new URLSearchParams(search), newest.current);
    void navigate({ search: next.toString() }, { replace: true, preventScrollReset: true });
  });

  const arrive = useEffectEvent(() => {
    const asked = new URLSearchParams(search);
    // What replaced the address is the map's own writing.
    if (arrival === NavigationType.Replace || !saysOfMap(asked)) return;
    clearTimeout(timer.current);
    newest.current = mapStateOf(asked, opening);
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
    isAsked: arrived.isAsked,
    change(change) {
      const before = newest.current;
      newest.current = { ...before, ...change };
      remember(client, newest.current);
      clearTimeout(timer.current);
      const { layer, opened } = newest.current;
      if (layer !== before.layer || opened !== before.opened) {
        setState((shownNow) => ({ ...shownNow, layer, opened }));
        write();
      } else timer.current = setTimeout(() => write(), REST_MS);
    },
  };
}
