import { LayerGroup, type Map as LeafletMap, latLngBounds, type Marker } from 'leaflet';
import type { Position } from '#shared/domain/position.ts';
import { isCalm } from './leaflet-map.tsx';
import type { MapMachine } from './map-machine.ts';
import {
  actAsButton,
  type ClusterLook,
  clusterMarker,
  dressClusterMarker,
  dressMachineMarker,
  machineMarker,
} from './marker.ts';
import type { ClusterSpot, Spot } from './marker-index.ts';
import { markerSpots } from './marker-spots.ts';
import { sharesOf } from './marker-words.ts';

/**
 * Part of the view's size that is drawn beyond its edges, so that a short drag shows no empty strip. Each marker costs a
 * tenth of a millisecond when the map zooms: with 0.25 they were twice as many, and the zoom a task of over 60 ms.
 */
const MARGIN = 0.05;

/** Part of the view's size that stays free when all machines of a bubble are shown: both edges, and what lies there. */
const FREE = 0.3;

/** More machines that are being moved at once would cover the map. */
const MOST_MOVED = 5;

/** Leaflet stacks markers by their y on the screen; this is more than any screen is high. */
const ABOVE_OTHERS = 10_000;

type Shown =
  | { readonly kind: 'machine'; readonly marker: Marker; readonly machine: MapMachine }
  | {
      readonly kind: 'cluster';
      readonly marker: Marker;
      readonly spot: ClusterSpot;
      readonly look: ClusterLook;
    };

export type MarkerLayer = {
  /** Draws what changed since the last call, told by identity, and leaves the rest alone. */
  readonly show: (machines: readonly MapMachine[]) => void;
  /** This machine is to be seen, in a bubble or not, until another one or none is held. */
  readonly hold: (id: string | undefined) => void;
  /** Moves the keyboard focus to a machine's marker or bubble, else to the map. */
  readonly focus: (id: string) => void;
  readonly remove: () => void;
};

/** Hears what was clicked, or chosen with Enter or Space. */
type Listener = {
  readonly onPick: (id: string) => void;
  /** A bubble that no zoom takes apart, and where its first machine stands. */
  readonly onPickSpot: (spot: Position) => void;
};

/** The machines and bubbles on a map. */
export function markerLayer(map: LeafletMap, { onPick, onPickSpot }: Listener): MarkerLayer {
  const group = new LayerGroup().addTo(map);
  const shown = new Map<string, Shown>();
  const index = markerSpots(map.getMaxZoom());
  /** What was shown last, and what is drawn: until the index has answered, the machines before. */
  let wanted: readonly MapMachine[] = [];
  let machines: readonly MapMachine[] = [];
  let drawn: readonly Spot[] = [];
  let asked = 0;
  let held: string | undefined;
  /** Show the held machine and those that are being moved, where a bubble has the hits. */
  let ghosts: readonly Marker[] = [];
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
    drawGhosts();
    keepFocus(hadFocus);
  }

  function drawGhosts(): void {
    for (const ghost of ghosts) ghost.remove();
    const isMoved = ({ attention }: MapMachine): boolean => attention?.kind === 'moved';
    const moved = machines.filter(isMoved).slice(0, MOST_MOVED);
    const inBubbles = [
      ...moved.filter(({ id }) => id !== held),
      ...machines.filter(({ id }) => id === held),
    ].filter(({ id }) => !shown.has(`machine ${id}`));
    ghosts = inBubbles.map((machine) => {
      const ghost = machineMarker(machine, false).setZIndexOffset(ABOVE_OTHERS).addTo(group);
      dressMachineMarker(ghost, machine);
      const element = ghost.getElement();
      element?.setAttribute('aria-hidden', 'true');
      if (element) element.dataset.held = String(machine.id === held);
      return ghost;
    });
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
    const marker = before?.marker ?? add(clusterMarker(spot), () => open(key));
    const was = before?.kind === 'cluster' ? before : undefined;
    if (was && !isSamePlace(was.spot, spot)) marker.setLatLng([spot.lat, spot.lon]);
    const look = { count: spot.count, shares: sharesOf(spot, machines) };
    dressClusterMarker(marker, was?.look, look);
    shown.set(key, { kind: 'cluster', marker, spot, look });
  }

  function add(marker: Marker, onActivate: () => void): Marker {
    actAsButton(marker, onActivate);
    return marker.addTo(group);
  }

  /** Zooms in until all of its machines fill the view, and at least until it falls apart. */
  function open(key: string): void {
    const bubble = shown.get(key);
    if (bubble?.kind !== 'cluster') return;
    const { expandsAt, first, members } = bubble.spot;
    const places = members.flatMap((at): [number, number][] => {
      const machine = machines[at];
      return machine ? [[machine.lat, machine.lon]] : [];
    });
    const [place] = places;
    if (!place) return;
    if (expandsAt === undefined) {
      onPickSpot({ lat: place[0], lon: place[1] });
      return;
    }
    if (isIn(bubble.marker.getElement(), document.activeElement)) focusNext = first;
    const bounds = latLngBounds(places);
    const fitting = map.getBoundsZoom(bounds, false, map.getSize().multiplyBy(FREE).floor());
    map.setView(
      // Where not all of them fit, it is the first that is sure to be in view.
      fitting < expandsAt ? place : bounds.getCenter(),
      Math.min(map.getMaxZoom(), Math.max(fitting, expandsAt)),
      { animate: !isCalm() },
    );
  }

  function bubbleOf(id: string): Shown | undefined {
    const at = machines.findIndex((machine) => machine.id === id);
    return [...shown.values()].find((one) => one.kind === 'cluster' && one.spot.members.includes(at));
  }

  function raise(id: string | undefined, offset: number): void {
    const marker = shown.get(`machine ${id}`)?.marker.setZIndexOffset(offset);
    const element = marker?.getElement();
    if (element) element.dataset.held = String(offset > 0);
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
      const marker = shown.get(`machine ${id}`)?.marker ?? bubbleOf(id)?.marker;
      (marker?.getElement() ?? map.getContainer()).focus({ preventScroll: true });
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
