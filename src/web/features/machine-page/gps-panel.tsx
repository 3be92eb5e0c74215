import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { LiveData } from '#shared/domain/live.ts';
import { lastSeen } from '#shared/domain/nl.ts';
import { positionOf } from '#shared/domain/position.ts';
import { Panel } from '#web/ui/panel.tsx';
import { RetryAlert } from '#web/ui/retry-alert.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import { GpsMap } from './gps-map.tsx';
import styles from './gps-panel.module.css';
import type { RoutePoint } from './history-calls.ts';
import { PickedRange } from './picked-range.tsx';
import { RouteSlider } from './route-slider.tsx';
import type { HistoryView } from './use-history-view.ts';

export type GpsPanelProps = {
  readonly alias: string;
  readonly liveData: LiveData;
  readonly isStale: boolean;
  /** ms. */
  readonly now: number;
  readonly view: HistoryView;
  readonly route: UseQueryResult<readonly RoutePoint[]>;
  /** Empty with the route off. */
  readonly points: readonly RoutePoint[];
  /** Of the chosen point; -1 without points. */
  readonly index: number;
  readonly onIndex: (index: number) => void;
};

/** Where it is, or with the route on where it was (MDET-11 to MDET-14). */
export function GpsPanel(props: GpsPanelProps): ReactNode {
  const { alias, liveData, isStale, now, view, route, points, index, onIndex } = props;
  const position = positionOf(liveData);
  const seen = lastSeen(liveData.POSITION_UNIX ?? liveData.GMT_UNIX, now);
  const point = points[index];
  return (
    <Panel
      title="GPS Tracking"
      action={
        <SwitchButton
          label="Route On/Off"
          isOn={view.isRoute}
          words={['Route On', 'Route Off']}
          isBusy={false}
          isCalm
          onSwitch={view.setRoute}
        />
      }
    >
      <PickedRange view={view} now={now} />
      {view.isRoute && <RetryAlert query={route} fallback="De route is niet geladen." />}
      <RouteNote route={route} view={view} />
      <div className={styles.map} data-stale={isStale && !view.isRoute}>
        <GpsMap
          alias={alias}
          position={position}
          isStale={isStale}
          isRoute={view.isRoute}
          path={points}
          point={point}
          popup={position && <PlaceFacts position={position} seen={seen} />}
        />
      </div>
      {point ? (
        <RouteSlider points={points} index={index} onIndex={onIndex} />
      ) : (
        !view.isRoute && <LivePlace position={position} seen={seen} />
      )}
    </Panel>
  );
}

/** Always in the page, so that it is heard. */
function RouteNote({ route, view }: Pick<GpsPanelProps, 'route' | 'view'>): ReactNode {
  const isEmpty = route.data?.length === 0 && !route.isPlaceholderData;
  return (
    <p role="status" className={styles.note}>
      {view.isRoute && route.isFetching && 'De route wordt geladen…'}
      {view.isRoute && !route.isFetching && isEmpty && 'Geen route: in deze periode zijn er geen posities.'}
    </p>
  );
}

type Place = { readonly lat: number; readonly lon: number };

function LivePlace({ position, seen }: { readonly position: Place | undefined; readonly seen: string }) {
  if (!position) return <p className={styles.quiet}>Van deze machine is geen positie bekend.</p>;
  return <PlaceFacts position={position} seen={seen} />;
}

/** Six decimals are a tenth of a metre (MDET-11). */
const PlaceFacts = ({ position, seen }: { readonly position: Place; readonly seen: string }) => (
  <dl className={styles.facts}>
    <div>
      <dt>Lat</dt>
      <dd>{position.lat.toFixed(6)}</dd>
    </div>
    <div>
      <dt>Lon</dt>
      <dd>{position.lon.toFixed(6)}</dd>
    </div>
    <div>
      <dt>Last Updated</dt>
      <dd>{seen}</dd>
    </div>
  </dl>
);
