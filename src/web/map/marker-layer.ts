import { LayerGroup, type Map as LeafletMap, type Marker } from 'leaflet';
import { isCalm } from './leaflet-map.tsx';
import {
  actAsButton,
  clusterMarker,
  dressClusterMarker,
  dressMachineMarker,
  type MapMachine,
  machineMarker,
} from './marker.ts';
import type { ClusterSpot, Spot } from './marker-index.ts';
import { markerSpots } from './marker-spots.ts';

/** Part of the view's size that is drawn beyond its edges, so that a short drag shows no empty strip. */
const MARGIN = 0.25;

/** Leaflet stacks markers by their y on the screen; this is more than any screen is high. */
const ABOVE_OTHERS = 10_000;

type Shown =
  | { readonly kind: 'machine'; readonly marker: Marker; readonly machine: MapMachine }
  | { readonly kind: 'cluster'; readonly marker: Marker; readonly spot: ClusterSpot };

export type MarkerLayer = {
  /** Draws what changed since the last call, told by identity, and leaves the rest alone. */
  readonly show: (machines: readonly MapMachine[]) => void;
  /** This machine keeps a marker of its own, in a bubble or not, until another one or none is held. */
  readonly hold: (id: string | undefined) => void;
  /** Moves the keyboard focus to a machine's marker, else to the map. */
  readonly focus: (id: string) => void;
  readonly remove: () => void;
};

/** The machines and bubbles on a map. `onPick` hears which machine was clicked, or chosen with Enter or Space. */
export function markerLayer(map: LeafletMap, onPick: (id: string) => void): MarkerLayer {
  const group = new LayerGroup().addTo(map);
  const shown = new Map<string, Shown>();
  const index = markerSpots(map.getMaxZoom());
  /** What was shown last, and what is drawn: until the index has answered, the machines before. */
  let wanted: readonly MapMachine[] = [];
  let machines: readonly MapMachine[] = [];
  let drawn: readonly Spot[] = [];
  let asked = 0;
  let held: string | undefined;
  /** The key of the marker that gets the focus after the next draw: where a bubble that fell apart had it. */
  let focusNext: number | undefined;

  const keyOf = (spot: Spot): string =>
    spot.kind === 'cluster' ? `bubble ${spot.first}` : `machine ${machines[spot.at]?.id}`;

  function draw(): void {
    const bounds = map.getBounds().pad(MARGIN);
    const [west, south, east, north] = [
      bounds.getWest(),
      bounds.getSouth(),
      bounds.getEast(),
      bounds.getNorth(),
    ];
    asked += 1;
    const turn = asked;
    index.ask({ west, south, east, north }, Math.round(map.getZoom()), (spots) => {
      // By now the map may have moved on.
      if (turn === asked) paint(wanted, spots);
    });
  }

  function paint(list: readonly MapMachine[], places: readonly Spot[]): void {
    machines = list;
    drawn = places;
    const hadFocus = isIn(map.getPane('markerPane'), document.activeElement);
    const spots = new Map(places.map((spot) => [keyOf(spot), spot]));
    const heldAt = held === undefined ? -1 : machines.findIndex(({ id }) => id === held);
    if (heldAt >= 0) spots.set(`machine ${held}`, { kind: 'machine', at: heldAt });

    for (const [key, { marker }] of shown) {
      if (spots.has(key)) continue;
      group.removeLayer(marker);
      shown.delete(key);
    }
    for (const [key, spot] of spots) {
      if (spot.kind === 'cluster') drawCluster(key, spot);
      else drawMachine(key, machines[spot.at]!);
    }
    raise(held, ABOVE_OTHERS);
    keepFocus(hadFocus);
  }

  function drawMachine(key: string, machine: MapMachine): void {
    const before = shown.get(key);
    if (before?.kind === 'machine') {
      if (before.machine === machine) return;
      if (!isSamePlace(before.machine, machine)) before.marker.setLatLng([machine.lat, machine.lon]);
    }
    const marker = before?.marker ?? add(machineMarker(machine), () => onPick(machine.id));
    dressMachineMarker(marker, machine);
    shown.set(key, { kind: 'machine', marker, machine });
  }

  function drawCluster(key: string, spot: ClusterSpot): void {
    const before = shown.get(key);
    const marker = before?.marker ?? add(clusterMarker(spot), () => zoomInto(key));
    const was = before?.kind === 'cluster' ? before.spot : undefined;
    if (was && !isSamePlace(was, spot)) marker.setLatLng([spot.lat, spot.lon]);
    if (was?.count !== spot.count) dressClusterMarker(marker, was, spot);
    shown.set(key, { kind: 'cluster', marker, spot });
  }

  function add(marker: Marker, onActivate: () => void): Marker {
    actAsButton(marker, onActivate);
    return marker.addTo(group);
  }

  function zoomInto(key: string): void {
    const bubble = shown.get(key);
    if (bubble?.kind !== 'cluster') return;
    const { lat, lon, expandsAt, first } = bubble.spot;
    if (isIn(bubble.marker.getElement(), document.activeElement)) focusNext = first;
    map.setView([lat, lon], Math.min(map.getMaxZoom(), expandsAt), { animate: !isCalm() });
  }

  function raise(id: string | undefined, offset: number): void {
    shown.get(`machine ${id}`)?.marker.setZIndexOffset(offset);
  }

  function keepFocus(hadFocus: boolean): void {
    const next =
      focusNext === undefined
        ? undefined
        : (shown.get(`bubble ${focusNext}`) ?? shown.get(`machine ${machines[focusNext]?.id}`));
    focusNext = undefined;
    if (next) next.marker.getElement()?.focus({ preventScroll: true });
    else if (hadFocus && document.activeElement === document.body)
      map.getContainer().focus({ preventScroll: true });
  }

  map.on('moveend', draw);
  return {
    show(next) {
      const isMoved = !areSamePlaces(wanted, next);
      wanted = next;
      if (isMoved) {
        index.load(next);
        draw();
      } else if (areSamePlaces(machines, next)) paint(next, drawn);
    },
    hold(id) {
      raise(held, 0);
      held = id;
      paint(machines, drawn);
    },
    focus(id) {
      const element = shown.get(`machine ${id}`)?.marker.getElement() ?? map.getContainer();
      element.focus({ preventScroll: true });
    },
    remove() {
      map.off('moveend', draw);
      index.end();
      group.remove();
    },
  };
}

const isSamePlace = (a: { lat: number; lon: number }, b: { lat: number; lon: number }): boolean =>
  a.lat === b.lat && a.lon === b.lon;

/** Also false when a machine came, left or changed its turn: the index counts in that order. */
const areSamePlaces = (a: readonly MapMachine[], b: readonly MapMachine[]): boolean =>
  a.length === b.length &&
  a.every((machine, at) => machine === b[at] || (machine.id === b[at]!.id && isSamePlace(machine, b[at]!)));

const isIn = (parent: HTMLElement | undefined, node: Element | null): boolean =>
  parent !== undefined && node !== null && parent.contains(node);
