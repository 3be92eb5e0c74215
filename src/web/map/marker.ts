/** The two markers of the fleet, and what makes a marker a button. */
import { DivIcon, type LeafletKeyboardEvent, Marker } from 'leaflet';
import { FLEET_STATES, type FleetState } from '#shared/domain/fleet-state.ts';
import type { MachineStatus } from '#shared/domain/machine-status.ts';
import { percent, plainNumber, statusInWords } from '#shared/domain/nl.ts';
import type { Position } from '#shared/domain/position.ts';
import styles from './marker.module.css';
import type { ClusterSpot } from './marker-index.ts';

/**
 * What the map knows of a machine. Unchanged machines must keep their identity from one update to the next:
 * that is how the map sees what to leave alone.
 */
export type MapMachine = Position & {
  /** Serial number, or loggerid of an LMB logger. */
  readonly id: string;
  readonly alias: string;
  readonly status: MachineStatus;
  readonly stale: boolean;
  /** Of all its batteries, whole; undefined: not known. */
  readonly percent: number | undefined;
  /** It wants a charger (attention.ts). */
  readonly isLow: boolean;
};

/** px; MAP-04: 30x30. The pin's point is its bottom middle. */
const ICON_PX = 30;

/** The signs of all statuses; the sheet shows the one of the machine's. Under the point its charge. */
const ON_TOP = `<svg class="${styles.badge}" viewBox="0 0 16 16" aria-hidden="true">
  <circle class="${styles.plate}" cx="8" cy="8" r="7.2"/>
  <path class="${styles.charging}" d="M9.3 2.8 4.5 8.9h2.9l-.8 4.3 4.9-6.2H8.6Z"/>
  <path class="${styles.running}" d="M6.2 4.6v6.8L11.8 8Z"/>
  <circle class="${styles.off}" cx="8" cy="8" r="3.6"/>
</svg><span class="${styles.charge}" aria-hidden="true"></span>`;

/**
 * An orange pin that acts as a button named after the machine, its status and its charge; or one that is only looked at.
 * Add it to a map, then dress it.
 */
export function machineMarker(machine: MapMachine, isButton = true): Marker {
  return new Marker([machine.lat, machine.lon], {
    icon: new DivIcon({
      className: styles.machine ?? '',
      html: ON_TOP,
      iconSize: [ICON_PX, ICON_PX],
      iconAnchor: [ICON_PX / 2, ICON_PX],
    }),
    riseOnHover: true,
    interactive: isButton,
    keyboard: isButton,
  });
}

/** Changes only attributes and a text: the icon itself is never made again. Names go through the DOM, never through HTML. */
export function dressMachineMarker(marker: Marker, machine: MapMachine): void {
  const element = marker.getElement();
  if (!element) return;
  element.title = machine.alias;
  element.dataset.status = machine.status;
  element.dataset.stale = String(machine.stale);
  element.dataset.low = String(machine.isLow);
  // Where the charge stands in ON_TOP.
  if (element.lastElementChild)
    element.lastElementChild.textContent = machine.percent === undefined ? '' : percent(machine.percent);
  element.setAttribute('aria-label', machineInWords(machine));
}

/** 'Rups, Draait, 63%', 'Graver, Uit, 8%, batterij laag'. */
export function machineInWords({ alias, status, stale, percent: charge, isLow }: MapMachine): string {
  const words = [alias, statusInWords(status, stale)];
  if (charge !== undefined) words.push(percent(charge));
  if (isLow) words.push('batterij laag');
  return words.join(', ');
}

/** How many of the machines in a bubble are in each state, and how many of them want a charger. */
export type Shares = Readonly<Record<FleetState | 'low', number>>;

export function sharesOf({ members }: ClusterSpot, machines: readonly MapMachine[]): Shares {
  const shares = { running: 0, charging: 0, off: 0, silent: 0, low: 0 };
  for (const at of members) {
    const machine = machines[at];
    if (!machine) continue;
    shares[machine.stale ? 'silent' : machine.status] += 1;
    if (machine.isLow) shares.low += 1;
  }
  return shares;
}

/** What one does, and what several do. */
const DOES: Readonly<Record<FleetState, readonly [string, string]>> = {
  running: ['draait', 'draaien'],
  charging: ['laadt', 'laden'],
  off: ['uit', 'uit'],
  silent: ['stil', 'stil'],
};

