import 'leaflet/dist/leaflet.css';
import { Control, Map as Leaflet } from 'leaflet';
import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Position } from '#shared/domain/position.ts';
import styles from './leaflet-map.module.css';

/** Deepest zoom of the tile services, in Leaflet's levels: at 0 the earth is 256 px wide. */
const MAX_ZOOM = 19;
const MIN_ZOOM = 3;

/** Maximum width of the scale bar. */
const SCALE_PX = 110;

const MapContext = createContext<Leaflet | undefined>(undefined);

/** Returns the map around this component. Throws outside a LeafletMap. */
export function useMap(): Leaflet {
  const map = use(MapContext);
  if (!map) throw new Error('useMap belongs inside <LeafletMap>.');
  return map;
}

type LeafletMapProps = {
  /** Initial view; later changes do not move the map. */
  readonly centre: Position;
  readonly zoom: number;
  /** Name for screen readers. */
  readonly label: string;
  /** If false, the user cannot drag or zoom the map. */
  readonly interactive?: boolean;
  /** 'focused': on a page that scrolls, the wheel zooms only after a click on the map. */
  readonly wheel?: 'always' | 'focused';
  /** Layers and markers, and elements over the map. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: centre and zoom are only the initial view.
  useLayoutEffect(() => {
    const calm = prefersReducedMotion();
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

/** Lets the wheel zoom only while the map has the focus. @returns a function that removes the listeners */
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

/** Returns whether the user prefers reduced motion; the map then jumps instead of flying. */
export const prefersReducedMotion = (): boolean =>
  window.matchMedia('(prefers-reduced-motion: reduce)').matches;
