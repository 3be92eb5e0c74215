import type { ReactNode } from 'react';
import type { Position } from '#shared/domain/position.ts';
import { BaseMap } from '#web/map/base-map.tsx';
import { KeepInView } from '#web/map/keep-in-view.tsx';
import { LeafletMap } from '#web/map/leaflet-map.tsx';
import { PointMarker } from '#web/map/point-marker.tsx';
import { RouteLine } from '#web/map/route-line.tsx';

/** MDET-11: until there is a point. */
const CENTRE = { lat: 51.505, lon: -0.09 };
const ZOOM = 13;

type GpsMapProps = {
  readonly alias: string;
  /** undefined: not known. */
  readonly position: Position | undefined;
  readonly isStale: boolean;
  readonly isRoute: boolean;
  readonly path: readonly Position[];
  /** The chosen one of the path. */
  readonly point: Position | undefined;
  /** Of the live marker. */
  readonly popup: ReactNode;
};

/** The live point, or the route with its chosen point. */
export function GpsMap({ alias, position, isStale, isRoute, path, point, popup }: GpsMapProps): ReactNode {
  return (
    <LeafletMap centre={position ?? CENTRE} zoom={ZOOM} label={`Kaart van ${alias}`} wheel="focused">
      <BaseMap />
      {isRoute ? (
        <>
          <RouteLine path={path} />
          {point && <PointMarker at={point} kind="moment" label="Gekozen punt op de route" />}
        </>
      ) : (
        position && (
          <>
            <KeepInView at={position} />
            <PointMarker at={position} kind="machine" label={alias} stale={isStale}>
              {popup}
            </PointMarker>
          </>
        )
      )}
    </LeafletMap>
  );
}