/** '12 machines: 3 draaien, 2 laden, 7 uit', and how many of them have a low battery. */
export function sharesInWords(count: number, shares: Shares): string {
  const parts = FLEET_STATES.filter((state) => shares[state] > 0).map(
    (state) => `${plainNumber(shares[state])} ${DOES[state][shares[state] === 1 ? 0 : 1]}`,
  );
  const low = shares.low > 0 ? `, batterij laag: ${plainNumber(shares.low)}` : '';
  return `${plainNumber(count)} machines: ${parts.join(', ')}${low}`;
}

const COLOURS: Readonly<Record<Exclude<FleetState, 'silent'>, string>> = {
  running: 'var(--status-running)',
  charging: 'var(--status-charging)',
  off: 'var(--status-off)',
};
/** Degrees of the ring: white between two shares, and each stripe of what is silent. */
const GAP = 4;
const STRIPE = 6;

/** The ring of a bubble, clockwise from the top; what is silent is striped: not told by colour alone. */
export function ringOf(count: number, shares: Shares): string {
  const stops: string[] = [];
  const paint = (colour: string, from: number, to: number): void =>
    void stops.push(`${colour} ${from.toFixed(1)}deg ${to.toFixed(1)}deg`);
  const states = FLEET_STATES.filter((state) => shares[state] > 0);
  let at = 0;
  for (const state of states) {
    const end = at + (360 * shares[state]) / count;
    // The smallest share is still to be seen.
    const until = states.length > 1 ? Math.max(at + 1, end - GAP) : end;
    if (state !== 'silent') paint(COLOURS[state], at, until);
    else {
      for (let from = at; from < until; from += 2 * STRIPE) {
        paint('#343a40', from, Math.min(until, from + STRIPE));
        paint('#fff', Math.min(until, from + STRIPE), Math.min(until, from + 2 * STRIPE));
      }
    }
    if (until < end) paint('#fff', until, end);
    at = end;
  }
  return `conic-gradient(${stops.join(', ')})`;
}

/** px: larger with the number of digits, never under the 44 px that a finger needs. */
const sizePx = (count: number): number => (count < 100 ? 44 : count < 1000 ? 48 : 52);
/** px that a bubble stands above its place: so pins, which stand on theirs, keep clear of it. */
export const BUBBLE_LIFT_PX = 7;

function icon(count: number): DivIcon {
  const size = sizePx(count);
  return new DivIcon({
    className: styles.cluster ?? '',
    iconSize: [size, size],
    iconAnchor: [size / 2, size / 2 + BUBBLE_LIFT_PX],
  });
}

/** A bubble with a count that acts as a button. Add it to a map, then dress it. */
export const clusterMarker = (spot: ClusterSpot): Marker =>
  new Marker([spot.lat, spot.lon], { icon: icon(spot.count), riseOnHover: true });

/** What a bubble looks like. */
export type ClusterLook = { readonly count: number; readonly shares: Shares };

/** Writes count and shares; a new icon only when the bubble needs another size. */
export function dressClusterMarker(marker: Marker, before: ClusterLook | undefined, look: ClusterLook): void {
  const { count, shares } = look;
  const isOtherSize = before !== undefined && sizePx(before.count) !== sizePx(count);
  if (isOtherSize) marker.setIcon(icon(count));
  else if (before && before.count === count && areSame(before.shares, shares)) return;
  const element = marker.getElement();
  if (!element) return;
  element.textContent = plainNumber(count);
  element.title = sharesInWords(count, shares);
  element.setAttribute('aria-label', element.title);
  element.dataset.low = String(shares.low > 0);
  element.style.setProperty('--ring', ringOf(count, shares));
}

const areSame = (a: Shares, b: Shares): boolean =>
  a.low === b.low && FLEET_STATES.every((state) => a[state] === b[state]);

/** Makes a marker act as a button: a click, Enter or Space calls `onActivate`. */
export function actAsButton(marker: Marker, onActivate: () => void): void {
  marker.on('click', onActivate);
  marker.on('keydown', ({ originalEvent: event }: LeafletKeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault(); // Space would scroll, Enter would click once more.
    onActivate();
  });
}
