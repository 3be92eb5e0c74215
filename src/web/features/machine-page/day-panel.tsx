import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, memo, type ReactNode, Suspense, useMemo } from 'react';
import { dutchDate, formatPercent, statusLabel } from '#shared/domain/nl.ts';
import { rangeOfDay } from '#shared/domain/time-range.ts';
import type { TimeChartData } from '#web/chart/chart-options.ts';
import type { ChartLine } from '#web/chart/chart-paint.ts';
import { useMedia } from '#web/lib/use-media.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { DayAlerts, useAlertsWithin } from './day-alerts.tsx';
import { DayFaults } from './day-faults.tsx';
import styles from './day-panel.module.css';
import { dayChartSeries, levelsReadoutAt } from './day-series.ts';
import { DayTable, dayChartText } from './day-table.tsx';
import { DayTransports } from './day-transports.tsx';
import { daysOfRange } from './days-of-range.ts';
import { type DayAnswer, useLastData } from './history-queries.ts';
import { CHOOSE_MOMENT_HINT, type HistoryView, rangeText } from './history-view.ts';
import { QuickRanges } from './range-pickers.tsx';
import { Section } from './section.tsx';
import { WeekBars } from './week-bars.tsx';

const TimeChart = lazy(async () => ({ default: (await import('#web/chart/time-chart.tsx')).TimeChart }));

const CHART_HEIGHT_PX = 220;
const HIGH_CHART_HEIGHT_PX = 340;

/** In a NARROW window a range of several days is shown as a bar per day; in a WIDE one the chart is as high as the map beside it. */
const NARROW = '(max-width: 47.99em)';
const WIDE = '(min-width: 80em)';

type DayPanelProps = {
  readonly serial: string;
  readonly day: UseQueryResult<DayAnswer>;
  readonly view: HistoryView;
  /** The time that the user chose in the chart, unix ms; undefined if none. */
  readonly momentMs: number | undefined;
  readonly onMoment: (ms: number | undefined) => void;
};

/** Panel with the charge level of every battery over the range, and when the machine ran or charged. */
export function DayPanel({ serial, day, view, momentMs, onMoment }: DayPanelProps): ReactNode {
  const answer = useLastData(day.data);
  return (
    <Section id="verloop" title="Verloop" opens={view.picked !== undefined && !view.isRoute}>
      <QuickRanges view={view} />
      <RetryAlert query={day} fallback="Het verloop is niet geladen." />
      {answer ? (
        <div className="stack" aria-busy={day.isPlaceholderData}>
          <DayAnswerView {...{ serial, answer, view, momentMs, onMoment }} />
        </div>
      ) : (
        !day.error && day.fetchStatus !== 'idle' && <ChartSkeleton />
      )}
    </Section>
  );
}

/** Memoized, so that the table is not rendered again when the user chooses another moment in the chart. */
const MemoizedTable = memo(DayTable);

type AnswerProps = Omit<DayPanelProps, 'day'> & { readonly answer: DayAnswer };

function DayAnswerView({ serial, answer, view, momentMs, onMoment }: AnswerProps): ReactNode {
  const { range, chart } = answer;
  const height = useMedia(WIDE) ? HIGH_CHART_HEIGHT_PX : CHART_HEIGHT_PX;
  const isNarrow = useMedia(NARROW);
  const alerts = useAlertsWithin(serial, range);
  const data = useMemo(
    (): TimeChartData => ({
      ...dayChartSeries(chart),
      marks: alerts.map(({ since }) => ({ time: Date.parse(since) / 1000, color: 'var(--text-alert)' })),
      range: { from: range.from / 1000, to: range.to / 1000 },
      axis: { min: 0, max: 100, label: formatPercent },
    }),
    [chart, range, alerts],
  );
  const label = useMemo(() => dayChartText(chart, range), [chart, range]);
  if (chart.time.length === 0) return <NoData lastDay={chart.lastDay} range={range} view={view} />;
  const dates = isNarrow ? daysOfRange(range) : [];
  if (dates.length > 0)
    return (
      <>
        <p className="quiet">{rangeText(range)}</p>
        <WeekBars serial={serial} dates={dates} view={view} />
        <DayAlerts alerts={alerts} />
        <DayFaults serial={serial} range={range} />
        <DayTransports serial={serial} range={range} />
        <MemoizedTable chart={chart} range={range} />
      </>
    );
  const readout = momentMs === undefined ? CHOOSE_MOMENT_HINT : levelsReadoutAt(chart, range, momentMs);
  return (
    <>
      <p className="quiet">{rangeText(range)}</p>
      <ChartLegend lines={data.lines} hasAlerts={alerts.length > 0} />
      <Suspense fallback={<ChartSkeleton height={height} />}>
        <TimeChart
          data={data}
          label={label}
          height={height}
          cursor={momentMs === undefined ? undefined : momentMs / 1000}
          onCursor={(time) => onMoment(Math.round(time * 1000))}
          keys={{
            name: 'Moment in de grafiek',
            spoken: readout,
            onLeave: () => onMoment(undefined),
          }}
        />
      </Suspense>
      <p className={styles.readout}>{readout}</p>
      <DayAlerts alerts={alerts} />
      <DayFaults serial={serial} range={range} />
      <DayTransports serial={serial} range={range} />
      <MemoizedTable chart={chart} range={range} />
    </>
  );
}

