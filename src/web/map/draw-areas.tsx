import '@geoman-io/leaflet-geoman-free/dist/leaflet-geoman.css';
import 'leaflet';
import '@geoman-io/leaflet-geoman-free';
import { Circle, type LatLng, type Layer, type Map as Leaflet, PM, Polygon } from 'leaflet';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Area } from '#shared/domain/area.ts';
import type { Position } from '#shared/domain/position.ts';
import areaStyles from './area-shapes.module.css';
import { shapeOf } from './area-shapes.tsx';
import { useMap } from './leaflet-map.tsx';

type DrawAreasProps = {
  readonly areas: readonly Area[];
  /** Shape that a click on the map starts; undefined for none. */
  readonly drawing: 'polygon' | 'circle' | undefined;
  readonly onChange: (areas: readonly Area[]) => void;
  /** Called when a shape is finished or Escape cancels it. */
  readonly onDrawn: () => void;
};

const STYLE = { weight: 2, className: areaStyles.own ?? '' };

/** Rounds to seven decimals, about a centimetre. */
const degrees = (value: number): number => Number(value.toFixed(7));
const placeOf = ({ lat, lng }: LatLng): Position => ({ lat: degrees(lat), lon: degrees(lng) });

function areaOf(shape: Layer): Area | undefined {
  if (shape instanceof Circle)
    return { centre: placeOf(shape.getLatLng()), radiusMetres: Math.round(shape.getRadius()) };
  if (!(shape instanceof Polygon)) return undefined;
  const [ring = []] = shape.getLatLngs() as LatLng[][];
  return { corners: ring.map(placeOf) };
}

/** Edits areas: the user drags and adds corners, and removes a corner by a right click. This component's code is large: load it lazily. */
export function DrawAreas({ areas, drawing, onChange, onDrawn }: DrawAreasProps): undefined {
  const map = useMap();
  const shapes = useRef<readonly (Circle | Polygon)[]>([]);
  /** The areas of the last `onChange`, which the shapes already show. */
  const reported = useRef<readonly Area[]>(undefined);
  const report = useEffectEvent((next: readonly Area[]) => {
    reported.current = next;
    onChange(next);
  });
  const redraw = useEffectEvent(() => {
    for (const shape of shapes.current) shape.remove();
    shapes.current = areas.map((area) => {
      const shape = shapeOf(area, STYLE).addTo(map);
      shape.pm.enable({ allowSelfIntersection: true, snappable: false });
      shape.on('pm:edit pm:vertexremoved', () => {
        report(shapes.current.flatMap((one) => areaOf(one) ?? []));
      });
      return shape;
    });
  });

  useEffect(() => {
    withDrawing(map);
    const watched = hideHandles(map);
    return () => {
      watched.disconnect();
      for (const shape of shapes.current) shape.remove();
      shapes.current = [];
      reported.current = undefined;
    };
  }, [map]);

  useEffect(() => {
    if (areas !== reported.current) redraw();
  }, [areas]);

  const finish = useEffectEvent((shape: Layer) => {
    shape.remove();
    const area = areaOf(shape);
    if (area) onChange([...areas, area]);
    onDrawn();
  });
  const stop = useEffectEvent(() => onDrawn());
  useEffect(() => {
    if (!drawing) return;
    const onCreate = ({ layer }: { layer: Layer }): void => finish(layer);
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') stop();
    };
    map.on('pm:create', onCreate);
    document.addEventListener('keydown', onKey);
    map.pm.enableDraw(drawing === 'polygon' ? 'Polygon' : 'Circle', {
      snappable: false,
      allowSelfIntersection: true,
      pathOptions: STYLE,
      templineStyle: { weight: 2, className: areaStyles.own ?? '' },
      hintlineStyle: { weight: 2, dashArray: '5,5', className: areaStyles.own ?? '' },
    });
    return () => {
      map.off('pm:create', onCreate);
      document.removeEventListener('keydown', onKey);
      map.pm.disableDraw();
    };
  }, [map, drawing]);
}

/** Enables geoman on a map that was created before geoman was loaded. */
function withDrawing(map: Leaflet): void {
  if (!map.pm) PM.reInitLayer(map as unknown as Layer);
  map.pm.setLang('nl');
}

/** Hides geoman's handles from keyboards and screen readers, because they can only be dragged. */
function hideHandles(map: Leaflet): MutationObserver {
  const observer = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof HTMLElement) || !node.classList.contains('marker-icon')) continue;
      node.tabIndex = -1;
      node.role = 'presentation';
    }
  });
  observer.observe(map.getPanes().markerPane, { childList: true });
  return observer;
}
