import 'leaflet/dist/leaflet.css';
import { Control, Map as Leaflet } from 'leaflet';
import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Position } from '#shared/domain/position.ts';
import styles from './leaflet-map.module.css';

/** As Leaflet counts: the whole earth is 256 px wide at 0. The deepest level that the tile services have. */
const MAX_ZOOM = 19;
const MIN_ZOOM = 3;

/** px; the scale is at most this wide. */
const SCALE_PX = 110;

const MapContext = createContext<Leaflet | undefined>(undefined);

/** The map around this component. */
export function useMap(): Leaflet {
  const map = use(MapContext);
  if (!map) throw new Error('useMap belongs inside <LeafletMap>.');
  return map;
}

type LeafletMapProps = {
  /** Where the map starts; later changes move nothing. */
  readonly centre: Position;
  readonly zoom: number;
  /** What a screen reader calls it. */
  readonly label: string;
  /** False: the map cannot be dragged or zoomed. */
  readonly interactive?: boolean;
  /** 'focused': on a page that scrolls, the wheel zooms only after a click on the map. */
  readonly wheel?: 'always' | 'focused';
  /** Layers and markers, which draw on the map, and anything that lies over it. */
  readonly children?: ReactNode;
};

/** A map that fills its parent, which must be positioned. No zoom buttons (MAP-01). */
export function LeafletMap({
  centre,
  zoom,
  label,
  interactive = true,
  wheel = 'always',
  children,
}: LeafletMapProps): ReactNode {
  const container = useRef<HTMLElement>(null);
  const [map, setMap] = useState<Leaflet>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: centre and zoom are where the map starts.
  useLayoutEffect(() => {
    const calm = isCalm();
    const created = new Leaflet(container.current!, {
      center: [centre.lat, centre.lon],
      zoom,
      minZoom: MIN_ZOOM,
      maxZoom: MAX_ZOOM,
      zoomControl: false,
      zoomAnimation: !calm,
      fadeAnimation: !calm,
      inertia: !calm,
      trackResize: false,
    });
    created.attributionControl.setPrefix('<a href="https://leafletjs.com">Leaflet</a>');
    new Control.Scale({ position: 'bottomright', imperial: false, maxWidth: SCALE_PX }).addTo(created);
    const resized = new ResizeObserver(() => created.invalidateSize({ animate: false }));
    resized.observe(container.current!);
    setMap(created);
    return () => {
      resized.disconnect();
      setMap(undefined);
      created.remove();
    };
  }, []);

  useEffect(() => {
    if (!map) return;
    const { dragging, touchZoom, doubleClickZoom, scrollWheelZoom, boxZoom, keyboard } = map;
    for (const handler of [dragging, touchZoom, doubleClickZoom, scrollWheelZoom, boxZoom, keyboard]) {
      if (interactive) handler.enable();
      else handler.disable();
    }
    if (wheel === 'focused') return onlyFocused(map, interactive);
  }, [map, interactive, wheel]);

  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the map, + and - zoom it. */}
      <section ref={container} className={styles.map} aria-label={label} tabIndex={0} />
      {map && <MapContext value={map}>{children}</MapContext>}
    </div>
  );
}

/** The wheel zooms while the map has the focus. Answers how to stop. */
function onlyFocused(map: Leaflet, interactive: boolean): () => void {
  const element = map.getContainer();
  const onFocus = (): void => void (interactive && map.scrollWheelZoom.enable());
  const onBlur = (): void => void map.scrollWheelZoom.disable();
  if (!element.contains(document.activeElement)) onBlur();
  element.addEventListener('focusin', onFocus);
  element.addEventListener('focusout', onBlur);
  return () => {
    element.removeEventListener('focusin', onFocus);
    element.removeEventListener('focusout', onBlur);
  };
}

/** The person asked the system for less movement: then the map jumps instead of flying. */
export const isCalm = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;
