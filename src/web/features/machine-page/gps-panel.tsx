import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { LiveData } from '#shared/contract/live.ts';
import { formatCoordinate, formatLastSeen } from '#shared/domain/nl.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { BaseMap } from '#web/map/base-map.tsx';
import { LeafletMap } from '#web/map/leaflet-map.tsx';
import { KeepInView } from '#web/map/map-movement.ts';
import { PointMarker } from '#web/map/point-marker.tsx';
import { RouteLine } from '#web/map/route-line.tsx';
import { useUser } from '#web/session/user.ts';
import { RetryAlert } from '#web/ui/notice.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import styles from './gps-panel.module.css';
import type { RoutePoint } from './history-queries.ts';
import type { HistoryView } from './history-view.ts';
import { PickedRange } from './range-pickers.tsx';
import { RouteFacts } from './route-facts.tsx';
import { RouteSlider } from './route-slider.tsx';
import { type RouteStop, routeStops, stopDurationText, stopTimesText } from './route-stops.ts';
import { Section } from './section.tsx';

type GpsPanelProps = {
  /** Name of the present place; undefined if unknown. */
  readonly place: string | undefined;
  readonly alias: string;
  readonly liveData: LiveData;
  readonly isStale: boolean;
  /** Unix ms. */
  readonly now: number;
  readonly view: HistoryView;
  readonly route: UseQueryResult<readonly RoutePoint[]>;
  /** Shown below the route. */
  readonly speeds: ReactNode;
  /** Points of the route; empty while the route is off. */
  readonly points: readonly RoutePoint[];
  /** Distance in the whole range; undefined while it is not loaded. */
  readonly metres: number | undefined;
  /** The part of `metres` over which the machine was carried, for example on a trailer. */
  readonly carried: number | undefined;
  /** Index of the chosen point; -1 without points. */
  readonly index: number;
  readonly onIndex: (index: number) => void;
};

/** Panel with the present position on a map, or the route of the range (MDET-11 to MDET-14). */
export function GpsPanel(props: GpsPanelProps): ReactNode {
  const {
    alias,
    place,
    liveData,
    isStale,
    now,
    view,
    route,
    speeds,
    points,
    metres,
    carried,
    index,
    onIndex,
  } = props;
  const { seesRoutes } = useUser();
  const position = positionOf(liveData);
  const seen = formatLastSeen(liveData.POSITION_UNIX ?? liveData.GMT_UNIX, now);
  const point = points[index];
  const stops = useMemo(() => routeStops(points), [points]);
  return (
    <Section
      id="gps"
      title="GPS Tracking"
      opens={view.isRoute}
      isHeavy
      action={
        seesRoutes && (
          <SwitchButton
            label="Route On/Off"
            isOn={view.isRoute}
            texts={['Route On', 'Route Off']}
            isBusy={false}
            isCalm
            onSwitch={view.setRoute}
          />
        )
      }
    >
      {seesRoutes ? (
        <PickedRange view={view} now={now} />
      ) : (
        <p>Routes van het verleden zijn voor jouw rol niet zichtbaar.</p>
      )}
      {view.isRoute && <RetryAlert query={route} fallback="De route is niet geladen." />}
      <RouteNote route={route} view={view} />
      <div className={styles.map} data-stale={isStale && !view.isRoute}>
        <GpsMap
          alias={alias}
          position={position}
          isStale={isStale}
          isRoute={view.isRoute}
          path={points}
          stops={stops}
          point={point}
          popup={position && <PlaceFacts place={place} position={position} seen={seen} />}
        />
      </div>
      {point ? (
        <>
          <RouteSlider key={points[0]?.ms} points={points} index={index} onIndex={onIndex} />
          {speeds}
          <RouteFacts metres={metres} carried={carried} stops={stops} onIndex={onIndex} />
        </>
      ) : (
        !view.isRoute && <LivePlace place={place} position={position} seen={seen} />
      )}
    </Section>
  );
}

/** Status of the route. It is always in the page, so that screen readers announce its changes. */
function RouteNote({ route, view }: Pick<GpsPanelProps, 'route' | 'view'>): ReactNode {
  const isEmpty = route.data?.length === 0 && !route.isPlaceholderData;
  return (
    <p role="status" className={`${styles.note} quiet`}>
      {view.isRoute && route.isFetching && 'De route wordt geladen…'}
      {view.isRoute && !route.isFetching && isEmpty && 'Geen route: in deze periode zijn er geen posities.'}
    </p>
  );
}

type PlaceFactsProps = {
  /** Name of the place; undefined if unknown. */
  readonly place: string | undefined;
  readonly position: Position;
  readonly seen: string;
};

function LivePlace({
  position,
  ...facts
}: Omit<PlaceFactsProps, 'position'> & { readonly position: Position | undefined }) {
  if (!position) return <p className="quiet">Van deze machine is geen positie bekend.</p>;
  return <PlaceFacts position={position} {...facts} />;
}

const PlaceFacts = ({ place, position, seen }: PlaceFactsProps) => (
  <dl className="cluster gap-2-6 stretch">
    {place !== undefined && (
      <div>
        <dt className="smaller">Plaats</dt>
        <dd className="strong">{place}</dd>
      </div>
    )}
    <div>
      <dt className="smaller">Lat</dt>
      <dd className="strong">{formatCoordinate(position.lat)}</dd>
    </div>
    <div>
      <dt className="smaller">Lon</dt>
      <dd className="strong">{formatCoordinate(position.lon)}</dd>
    </div>
    <div>
      <dt className="smaller">Last Updated</dt>
      <dd className="strong">{seen}</dd>
    </div>
  </dl>
);

/** View of the map while no position is known (MDET-11). */
const CENTRE = { lat: 51.505, lon: -0.09 };
const ZOOM = 13;

type GpsMapProps = {
  readonly alias: string;
  /** Undefined if the position is unknown. */
  readonly position: Position | undefined;
  readonly isStale: boolean;
  readonly isRoute: boolean;
  readonly path: readonly Position[];
  readonly stops: readonly RouteStop[];
  /** The chosen point of the path. */
  readonly point: Position | undefined;
  /** Content of the live marker's popup. */
  readonly popup: ReactNode;
};

/** Map with the live position, or with the route and its chosen point. */
function GpsMap({ alias, position, isStale, isRoute, path, stops, point, popup }: GpsMapProps): ReactNode {
  return (
    <LeafletMap centre={position ?? CENTRE} zoom={ZOOM} label={`Kaart van ${alias}`} wheel="focused">
      <BaseMap />
      {isRoute ? (
        <>
          <RouteLine path={path} />
          <RouteMarks path={path} stops={stops} />
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

/** At most this many stops get a marker, because more markers would hide the route. */
const MAX_MARKED = 30;

/** Markers at the start and end of the route and at its longest stops. The list below the map has all stops. */
function RouteMarks({ path, stops }: Pick<GpsMapProps, 'path' | 'stops'>): ReactNode {
  const [first, last] = [path[0], path.at(-1)];
  const marked = [...stops].sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MAX_MARKED);
  return (
    <>
      {marked.map((stop) => (
        <PointMarker
          key={stop.from}
          at={stop}
          kind="stop"
          label={`Stop ${stopTimesText(stop)}, ${stopDurationText(stop)}`}
        />
      ))}
      {first && <PointMarker at={first} kind="begin" label="Begin van de route" />}
      {last && <PointMarker at={last} kind="end" label="Einde van de route" />}
    </>
  );
}
