/** How the map looks, as it stands in the page's address: a link shows the same, and Back brings it back. */
import type { Position } from '#shared/domain/position.ts';
import type { Layer } from '#web/map/base-map.tsx';
import type { MapView } from '#web/map/fitting-view.ts';
import type { Opened } from '#web/map/machine-markers.tsx';

export type MapState = {
  readonly view: MapView;
  readonly layer: Layer;
  /** The open popup. */
  readonly opened: Opened | undefined;
};

/** What is the map's in the address; the rest is another's. */
const NAMES = ['kaart', 'laag', 'machine', 'plek'] as const;
/** Of a degree: a metre. */
const DECIMALS = 5;
/** As Leaflet counts; deeper than any map goes. */
const MOST_ZOOM = 22;
const LONGEST_SERIAL = 200;

/**
 * Reads '?kaart=52.1326,5.2913,7&laag=satellite&machine=EX-1'. What cannot be is left out: an address may be typed.
 * @param opening where the map looks when the address does not say it
 */
export function mapStateOf(
  search: URLSearchParams,
  opening: (opened: Opened | undefined) => MapView,
): MapState {
  const [lat, lon, zoom] = numbersIn(search.get('kaart'));
  const centre = placeOf(lat, lon);
  const isZoom = zoom !== undefined && Number.isInteger(zoom) && zoom >= 0 && zoom <= MOST_ZOOM;
  const id = search.get('machine') ?? '';
  const [spotLat, spotLon] = numbersIn(search.get('plek'));
  const spot = placeOf(spotLat, spotLon);
  const isMachine = id !== '' && id.length <= LONGEST_SERIAL;
  const opened: Opened | undefined = isMachine ? { kind: 'machine', id } : spot && { kind: 'spot', at: spot };
  return {
    view: centre && isZoom ? { centre, zoom } : opening(opened),
    layer: search.get('laag') === 'satellite' ? 'satellite' : 'street',
    opened,
  };
}

/** The address's search with this in it; what else stands there stays. */
export function withMapState(search: URLSearchParams, { view, layer, opened }: MapState): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of NAMES) next.delete(name);
  next.set('kaart', `${inDegrees(view.centre)},${view.zoom}`);
  if (layer !== 'street') next.set('laag', layer);
  if (opened?.kind === 'machine') next.set('machine', opened.id);
  if (opened?.kind === 'spot') next.set('plek', inDegrees(opened.at));
  return next;
}

/** Whether the address says anything of the map. */
export const saysOfMap = (search: URLSearchParams): boolean => NAMES.some((name) => search.has(name));

/** Whether the address says where the map looks. */
export const saysWhere = (search: URLSearchParams): boolean => search.has('kaart');

const inDegrees = ({ lat, lon }: Position): string =>
  [lat, lon].map((degrees) => Number(degrees.toFixed(DECIMALS))).join();

const numbersIn = (text: string | null): number[] =>
  text === null ? [] : text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));

function placeOf(lat: number | undefined, lon: number | undefined): Position | undefined {
  if (lat === undefined || lon === undefined) return undefined;
  // NaN fails both comparisons.
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
}
