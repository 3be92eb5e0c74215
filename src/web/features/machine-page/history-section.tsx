import { type ReactNode, useMemo, useState } from 'react';
import type { LiveData } from '#shared/contract/live.ts';
import { hasErrors, rangeErrors } from '#shared/domain/time-range.ts';
import { nearestIndex } from './broken-lines.ts';
import { DayPanel } from './day-panel.tsx';
import { GpsPanel } from './gps-panel.tsx';
import { type RoutePoint, useDayChart, useKept, useRoute } from './history-calls.ts';
import { useHistoryView } from './history-view.ts';
import styles from './machine-page.module.css';
import { OwnSignalsPanel } from './own-signals-panel.tsx';
import { RouteSpeed } from './route-speed.tsx';
import { useRouteSpeeds } from './speed-calls.ts';

type HistorySectionProps = {
  readonly serial: string;
  readonly alias: string;
  /** The present place in words; undefined: not known. */
  readonly place: string | undefined;
  readonly liveData: LiveData;
  readonly isStale: boolean;
  /** ms. */
  readonly now: number;
};

const NO_ROUTE: readonly RoutePoint[] = [];

/** What was, in a chart and on a map, over one range and with one moment in it. */
export function HistorySection({
  serial,
  alias,
  place,
  liveData,
  isStale,
  now,
}: HistorySectionProps): ReactNode {
  const view = useHistoryView();
  // The clock of the panels steps; what was picked just now must not be 'in the future' for that.
  const isSound = !view.picked || !hasErrors(rangeErrors(view.picked, Date.now()));
  const asked = { serial, picked: view.picked, isEnabled: isSound };
  const day = useDayChart(asked);
  const route = useRoute({ ...asked, isEnabled: isSound && view.isRoute });
  const speeds = useRouteSpeeds({ ...asked, isEnabled: isSound && view.isRoute });
  const [momentMs, setMoment] = useState<number>();
  const keptRoute = useKept(route.data);
  const points = (view.isRoute && keptRoute) || NO_ROUTE;
  const times = useMemo(() => points.map(({ ms }) => ms), [points]);
  // Before a moment is picked: where the route ends.
  const index = momentMs === undefined ? times.length - 1 : nearestIndex(times, momentMs);
  const shownMs = momentMs ?? points[index]?.ms;
  return (
    <div className={styles.history}>
      <div className={styles.courses}>
        <DayPanel serial={serial} day={day} view={view} momentMs={shownMs} onMoment={setMoment} />
        <OwnSignalsPanel asked={asked} view={view} momentMs={shownMs} onMoment={setMoment} />
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