type NoDataProps = Pick<DayAnswer, 'range'> & {
  readonly lastDay: string | null;
  readonly view: HistoryView;
};

/** Message for a range without data, with a button to the last day with data. */
function NoData({ lastDay, range, view }: NoDataProps): ReactNode {
  const day = lastDay === null ? undefined : rangeOfDay(lastDay, Date.now());
  return (
    <EmptyState title="Geen gegevens in deze periode">
      <p className="quiet">{rangeText(range)}</p>
      {day ? (
        <>
          <p>De laatste dag met gegevens is {lastDay && dutchDate(lastDay)}.</p>
          <Button size="md" variant="default" onClick={() => view.setPicked(day)}>
            Toon die dag
          </Button>
        </>
      ) : (
        <p>Ook daarvoor heeft deze machine niets gestuurd.</p>
      )}
    </EmptyState>
  );
}

const ChartSkeleton = ({ height = CHART_HEIGHT_PX }: { readonly height?: number }) => (
  <div className="skeleton" style={{ height }} role="status">
    <span className="sr-only">Het verloop wordt geladen</span>
  </div>
);

/** The battery lines that the legend explains. `hasAlerts`: the chart also has marks of alerts. */
type ChartLegendProps = { readonly lines: readonly ChartLine[]; readonly hasAlerts: boolean };

function ChartLegend({ lines, hasAlerts }: ChartLegendProps): ReactNode {
  return (
    <ul className={`${styles.legend} cluster gap-2-6 stretch small`}>
      {lines.map(({ label, color, dash }) => (
        <li className="inline" key={label}>
          <svg viewBox="0 0 32 12" aria-hidden="true">
            <path d="M1 6h30" stroke={color} strokeWidth="2.5" strokeDasharray={dash?.join(' ')} />
          </svg>
          {label}
        </li>
      ))}
      <li className="inline">
        <svg viewBox="0 0 32 12" aria-hidden="true">
          <path d="M0 0h32v8H0z" fill="var(--status-running-line)" opacity="0.2" />
          <path d="M0 8h32v4H0z" fill="var(--status-running-line)" />
        </svg>
        {statusLabel('running')}
      </li>
      <li className="inline">
        <svg viewBox="0 0 32 12" aria-hidden="true">
          <path d="M0 0h32v8H0z" fill="var(--status-charging-line)" opacity="0.2" />
          <path d="M2 8l8-8M12 8l8-8M22 8l8-8" stroke="var(--status-charging-line)" strokeWidth="1.25" />
          <path d="M0 8h32v4H0z" fill="var(--status-charging-line)" />
        </svg>
        {statusLabel('charging')}
      </li>
      {hasAlerts && (
        <li className="inline">
          <svg viewBox="0 0 32 12" aria-hidden="true">
            <path d="M16 0v12" stroke="var(--text-alert)" strokeWidth="1.5" strokeDasharray="3 2" />
            <path d="M11 0h10l-5 8z" fill="var(--text-alert)" />
          </svg>
          Melding
        </li>
      )}
    </ul>
  );
}
