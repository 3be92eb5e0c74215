import type { ReactNode } from 'react';
import type { Position } from '#shared/domain/position.ts';
import { BaseMap } from '#web/map/base-map.tsx';
import { LeafletMap } from '#web/map/leaflet-map.tsx';
import { PointMarker } from '#web/map/point-marker.tsx';
import { RouteLine } from '#web/map/route-line.tsx';
import styles from './logger-map.module.css';

/** Initial view of the Netherlands, until a track is loaded. */
const CENTRE = { lat: 52.1326, lon: 5.2913 };
const ZOOM = 7;

type LoggerMapProps = {
  readonly alias: string;
  readonly path: readonly Position[];
  readonly place: Position | undefined;
  /** When the machine was at the marker, as a text. */
  readonly when: string;
};

/** Map with the path of the machine in the shown range of time, and its position at the slider's time. */
export function LoggerMap({ alias, path, place, when }: LoggerMapProps): ReactNode {
  return (
    <div className={`${styles.map} framed relative clip`}>
      <LeafletMap centre={CENTRE} zoom={ZOOM} label={`Kaart met het spoor van ${alias}`} wheel="focused">
        <BaseMap />
        <RouteLine path={path} />
        {place && <PointMarker at={place} kind="moment" label={`${alias} op ${when}`} />}
        {path.length === 0 && (
          <p className={`${styles.none} raised py-1 px-3`}>Geen posities in deze periode</p>
        )}
      </LeafletMap>
    </div>
  );
}

/** Reserves the space of the map until the map is loaded. */
export const MapPlaceholder = (): ReactNode => <div className={`${styles.map} framed relative clip`} />;
