/** Computes the view that shows a set of places. */
import { distanceMetres } from '#shared/domain/distance.ts';
import type { Position } from '#shared/domain/position.ts';
import { EARTH_PX, toMercator, toPosition } from './mercator.ts';

/** The centre and Leaflet's zoom of a map. */
export type MapView = { readonly centre: Position; readonly zoom: number };

/** A size in pixels. */
export type Size = { readonly width: number; readonly height: number };
/** Space at the edges of the map in which no place may lie, in pixels. */
export type Insets = {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
};

/** Lowest zoom level, at which Leaflet shows a whole continent. */
const MIN_ZOOM = 3;
/** Minimum size of the area for the places, on a screen that the insets would fill completely. */
const MIN_PX = 40;

/**
 * Returns the view at the deepest zoom at which all places fit inside the insets, with the places as near to the middle of the map
 * as possible; undefined without places.
 * @param deepest maximum zoom, however close together the places are
 */
export function fittingView(
  places: readonly Position[],
  size: Size,
  insets: Insets,
  deepest: number,
): MapView | undefined {
  if (places.length === 0) return undefined;
  let [west, east, north, south] = [1, 0, 1, 0];
  for (const place of places) {
    const { x, y } = toMercator(place);
    west = Math.min(west, x);
    east = Math.max(east, x);
    north = Math.min(north, y);
    south = Math.max(south, y);
  }
  const width = Math.max(MIN_PX, size.width - insets.left - insets.right);
  const height = Math.max(MIN_PX, size.height - insets.top - insets.bottom);
  const fitting = Math.log2(Math.min(width / (east - west), height / (south - north)) / EARTH_PX);
  const zoom = Math.max(MIN_ZOOM, Math.min(deepest, Math.floor(fitting)));
  const scale = EARTH_PX * 2 ** zoom;
  const across = leastShift(size.width, (east - west) * scale, insets.left, insets.right);
  const upright = leastShift(size.height, (south - north) * scale, insets.top, insets.bottom);
  const centre = toPosition({
    x: (west + east) / 2 - across / scale,
    y: (north + south) / 2 - upright / scale,
  });
  return { centre, zoom };
}

/** Returns the smallest shift in pixels (positive: right or down) that moves an extent from the map's middle to between two insets. */
function leastShift(whole: number, extent: number, before: number, behind: number): number {
  const least = before - (whole - extent) / 2;
  const most = (whole - extent) / 2 - behind;
  return least > most ? (least + most) / 2 : Math.max(least, Math.min(most, 0));
}

/** If there are fewer places than this, none is left out. */
const MIN_PLACES = 5;
/** The usual distance is the distance from the median place within which this share of the places lies. */
const USUAL_SHARE = 0.9;
const FAR_TIMES_USUAL = 4;
/** More than the distance across the Netherlands. */
const FAR_METRES = 250_000;

/**
 * Leaves out places that are far from the others: more than 250 km from the median place, and more than four
 * times the distance within which 90 % of the places lie. Leaves out at most a tenth (rounded up), and nothing
 * of fewer than five places.
 */
export function withoutFarAway<T extends Position>(places: readonly T[]): readonly T[] {
  if (places.length < MIN_PLACES) return places;
  const middle = { lat: median(places.map(({ lat }) => lat)), lon: median(places.map(({ lon }) => lon)) };
  const metres = places.map((place) => distanceMetres(middle, place));
  const usual = metres.toSorted((a, b) => a - b)[Math.floor(USUAL_SHARE * (places.length - 1))] ?? 0;
  const far = Math.max(FAR_METRES, FAR_TIMES_USUAL * usual);
  return metres.some((one) => one > far) ? places.filter((_, at) => (metres[at] ?? 0) <= far) : places;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
