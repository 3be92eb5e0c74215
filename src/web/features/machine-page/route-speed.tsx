import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { dateAndSecond, dateAndTime, formatDecimals } from '#shared/domain/nl.ts';
import { MAX_ROUTE_SPEEDS_DAYS, speedsText } from '#shared/domain/route-speeds.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import type { TimeChartData } from '#web/chart/chart-options.ts';
import { breakAtGaps, nearestIndex } from './broken-lines.ts';
import { useLastData } from './history-queries.ts';
import type { RouteSpeeds, useRouteSpeeds } from './speed-queries.ts';

const TimeChart = lazy(async () => ({ default: (await import('#web/chart/time-chart.tsx')).TimeChart }));

const CHART_HEIGHT_PX = 150;
/** The line breaks where no position arrived for longer than this. */
const MAX_GAP_SECONDS = 300;

type RouteSpeedProps = {
  readonly query: ReturnType<typeof useRouteSpeeds>;
  /** Undefined until the user chooses a moment. */
  readonly momentMs: number | undefined;
  readonly onMoment: (ms: number) => void;
};

/** Speeds on the route, in a sentence and in a chart that is linked to the point on the map. */
export function RouteSpeed({ query, momentMs, onMoment }: RouteSpeedProps): ReactNode {
  const kept = useLastData(query.data);
  const data = useMemo(() => kept && chartData(kept.speeds, kept.range), [kept]);
  if (query.isLong)
    return <p className="quiet small">Snelheden zijn er van hoogstens {MAX_ROUTE_SPEEDS_DAYS} dagen.</p>;
  if (query.error) return <p className="quiet small">De snelheden zijn niet geladen.</p>;
  if (!kept || !data) return null;
  const { driven, carried, course } = kept.speeds;
  if (course.length === 0)
    return <p className="quiet small">Snelheid: geen van de posities heeft een snelheid.</p>;
  const times = course.map(({ ms }) => ms);
  const at = momentMs === undefined ? undefined : course[nearestIndex(times, momentMs)];
  const readout = at
    ? `${dateAndSecond(at.ms)}: ${formatDecimals(at.kmh, 1)} km/u${at.isCarried ? ', vervoerd' : ''}`
    : 'Wijs een moment aan in de grafiek.';
  return (
    <section className="stack gap-1" aria-labelledby="route-speed">
      <h3 id="route-speed">Snelheid</h3>
      <p>
        {drivenText(driven)}
        {carried.highest !== null && ` Vervoerd: ${speedsText(carried, 'km/u')}.`}
      </p>
      <Suspense fallback={<div style={{ height: CHART_HEIGHT_PX }} />}>
        <TimeChart
          data={data}
          label="Snelheid in km/u in de gekozen periode"
          height={CHART_HEIGHT_PX}
          cursor={momentMs === undefined ? undefined : momentMs / 1000}
          onCursor={(seconds) => onMoment(seconds * 1000)}
          keys={{
            name: 'Moment in de grafiek van de snelheid',
            spoken: readout,
            onLeave: () => onMoment(times.at(-1) as number),
          }}
        />
      </Suspense>
      <p className="quiet small">{readout}</p>
      <p className="quiet small">
        Van alle posities die tellen, de hoogste van elk stukje van de grafiek. Gemiddeld over de tijd vanaf 1
        km/h.
      </p>
    </section>
  );
}

/** The axis reaches at least this far, so that its whole-number labels differ. */
const MIN_AXIS_TOP_KMH = 10;

function drivenText({ highest, highestAt, ...speeds }: RouteSpeeds['driven']): string {
  if (highest === null || highestAt === null || speeds.mean === null) return 'Niet zelf gereden.';
  return `Zelf gereden: ${speedsText({ highest, ...speeds }, 'km/u')}, de hoogste op ${dateAndTime(Date.parse(highestAt))}.`;
}

function chartData({ course, slot }: RouteSpeeds, { from, to }: TimeRange): TimeChartData {
  const of = (isCarried: boolean) =>
    course.map((point) => (point.isCarried === isCarried ? point.kmh : null));
  const broken = breakAtGaps(
    course.map(({ ms }) => ms / 1000),
    [of(false), of(true)],
    Math.max(MAX_GAP_SECONDS, slot * 2),
  );
  return {
    times: broken.times,
    lines: [
      { label: 'Zelf gereden', color: 'var(--series-1)', values: broken.columns[0] ?? [] },
      { label: 'Vervoerd', color: 'var(--series-2)', dash: [6, 4], values: broken.columns[1] ?? [] },
    ],
    range: { from: from / 1000, to: to / 1000 },
    axis: {
      min: 0,
      max: Math.max(MIN_AXIS_TOP_KMH, ...course.map((point) => point.kmh * 1.05)),
      label: (value) => String(Math.round(value)),
      unit: 'km/u',
    },
  };
}
