import { type ReactNode, useMemo, useState } from 'react';
import type { LiveData } from '#shared/contract/live.ts';
import { hasTimeRangeErrors, rangeErrors } from '#shared/domain/time-range.ts';
import { nearestIndex } from './broken-lines.ts';
import { CustomSignalsPanel } from './custom-signals-panel.tsx';
import { DayPanel } from './day-panel.tsx';
import { GpsPanel } from './gps-panel.tsx';
import { type RoutePoint, useDayChart, useLastData, useRoute } from './history-queries.ts';
import { useHistoryView } from './history-view.ts';
import styles from './machine-page.module.css';
import { RouteSpeed } from './route-speed.tsx';
import { useRouteSpeeds } from './speed-queries.ts';

type HistorySectionProps = {
  readonly serial: string;
  readonly alias: string;
  /** Name of the present place; undefined if unknown. */
  readonly place: string | undefined;
  readonly liveData: LiveData;
  readonly isStale: boolean;
  /** Unix ms. */
  readonly now: number;
};

const NO_ROUTE: readonly RoutePoint[] = [];

/** The history of a machine in charts and on a map, all over one range and with one chosen moment. */
export function HistorySection({
  serial,
  alias,
  place,
  liveData,
  isStale,
  now,
}: HistorySectionProps): ReactNode {
  const view = useHistoryView();
  // `now` lags behind the clock, so a range picked just now could seem to lie in the future.
  const isSound = !view.picked || !hasTimeRangeErrors(rangeErrors(view.picked, Date.now()));
  const request = { serial, picked: view.picked, isEnabled: isSound };
  const day = useDayChart(request);
  const route = useRoute({ ...request, isEnabled: isSound && view.isRoute });
  const speeds = useRouteSpeeds({ ...request, isEnabled: isSound && view.isRoute });
  const [momentMs, setMoment] = useState<number>();
  const keptRoute = useLastData(route.data);
  const points = (view.isRoute && keptRoute) || NO_ROUTE;
  const times = useMemo(() => points.map(({ ms }) => ms), [points]);
  // The point at the chosen moment; the end of the route until the user chooses a moment.
  const index = momentMs === undefined ? times.length - 1 : nearestIndex(times, momentMs);
  const shownMs = momentMs ?? points[index]?.ms;
  return (
    <div className={`${styles.history} stack gap-4 content-top`}>
      <div className="stack gap-4 content-top">
        <DayPanel serial={serial} day={day} view={view} momentMs={shownMs} onMoment={setMoment} />
        <CustomSignalsPanel request={request} view={view} momentMs={shownMs} onMoment={setMoment} />
      </div>
      <GpsPanel
        alias={alias}
        place={place}
        liveData={liveData}
        isStale={isStale}
        now={now}
        view={view}
        route={route}
        speeds={<RouteSpeed query={speeds} momentMs={shownMs} onMoment={setMoment} />}
        points={points}
        metres={day.isPlaceholderData ? undefined : day.data?.chart.distance}
        carried={day.isPlaceholderData ? undefined : day.data?.chart.carried}
        index={index}
        onIndex={(next) => setMoment(times[next])}
      />
    </div>
  );
}
