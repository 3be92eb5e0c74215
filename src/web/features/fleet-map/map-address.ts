/** The view, layer and popup of the map in the page's address, so that links and Back restore them. */
import type { Position } from '#shared/domain/position.ts';
import type { MapLayer } from '#web/map/base-map.tsx';
import type { MapView } from '#web/map/fitting-view.ts';
import type { OpenedPopup } from '#web/map/machine-markers.tsx';

export type MapState = {
  readonly view: MapView;
  readonly layer: MapLayer;
  /** The open popup. */
  readonly opened: OpenedPopup | undefined;
};

/** Names of the address's parameters for the map; other parameters of the address are for other parts of the page. */
const NAMES = ['kaart', 'laag', 'machine', 'plek'] as const;
/** Number of decimals of a degree in the address; five decimals are precise to about a metre. */
const DECIMALS = 5;
/** Highest of Leaflet's zoom levels that is accepted from the address; the map itself stops at a lower level. */
const MAX_ZOOM_LEVEL = 22;
const MAX_SERIAL_CHARACTERS = 200;

/**
 * Reads '?kaart=52.1326,5.2913,7&laag=satellite&machine=EX-1'. Ignores invalid values, because a user may have typed the address.
 * @param opening returns the view of the map if the address has none
 */
export function mapStateOf(
  search: URLSearchParams,
  opening: (opened: OpenedPopup | undefined) => MapView,
): MapState {
  const [lat, lon, zoom] = numbersIn(search.get('kaart'));
  const centre = placeOf(lat, lon);
  const isZoom = zoom !== undefined && Number.isInteger(zoom) && zoom >= 0 && zoom <= MAX_ZOOM_LEVEL;
  const id = search.get('machine') ?? '';
  const [spotLat, spotLon] = numbersIn(search.get('plek'));
  const spot = placeOf(spotLat, spotLon);
  const isMachine = id !== '' && id.length <= MAX_SERIAL_CHARACTERS;
  const opened: OpenedPopup | undefined = isMachine
    ? { kind: 'machine', id }
    : spot && { kind: 'spot', at: spot };
  return {
    view: centre && isZoom ? { centre, zoom } : opening(opened),
    layer: search.get('laag') === 'satellite' ? 'satellite' : 'street',
    opened,
  };
}

/** Returns the parameters of the address with the state of the map replaced; other parameters stay. */
export function withMapState(search: URLSearchParams, { view, layer, opened }: MapState): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of NAMES) next.delete(name);
  next.set('kaart', `${inDegrees(view.centre)},${view.zoom}`);
  if (layer !== 'street') next.set('laag', layer);
  if (opened?.kind === 'machine') next.set('machine', opened.id);
  if (opened?.kind === 'spot') next.set('plek', inDegrees(opened.at));
  return next;
}

/** Returns whether the address has any parameter of the map. */
export const hasMapState = (search: URLSearchParams): boolean => NAMES.some((name) => search.has(name));

/** Returns whether the address has the view of the map. */
export const hasView = (search: URLSearchParams): boolean => search.has('kaart');

const inDegrees = ({ lat, lon }: Position): string =>
  [lat, lon].map((degrees) => Number(degrees.toFixed(DECIMALS))).join();

const numbersIn = (text: string | null): number[] =>
  text === null ? [] : text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));

function placeOf(lat: number | undefined, lon: number | undefined): Position | undefined {
  if (lat === undefined || lon === undefined) return undefined;
  // Returns undefined for NaN too, because comparisons with NaN are false.
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
}
