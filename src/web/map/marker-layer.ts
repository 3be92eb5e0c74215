import { LayerGroup, type Map as LeafletMap, latLngBounds, type Marker } from 'leaflet';
import type { Position } from '#shared/domain/position.ts';
import { prefersReducedMotion } from './leaflet-map.tsx';
import type { MapMachine } from './map-machine.ts';
import {
  actAsButton,
  type ClusterContent,
  clusterMarker,
  machineMarker,
  updateClusterMarker,
  updateMachineMarker,
} from './marker.ts';
import type { ClusterSpot, MarkerSpot } from './marker-index.ts';
import { markerSpots } from './marker-spots.ts';
import { countStateShares, isMovementAlert } from './marker-text.ts';

/**
 * Margin around the view in which markers are drawn, as a share of the view's size, so that a short drag shows
 * no empty strip. Each marker takes a tenth of a millisecond per zoom: a margin of 0.25 would double their
 * number, and a zoom would take over 60 ms.
 */
const MARGIN = 0.05;

/** Share of the view's size that stays free when a bubble's machines are shown, for the edges and the elements there. */
const FREE = 0.3;

/** At most this many moving machines in bubbles get a marker of their own over the bubble; more would cover the map. */
const MAX_MOVED = 5;

/** Z-index offset of a marker above all others: Leaflet stacks markers by their y on the screen, which is less than this. */
const ABOVE_OTHERS = 10_000;

type Shown =
  | { readonly kind: 'machine'; readonly marker: Marker; readonly machine: MapMachine }
  | {
      readonly kind: 'cluster';
      readonly marker: Marker;
      readonly spot: ClusterSpot;
      readonly content: ClusterContent;
    };

export type MarkerLayer = {
  /** Draws the machines whose objects changed since the last call. */
  readonly show: (machines: readonly MapMachine[]) => void;
  /** Keeps a machine visible, even one in a bubble; undefined for none. */
  readonly keepVisible: (id: string | undefined) => void;
  /** Moves the keyboard focus to a machine's marker or bubble, else to the map. */
  readonly focus: (id: string) => void;
  readonly remove: () => void;
};

/** Callbacks for a click, Enter or Space on a marker or a bubble. */
type Listener = {
  readonly onPick: (id: string) => void;
  /** Called for a bubble that does not split at any zoom, with the position of its first machine. */
  readonly onPickSpot: (spot: Position) => void;
};

/** Adds the layer of machines and bubbles to a map. */
export function markerLayer(map: LeafletMap, { onPick, onPickSpot }: Listener): MarkerLayer {
  const group = new LayerGroup().addTo(map);
  const shown = new Map<string, Shown>();
  const index = markerSpots(map.getMaxZoom());
  /**
   * `wanted`: the machines of the last `show`; `machines`: the machines on the map, which are older until the
   * index responds.
   */
  let wanted: readonly MapMachine[] = [];
  let machines: readonly MapMachine[] = [];
  let drawn: readonly MarkerSpot[] = [];
  let lastRequest = 0;
  let raisedId: string | undefined;
  /** Markers without interaction, over bubbles, for machines inside them: the machine of `keepVisible`, and moving machines. */
  let ghosts: readonly Marker[] = [];
  /** Index of the machine whose marker gets the focus after the next redraw, if a bubble that splits had the focus. */
  let focusNext: number | undefined;

  const keyOf = (spot: MarkerSpot): string =>
    spot.kind === 'cluster' ? `bubble ${spot.first}` : `machine ${machines[spot.at]?.id}`;

  function draw(): void {
    const bounds = map.getBounds().pad(MARGIN);
    const [west, south, east, north] = [
      bounds.getWest(),
      bounds.getSouth(),
      bounds.getEast(),
      bounds.getNorth(),
    ];
    lastRequest += 1;
    const request = lastRequest;
    index.ask({ west, south, east, north }, Math.round(map.getZoom()), (spots) => {
      // Skips the result if the map has moved since.
      if (request === lastRequest) paint(wanted, spots);
    });
  }

  function paint(list: readonly MapMachine[], places: readonly MarkerSpot[]): void {
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
    raise(raisedId, ABOVE_OTHERS);
    drawGhosts();
    keepFocus(hadFocus);
  }

  function drawGhosts(): void {
    for (const ghost of ghosts) ghost.remove();
    const moved = machines
      .filter(({ attention }) => attention && isMovementAlert(attention))
      .slice(0, MAX_MOVED);
    const inBubbles = [
      ...moved.filter(({ id }) => id !== raisedId),
      ...machines.filter(({ id }) => id === raisedId),
    ].filter(({ id }) => !shown.has(`machine ${id}`));
    ghosts = inBubbles.map((machine) => {
      const ghost = machineMarker(machine, false).setZIndexOffset(ABOVE_OTHERS).addTo(group);
      updateMachineMarker(ghost, machine);
      const element = ghost.getElement();
      element?.setAttribute('aria-hidden', 'true');
      if (element) element.dataset.raised = String(machine.id === raisedId);
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
    updateMachineMarker(marker, machine);
    shown.set(key, { kind: 'machine', marker, machine });
  }

  function drawCluster(key: string, spot: ClusterSpot): void {
    const before = shown.get(key);
    const marker = before?.marker ?? add(clusterMarker(spot), () => open(key));
    const was = before?.kind === 'cluster' ? before : undefined;
    if (was && !isSamePlace(was.spot, spot)) marker.setLatLng([spot.lat, spot.lon]);
    const content = { count: spot.count, shares: countStateShares(spot, machines) };
    updateClusterMarker(marker, was?.content, content);
    shown.set(key, { kind: 'cluster', marker, spot, content });
  }

  function add(marker: Marker, onActivate: () => void): Marker {
    actAsButton(marker, onActivate);
    return marker.addTo(group);
  }

  /** Zooms in until the bubble's machines fill the view, and at least until the bubble splits. */
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
      // If the machines do not all fit into the view, centres on the first machine.
      fitting < expandsAt ? place : bounds.getCenter(),
      Math.min(map.getMaxZoom(), Math.max(fitting, expandsAt)),
      { animate: !prefersReducedMotion() },
    );
  }

  function bubbleOf(id: string): Shown | undefined {
    const at = machines.findIndex((machine) => machine.id === id);
    return [...shown.values()].find((one) => one.kind === 'cluster' && one.spot.members.includes(at));
  }

  function raise(id: string | undefined, offset: number): void {
    const marker = shown.get(`machine ${id}`)?.marker.setZIndexOffset(offset);
    const element = marker?.getElement();
    if (element) element.dataset.raised = String(offset > 0);
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
    keepVisible(id) {
      raise(raisedId, 0);
      raisedId = id;
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

/** Returns whether the index still fits: the same machines at the same places, in the same order, because it uses list indexes. */
const areSamePlaces = (a: readonly MapMachine[], b: readonly MapMachine[]): boolean =>
  a.length === b.length &&
  a.every((machine, at) => machine === b[at] || (machine.id === b[at]!.id && isSamePlace(machine, b[at]!)));

const isIn = (parent: HTMLElement | undefined, node: Element | null): boolean =>
  parent !== undefined && node !== null && parent.contains(node);
