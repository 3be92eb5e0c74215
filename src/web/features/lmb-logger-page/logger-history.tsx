import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from 'react';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { withinLimits } from '#web/chart/zoom-range.ts';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import styles from './logger-history.module.css';
import { LoggerMap, MapPlace } from './logger-map.tsx';
import { momentAt, momentText } from './moment.ts';
import { MomentWords, momentLine } from './moment-words.tsx';
import { NoData } from './no-data.tsx';
import { type RailAnswer, useRailDetail } from './rail-calls.ts';
import { RailCharts } from './rail-charts.tsx';
import { instantAt, positionAt } from './slider.ts';
import { StretchTable } from './stretch-table.tsx';
import { TimeSlider } from './time-slider.tsx';
import { ZoomButtons } from './zoom-buttons.tsx';

/** ms; readings come once a second. */
const SHORTEST_MS = 20_000;
/** ms; while fingers move nothing is asked. */
const REST_MS = 250;

type LoggerHistoryProps = {
  readonly loggerid: string;
  readonly alias: string;
  readonly answer: RailAnswer;
  /** Buckets that the screen can show. */
  readonly points: number;
  readonly onDay: (date: string) => void;
};

/** Map, slider, charts and words of one answer; all of them stand at one moment (LOG-03, LOG-05). */
export function LoggerHistory({ loggerid, alias, answer, points, onDay }: LoggerHistoryProps): ReactNode {
  const { range: whole, data: all, lastDay } = answer;
  const [zoom, setZoom] = useState<TimeRange>();
  const range = zoom ?? whole;
  const [rested] = useDebouncedValue(zoom, REST_MS);
  const detail = useRailDetail(loggerid, zoom && rested, points);
  const data = (zoom && detail.data) ?? all;
  const [position, setPosition] = useState(() => positionAt(whole, all.extent?.from ?? whole.from));
  // The charts are there first: the map takes as long again.
  const hasCharts = useDeferredValue(true, false);
  const moment = useMemo(() => momentAt(data, range, position), [data, range, position]);

  const zoomTo = useCallback(
    (wanted: TimeRange): void => {
      const next = withinLimits(wanted, whole, SHORTEST_MS);
      const isWhole = next.from <= whole.from && next.to >= whole.to;
      // The moment stays, as near as the new steps come to it.
      setPosition((before) => positionAt(isWhole ? whole : next, instantAt(range, before)));
      setZoom(isWhole ? undefined : { from: Math.round(next.from), to: Math.round(next.to) });
    },
    [range, whole],
  );
  const point = useCallback((instant: number): void => setPosition(positionAt(range, instant)), [range]);
  const reset = useCallback((): void => zoomTo(whole), [zoomTo, whole]);

  if (!all.extent) return <NoData range={whole} lastDay={lastDay} onDay={onDay} />;
  return (
    <div className={styles.history}>
      {hasCharts ? (
        <LoggerMap alias={alias} path={data.path} place={moment.place} when={momentText(moment.instant)} />
      ) : (
        <MapPlace />
      )}
      <Panel title="Werkdag">
        <TimeSlider position={position} words={momentLine(data, moment)} onChange={setPosition} />
        <MomentWords data={data} moment={moment} />
        <ZoomButtons range={range} whole={whole} instant={moment.instant} onZoom={zoomTo} />
        <p className={styles.shown}>
          Getoond: {momentText(range.from)} tot {momentText(range.to)}
        </p>
        <RetryAlert query={detail} fallback="De details zijn niet geladen." />
        <RailCharts
          data={data}
          range={range}
          instant={moment.instant}
          onPoint={point}
          onZoom={zoomTo}
          onReset={reset}
        />
        <StretchTable data={data} range={range} />
      </Panel>
    </div>
  );
}
