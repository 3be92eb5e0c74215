import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type MapState, mapStateOf, saysOfMap, withMapState } from './map-address.ts';

/** How the map was left: for who comes back to it by a link. It goes with the session. */
const LEFT_KEY = ['map-left'] as const;

function remember(client: QueryClient, state: MapState): void {
  client.setQueryDefaults(LEFT_KEY, { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData<MapState>(LEFT_KEY, state);
}

/** An address is written when the map has been at rest this long, ms: browsers take a hundred in half a minute. */
const REST_MS = 250;

type KeptMapState = MapState & {
  /** Puts it in the address, in place of what stood there, and remembers it. */
  readonly change: (change: Partial<MapState>) => void;
};

/**
 * How the map looks: as the address says, else as it was left, else as it begins. The view is the map's own: what comes
 * out is where it must go, and is another object only when an address brings it.
 */
export function useMapState(): KeptMapState {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [state, setState] = useState(() => arrivingState(client, search));
  /** The newest, the view included. */
  const newest = useRef(state);
  /** The address that the map wrote or read last. */
  const known = useRef<string>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const write = useEffectEvent(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const next = withMapState(new URLSearchParams(search), newest.current).toString();
    known.current = next;
    void navigate({ search: next }, { replace: true, preventScrollReset: true });
  });

  useEffect(() => {
    const asked = new URLSearchParams(search);
    const isKnown = known.current === undefined || known.current === asked.toString();
    known.current = asked.toString();
    // While the map's own words wait to be written, the address has old ones.
    if (isKnown || timer.current !== undefined || !saysOfMap(asked)) return;
    const arrived = mapStateOf(asked);
    if (isSame(arrived, newest.current)) return;
    newest.current = arrived;
    remember(client, arrived);
    setState(arrived);
  }, [search, client]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    ...state,
    change(change) {
      newest.current = { ...newest.current, ...change };
      remember(client, newest.current);
      clearTimeout(timer.current);
      if ('layer' in change || 'opened' in change) {
        const { layer, opened } = newest.current;
        setState((before) => ({ ...before, layer, opened }));
        write();
      } else timer.current = setTimeout(() => write(), REST_MS);
    },
  };
}

const isSame = (a: MapState, b: MapState): boolean =>
  withMapState(new URLSearchParams(), a).toString() === withMapState(new URLSearchParams(), b).toString();

function arrivingState(client: QueryClient, search: string): MapState {
  const asked = new URLSearchParams(search);
  const left = saysOfMap(asked) ? undefined : client.getQueryData<MapState>(LEFT_KEY);
  return left ?? mapStateOf(asked);
}
