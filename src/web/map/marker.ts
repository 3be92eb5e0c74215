/** The markers of machines and bubbles, as buttons. */
import { DivIcon, type LeafletKeyboardEvent, Marker } from 'leaflet';
import { formatNumber, formatPercent, statusText } from '#shared/domain/nl.ts';
import type { MapMachine } from './map-machine.ts';
import styles from './marker.module.css';
import type { ClusterSpot } from './marker-index.ts';
import {
  areSharesEqual,
  attentionAtMarker,
  chargeText,
  clusterSharesText,
  type StateShares,
  stateSharesRing,
} from './marker-text.ts';

/** Width and height of a pin (MAP-04). The pin's point is its bottom middle. */
const ICON_PX = 30;

/**
 * HTML of a pin: the icons of all statuses, of which the style sheet shows one; the attention sign at the left; and,
 * below the pin's tip, the charge and the reason for attention.
 */
const ICON_HTML = `<svg class="${styles.badge}" viewBox="0 0 16 16" aria-hidden="true">
  <circle class="${styles.plate}" cx="8" cy="8" r="7.2"/>
  <path class="${styles.charging}" d="M9.3 2.8 4.5 8.9h2.9l-.8 4.3 4.9-6.2H8.6Z"/>
  <path class="${styles.running}" d="M6.2 4.6v6.8L11.8 8Z"/>
  <circle class="${styles.off}" cx="8" cy="8" r="3.6"/>
</svg><svg class="${styles.sign}" viewBox="0 0 16 16" aria-hidden="true">
  <path class="${styles.triangle}" d="M8 1.2 15.4 14.4H.6Z"/><path class="${styles.exclamation}" d="M8 6v4m0 1.7v.6"/>
</svg><span class="${styles.under}" aria-hidden="true"><span class="${styles.charge}"></span><span class="${styles.reason}"></span></span>`;

/** Creates the orange pin of a machine, as a button or without interaction. Add it to a map, then call `updateMachineMarker`. */
export function machineMarker(machine: MapMachine, isButton = true): Marker {
  return new Marker([machine.lat, machine.lon], {
    icon: new DivIcon({
      className: styles.machine ?? '',
      html: ICON_HTML,
      iconSize: [ICON_PX, ICON_PX],
      iconAnchor: [ICON_PX / 2, ICON_PX],
    }),
    riseOnHover: true,
    interactive: isButton,
    keyboard: isButton,
  });
}

/** Updates a pin's attributes and texts without making its icon again. Sets names as DOM values, never as HTML. */
export function updateMachineMarker(marker: Marker, machine: MapMachine): void {
  const element = marker.getElement();
  if (!element) return;
  const charge = chargeText(machine);
  element.title = [machine.alias, charge].filter(Boolean).join(', ');
  element.dataset.status = machine.status;
  element.dataset.stale = String(machine.stale);
  element.dataset.low = String(machine.isLow);
  // The style sheet shows the attribute, because visible text of a button must be part of its accessible name.
  const shown = machine.percent === undefined ? '' : formatPercent(machine.percent);
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

/** Returns the size of a bubble, which grows with the number of digits and is at least the 44 px that a finger needs. */
const sizePx = (count: number): number => (count < 100 ? 44 : count < 1000 ? 48 : 52);
/** Distance in pixels by which a bubble is drawn above its position, so that it stays clear of pins, which are also drawn above theirs. */
export const BUBBLE_LIFT_PX = 7;

function icon(count: number): DivIcon {
  const size = sizePx(count);
  return new DivIcon({
    className: styles.cluster ?? '',
    iconSize: [size, size],
    iconAnchor: [size / 2, size / 2 + BUBBLE_LIFT_PX],
  });
}

/** Creates a bubble as a button. Add it to a map, then call `updateClusterMarker`. */
export const clusterMarker = (spot: ClusterSpot): Marker =>
  new Marker([spot.lat, spot.lon], { icon: icon(spot.count), riseOnHover: true });

/** The drawn content of a bubble. */
export type ClusterContent = { readonly count: number; readonly shares: StateShares };

/** Updates a bubble's count and shares. Makes a new icon only for another size. */
export function updateClusterMarker(
  marker: Marker,
  before: ClusterContent | undefined,
  content: ClusterContent,
): void {
  const { count, shares } = content;
  const isOtherSize = before !== undefined && sizePx(before.count) !== sizePx(count);
  if (isOtherSize) marker.setIcon(icon(count));
  else if (before && before.count === count && areSharesEqual(before.shares, shares)) return;
  const element = marker.getElement();
  if (!element) return;
  element.textContent = formatNumber(count);
  element.title = clusterSharesText(count, shares);
  element.setAttribute('aria-label', element.title);
  element.dataset.low = String(shares.low > 0);
  element.dataset.attention = String(shares.attention > 0);
  element.style.setProperty('--ring', stateSharesRing(count, shares));
}

/** Makes a marker act as a button: a click, Enter or Space calls `onActivate`. */
export function actAsButton(marker: Marker, onActivate: () => void): void {
  marker.on('click', onActivate);
  marker.on('keydown', ({ originalEvent: event }: LeafletKeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault(); // Space would scroll, and Enter would click again.
    onActivate();
  });
}
