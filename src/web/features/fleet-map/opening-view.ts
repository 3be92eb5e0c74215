/** The view with which the map opens: all machines, or the Netherlands if there are none (MAP-01). */
import type { Position } from '#shared/domain/position.ts';
import { fittingView, type Insets, type MapView, type Size, withoutFarAway } from '#web/map/fitting-view.ts';

/** The view of the whole country that MAP-01 prescribes. */
export const WHOLE_COUNTRY: MapView = { centre: { lat: 52.1326, lon: 5.2913 }, zoom: 7 };

/** Leaflet's zoom level at which the town around one machine is in view. */
export const OPENING_ZOOM = 14;
/** If every machine is farther away from the user than this, the view with which the map opens does not include the user's position. */
export const USER_IN_VIEW_WITHIN_METRES = 250_000;
/** Leaflet's zoom level when a link opens the map on one machine. */
const ONE_MACHINE_ZOOM = 16;

/**
 * Margins of the map that stay free of machines when the fleet is shown: at the top space for pins, at the bottom for
 * panels and the texts below pins, and at the right of a wide screen for the list of nearby machines.
 */
const SMALL_REM = { top: 3.5, right: 2.5, bottom: 17.5, left: 2.5 };
const WIDE_REM = { top: 4, right: 18.5, bottom: 10, left: 3 };

/** Returns the margins of the map, in px, that stay free of machines when the whole fleet is shown. */
export const fleetInsets = (isSmall: boolean, remPx: number): Insets => {
  const { top, right, bottom, left } = isSmall ? SMALL_REM : WIDE_REM;
  return { top: top * remPx, right: right * remPx, bottom: bottom * remPx, left: left * remPx };
};

/** Share of the window's height that the opened list of nearby machines covers on a small screen. */
const OPENED_LIST = 0.62;

/** Returns the margins of the map, in px, that stay free while the list of nearby machines is open. */
export const panelInsets = (isSmall: boolean, remPx: number): Insets => {
  const insets = fleetInsets(isSmall, remPx);
  return isSmall ? { ...insets, bottom: OPENED_LIST * window.innerHeight } : insets;
};

/**
 * Returns the view that shows the fleet, without machines that lie far away from all others.
 * @param opened position of the machine whose serial number is in the page's address
 */
export function openingView(
  places: readonly Position[],
  opened: Position | undefined,
  size: Size,
  insets: Insets,
): MapView {
  if (opened) return { centre: opened, zoom: ONE_MACHINE_ZOOM };
  return fittingView(withoutFarAway(places), size, insets, OPENING_ZOOM) ?? WHOLE_COUNTRY;
}

/** Returns the number of positions that the opening view leaves out. */
export const countFarAway = (places: readonly Position[]): number =>
  places.length - withoutFarAway(places).length;
