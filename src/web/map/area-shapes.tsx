import { Circle, LatLngBounds, type PathOptions, Polygon } from 'leaflet';
import { useEffect, useRef } from 'react';
import { type Area, boxOf } from '#shared/domain/area.ts';
import styles from './area-shapes.module.css';
import { useMap } from './leaflet-map.tsx';

/** Free space around the areas. */
const EDGE_PX = 32;
const CLOSEST_ZOOM = 17;

/** Returns a Leaflet shape for an area; the caller adds it to a map. */
export const shapeOf = (area: Area, options: PathOptions): Circle | Polygon =>
  'centre' in area
    ? new Circle([area.centre.lat, area.centre.lon], { ...options, radius: area.radiusMetres })
    : new Polygon(
        area.corners.map(({ lat, lon }): [number, number] => [lat, lon]),
        options,
      );

type AreaShapesProps = {
  /** A new list makes the map draw the shapes again: keep the list while the areas are the same. */
  readonly areas: readonly Area[];
  /** 'own': the areas that the map is about; 'other': areas of other projects. */
  readonly kind: 'own' | 'other';
};

/** Draws the areas of a project, without editing. */
export function AreaShapes({ areas, kind }: AreaShapesProps): undefined {
  const map = useMap();
  useEffect(() => {
    const options = { interactive: false, weight: 2, className: styles[kind] ?? '' };
    const shapes = areas.map((area) => shapeOf(area, options).addTo(map));
    return () => {
      for (const shape of shapes) shape.remove();
    };
  }, [map, areas, kind]);
}

/** Fits the map to the areas the first time that there are any; later changes do not move the map. */
export function FitAreas({ areas }: { readonly areas: readonly Area[] }): undefined {
  const map = useMap();
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current || areas.length === 0) return;
    isDone.current = true;
    const bounds = new LatLngBounds([]);
    for (const { south, west, north, east } of areas.map(boxOf)) {
      bounds.extend([south, west]);
      bounds.extend([north, east]);
    }
    map.fitBounds(bounds, { padding: [EDGE_PX, EDGE_PX], maxZoom: CLOSEST_ZOOM, animate: false });
  }, [map, areas]);
}
