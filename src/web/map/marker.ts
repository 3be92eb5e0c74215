/** The two markers of the fleet, and what makes a marker a button. */
import { DivIcon, type LeafletKeyboardEvent, Marker } from 'leaflet';
import { percent, plainNumber, statusText } from '#shared/domain/nl.ts';
import type { MapMachine } from './map-machine.ts';
import styles from './marker.module.css';
import type { ClusterSpot } from './marker-index.ts';
import {
  areSame,
  attentionAtMarker,
  chargeInWords,
  ringOf,
  type Shares,
  sharesInWords,
} from './marker-words.ts';

/** px; MAP-04: 30x30. The pin's point is its bottom middle. */
const ICON_PX = 30;

/**
 * The signs of all statuses; the sheet shows the one of the machine's. At the left the sign of attention. Under the point the charge
 * and the reason for attention.
 */
const ON_TOP = `<svg class="${styles.badge}" viewBox="0 0 16 16" aria-hidden="true">
  <circle class="${styles.plate}" cx="8" cy="8" r="7.2"/>
  <path class="${styles.charging}" d="M9.3 2.8 4.5 8.9h2.9l-.8 4.3 4.9-6.2H8.6Z"/>
  <path class="${styles.running}" d="M6.2 4.6v6.8L11.8 8Z"/>
  <circle class="${styles.off}" cx="8" cy="8" r="3.6"/>
</svg><svg class="${styles.sign}" viewBox="0 0 16 16" aria-hidden="true">
  <path class="${styles.triangle}" d="M8 1.2 15.4 14.4H.6Z"/><path class="${styles.exclamation}" d="M8 6v4m0 1.7v.6"/>
</svg><span class="${styles.under}" aria-hidden="true"><span class="${styles.charge}"></span><span class="${styles.reason}"></span></span>`;

/**
 * An orange pin that acts as a button named after the machine and its status, with its charge; or one that is only looked at.
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
  const charge = chargeInWords(machine);
  element.title = [machine.alias, charge].filter(Boolean).join(', ');
  element.dataset.status = machine.status;
  element.dataset.stale = String(machine.stale);
  element.dataset.low = String(machine.isLow);
  // The sheet shows it: text in a button would have to stand in its name.
  const shown = machine.percent === undefined ? '' : percent(machine.percent);
  const [underCharge, underReason] = element.lastElementChild?.children ?? [];
  underCharge?.setAttribute('data-charge', shown);
  underReason?.setAttribute('data-reason', machine.attention ? attentionAtMarker(machine.attention) : '');
  element.dataset.attention = machine.attention?.kind ?? 'none';
  element.setAttribute(
    'aria-label',
    `${machine.alias}, ${statusText(machine.status, machine.stale ? 'stale' : 'fresh')}`,
  );
  element.setAttribute('aria-description', charge);
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
  element.dataset.attention = String(shares.attention > 0);
  element.style.setProperty('--ring', ringOf(count, shares));
}

/** Makes a marker act as a button: a click, Enter or Space calls `onActivate`. */
export function actAsButton(marker: Marker, onActivate: () => void): void {
  marker.on('click', onActivate);
  marker.on('keydown', ({ originalEvent: event }: LeafletKeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault(); // Space would scroll, Enter would click once more.
    onActivate();
  });
}
