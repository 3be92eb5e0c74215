import { Circle, LatLngBounds, type PathOptions, Polygon } from 'leaflet';
import { useEffect, useRef } from 'react';
import { type Area, boxOf } from '#shared/domain/area.ts';
import styles from './area-shapes.module.css';
import { useMap } from './leaflet-map.tsx';

/** px that stay free around the areas. */
const EDGE_PX = 32;
const CLOSEST_ZOOM = 17;

/** On the map, not yet part of it. */
export const shapeOf = (area: Area, options: PathOptions): Circle | Polygon =>
  'centre' in area
    ? new Circle([area.centre.lat, area.centre.lon], { ...options, radius: area.radiusMetres })
    : new Polygon(
        area.corners.map(({ lat, lon }): [number, number] => [lat, lon]),
        options,
      );

type AreaShapesProps = {
  /** Keep the list the same object while it is the same areas. */
  readonly areas: readonly Area[];
  /** The project's own, or what lies around it. */
  readonly kind: 'own' | 'other';
};

/** The areas of a project, to be looked at. */
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

/** Moves the map to all of these, when it has some for the first time: what somebody looks at is not taken away. */
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
