import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { dateAndSecond, dutchDate } from '#shared/domain/nl.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { clampRangeToLimits, scaleRange } from '#web/chart/zoom-range.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { IntervalTable } from './interval-table.tsx';
import styles from './logger-history.module.css';
import { LoggerMap, MapPlaceholder } from './logger-map.tsx';
import { RailCharts } from './rail-charts.tsx';
import { type RailAnswer, useRailDetail } from './rail-queries.ts';
import { instantAtSliderPosition, sliderMomentAt, sliderPositionAt } from './slider-moment.ts';
import { StatusTotals } from './status-totals.tsx';
import { MomentFacts, sliderMomentText, TimeSlider } from './time-slider.tsx';

/** Shortest range to which the user can zoom: 20 readings, because there is one per second. */
const MIN_ZOOM_MS = 20_000;
/** Once the user has not zoomed for this long, details are requested; once the slider has not moved for this long, its time is reported. */
const REST_MS = 250;

type LoggerHistoryProps = {
  readonly loggerid: string;
  readonly alias: string;
  readonly answer: RailAnswer;
  /** Number of buckets that the screen can show. */
  readonly points: number;
  /** Time of the slider in the page's address, unix ms. */
  readonly moment: number | undefined;
  /** Called with the slider's time (unix ms) when the slider has stopped moving. */
  readonly onMoment: (ms: number) => void;
  readonly onDay: (date: string) => void;
};

/** Shows the history in one response of the server: map, slider, charts and texts, all for the slider's time (LOG-03, LOG-05). */
export function LoggerHistory(props: LoggerHistoryProps): ReactNode {
  const { loggerid, alias, answer, points, moment: addressed, onMoment, onDay } = props;
  const { range: whole, data: all, totals, lastDay } = answer;
  const [zoom, setZoom] = useState<TimeRange>();
  const range = zoom ?? whole;
  const [rested] = useDebouncedValue(zoom, REST_MS);
  const detail = useRailDetail(loggerid, zoom && rested, points);
  const data = (zoom && detail.data) ?? all;
  const [position, setPosition] = useState(() =>
    sliderPositionAt(whole, addressed ?? all.extent?.from ?? whole.from),
  );
  // False at the first render, so that the charts appear before the map: rendering both at once would take twice as long.
  const showsMap = useDeferredValue(true, false);
  const moment = useMemo(() => sliderMomentAt(data, range, position), [data, range, position]);

  useRestedMoment(moment.instant, onMoment);

  const zoomTo = useCallback(
    (wanted: TimeRange): void => {
      const next = clampRangeToLimits(wanted, whole, MIN_ZOOM_MS);
      const isWhole = next.from <= whole.from && next.to >= whole.to;
      // Keeps the slider at the same time, or at the time nearest to it that a position of the slider has in the new range.
      setPosition((before) =>
        sliderPositionAt(isWhole ? whole : next, instantAtSliderPosition(range, before)),
      );
      setZoom(isWhole ? undefined : { from: Math.round(next.from), to: Math.round(next.to) });
    },
    [range, whole],
  );
  const point = useCallback(
    (instant: number): void => setPosition(sliderPositionAt(range, instant)),
    [range],
  );
  const reset = useCallback((): void => zoomTo(whole), [zoomTo, whole]);

  /** Whether the slider's time is before the first reading of the period. */
  const isBefore = all.extent !== undefined && moment.instant < all.extent.from;
  if (!all.extent) return <NoData range={whole} lastDay={lastDay} onDay={onDay} />;
  return (
    <div className={`${styles.history} stack gap-4`}>
      {showsMap ? (
        <LoggerMap alias={alias} path={data.path} place={moment.place} when={dateAndSecond(moment.instant)} />
      ) : (
        <MapPlaceholder />
      )}
      <Panel title="Werkdag">
        <TimeSlider
          position={position}
          text={sliderMomentText(data, moment, isBefore)}
          onChange={setPosition}
        />
        <MomentFacts data={data} moment={moment} isBefore={isBefore} />
        <ZoomButtons range={range} whole={whole} instant={moment.instant} onZoom={zoomTo} />
        <p className="quiet small">
          Getoond: {dateAndSecond(range.from)} tot {dateAndSecond(range.to)}
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
        <IntervalTable data={data} range={range} />
      </Panel>
      <Panel title="Uren per status">
        <p className="quiet small">
          {dateAndSecond(whole.from)} tot {dateAndSecond(whole.to)}
        </p>
        <StatusTotals totals={totals} />
      </Panel>
    </div>
  );
}

/** Calls `onMoment` with the slider's time once the slider has moved and then stopped for REST_MS. */
function useRestedMoment(instant: number, onMoment: (ms: number) => void): void {
  const reported = useRef(instant);
  const report = useEffectEvent(onMoment);
  useEffect(() => {
    if (instant === reported.current) return undefined;
    const timer = setTimeout(() => {
      reported.current = instant;
      report(instant);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [instant]);
}

type ZoomButtonsProps = {
  readonly range: TimeRange;
  /** The requested range, which is shown before the user zooms. */
  readonly whole: TimeRange;
  /** The slider's time, unix ms: zooming in or out keeps it at the same place in the charts. */
  readonly instant: number;
  readonly onZoom: (range: TimeRange) => void;
};

/** Buttons that zoom and move, for users without a mouse or touch screen. */
function ZoomButtons({ range, whole, instant, onZoom }: ZoomButtonsProps): ReactNode {
  const half = (range.to - range.from) / 2;
  const moved = (ms: number): TimeRange => ({ from: range.from + ms, to: range.to + ms });
  const isWhole = range.from <= whole.from && range.to >= whole.to;
  const buttons = [
    { label: 'Inzoomen', next: scaleRange(range, 0.5, instant), isOff: false },
    { label: 'Uitzoomen', next: scaleRange(range, 2, instant), isOff: isWhole },
    { label: 'Eerder', next: moved(-half), isOff: range.from <= whole.from },
    { label: 'Later', next: moved(half), isOff: range.to >= whole.to },
    { label: 'Hele periode', next: whole, isOff: isWhole },
  ];
  return (
    <fieldset className={`${styles.buttons} cluster stretch`}>
      <legend className="sr-only">Zoomen</legend>
      {buttons.map(({ label, next, isOff }) => (
        <Button
          key={label}
          variant="default"
          size="sm"
          // Sets `aria-disabled` instead of `disabled`, because a disabled button would lose the focus.
          aria-disabled={isOff || undefined}
          data-off={isOff || undefined}
          onClick={() => isOff || onZoom(next)}
        >
          {label}
        </Button>
      ))}
    </fieldset>
  );
}

type NoDataProps = {
  readonly range: TimeRange;
  /** The last day with data, 'YYYY-MM-DD'; null if the logger never reported. */
  readonly lastDay: string | null;
  readonly onDay: (date: string) => void;
};

/** Message for a range without data, with a button to the last day with data. */
function NoData({ range, lastDay, onDay }: NoDataProps): ReactNode {
  return (
    <EmptyState title="Geen gegevens in deze periode">
      <p>
        Van {dateAndSecond(range.from)} tot {dateAndSecond(range.to)} heeft de logger niets gemeld.
      </p>
      {lastDay === null ? (
        <p>De logger heeft nog nooit iets gemeld.</p>
      ) : (
        <>
          <p>De laatste dag met gegevens is {dutchDate(lastDay)}.</p>
          <Button size="md" variant="default" onClick={() => onDay(lastDay)}>
            Toon die dag
          </Button>
        </>
      )}
    </EmptyState>
  );
}
