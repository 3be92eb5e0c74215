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
  /** What a click on the map begins; undefined: nothing. */
  readonly drawing: 'polygon' | 'circle' | undefined;
  readonly onChange: (areas: readonly Area[]) => void;
  /** A shape was finished, or Escape ended it. */
  readonly onDrawn: () => void;
};

const LOOK = { weight: 2, className: areaStyles.own ?? '' };

/** A seventh decimal is a centimetre. */
const degrees = (value: number): number => Number(value.toFixed(7));
const placeOf = ({ lat, lng }: LatLng): Position => ({ lat: degrees(lat), lon: degrees(lng) });

function areaOf(shape: Layer): Area | undefined {
  if (shape instanceof Circle)
    return { centre: placeOf(shape.getLatLng()), radiusMetres: Math.round(shape.getRadius()) };
  if (!(shape instanceof Polygon)) return undefined;
  const [ring = []] = shape.getLatLngs() as LatLng[][];
  return { corners: ring.map(placeOf) };
}

/** The areas with handles: corners are dragged, added and (by a click with the right button) taken away. Heavy: load it when it is needed. */
export function DrawAreas({ areas, drawing, onChange, onDrawn }: DrawAreasProps): undefined {
  const map = useMap();
  const shapes = useRef<readonly (Circle | Polygon)[]>([]);
  /** What this component told last: its own shapes are that already. */
  const told = useRef<readonly Area[]>(undefined);
  const tell = useEffectEvent((next: readonly Area[]) => {
    told.current = next;
    onChange(next);
  });
  const redraw = useEffectEvent(() => {
    for (const shape of shapes.current) shape.remove();
    shapes.current = areas.map((area) => {
      const shape = shapeOf(area, LOOK).addTo(map);
      shape.pm.enable({ allowSelfIntersection: true, snappable: false });
      shape.on('pm:edit pm:vertexremoved', () => {
        tell(shapes.current.flatMap((one) => areaOf(one) ?? []));
      });
      return shape;
    });
  });

  useEffect(() => {
    withDrawing(map);
    const watched = forMiceOnly(map);
    return () => {
      watched.disconnect();
      for (const shape of shapes.current) shape.remove();
      shapes.current = [];
      told.current = undefined;
    };
  }, [map]);

  useEffect(() => {
    if (areas !== told.current) redraw();
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
      pathOptions: LOOK,
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

/** The map was made before geoman was there. */
function withDrawing(map: Leaflet): void {
  if (!map.pm) PM.reInitLayer(map as unknown as Layer);
  map.pm.setLang('nl');
}

/** Its handles can only be dragged: a keyboard does not stop at each of them, and a screen reader does not tell them. */
function forMiceOnly(map: Leaflet): MutationObserver {
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
