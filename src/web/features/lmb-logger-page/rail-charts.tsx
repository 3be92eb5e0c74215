import { memo, type ReactNode, useMemo } from 'react';
import { dateAndSecond } from '#shared/domain/nl.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { TimeChart } from '#web/chart/time-chart.tsx';
import { ZoomArea } from '#web/chart/zoom-area.tsx';
import type { Range } from '#web/chart/zoom-range.ts';
import { RailCodeName } from '#web/machines/rail-code-name.tsx';
import { codesOf, highestSpeed, speedChart, timelineChart } from './rail-chart-data.ts';
import styles from './rail-charts.module.css';
import type { CodeTimeline, RailData } from './rail-data.ts';
import { speedText } from './slider-moment.ts';

const SPEED_HEIGHT_PX = 190;
const STATUS_HEIGHT_PX = 86;
const TRACK_HEIGHT_PX = 154;

type RailChartsProps = {
  readonly data: RailData;
  /** The range that the charts show. */
  readonly range: TimeRange;
  /** Time at which the charts show their cursors, unix ms. */
  readonly instant: number;
  readonly onPoint: (instant: number) => void;
  readonly onZoom: (range: TimeRange) => void;
  readonly onReset: () => void;
};

const inMs = ({ from, to }: Range): TimeRange => ({ from: from * 1000, to: to * 1000 });

/** Charts of speed, machine status and track data on one time axis (LOG-03). */
export const RailCharts = memo(function RailCharts({
  data,
  range,
  instant,
  onPoint,
  onZoom,
  onReset,
}: RailChartsProps): ReactNode {
  const { machinestatus, spoor, spoorstand } = data;
  const speed = useMemo(() => speedChart(data, range), [data, range]);
  const status = useMemo(
    () => timelineChart([{ label: 'Machinestatus', timeline: machinestatus }], range),
    [machinestatus, range],
  );
  const track = useMemo(
    () =>
      timelineChart(
        [
          { label: 'Spoor', timeline: spoor },
          { label: 'Spoorstand', timeline: spoorstand },
        ],
        range,
      ),
    [spoor, spoorstand, range],
  );
  const period = `van ${dateAndSecond(range.from)} tot ${dateAndSecond(range.to)}`;
  const highest = useMemo(() => highestSpeed(data.speed, range), [data, range]);
  const point = { cursor: instant / 1000, onCursor: (time: number) => onPoint(time * 1000) };
  return (
    <ZoomArea range={speed.range} onZoom={(next) => onZoom(inMs(next))} onReset={onReset}>
      <section className={styles.chart} aria-label="Snelheid">
        <h3 className="mb-1">Snelheid (km/u)</h3>
        <TimeChart
          {...point}
          data={speed}
          height={SPEED_HEIGHT_PX}
          label={`Snelheid ${period}; hoogste: ${speedText(highest)}. De waarden staan in de tabel.`}
        />
      </section>
      <section className={styles.chart} aria-label="Machinestatus">
        <h3 className="mb-1">Machinestatus</h3>
        <TimeChart
          {...point}
          data={status}
          height={STATUS_HEIGHT_PX}
          label={`Machinestatus ${period}. De tijdvakken staan in de tabel.`}
        />
        <Legend label="Legenda machinestatus" timeline={machinestatus} />
      </section>
      <section className={styles.chart} aria-label="Spoordata">
        <h3 className="mb-1">Spoordata</h3>
        <TimeChart
          {...point}
          data={track}
          height={TRACK_HEIGHT_PX}
          label={`Spoor en spoorstand ${period}. De tijdvakken staan in de tabel.`}
        />
        <Legend label="Legenda spoor" title="Spoor" timeline={spoor} />
        <Legend label="Legenda spoorstand" title="Spoorstand" timeline={spoorstand} />
      </section>
    </ZoomArea>
  );
});

type LegendProps = { readonly label: string; readonly title?: string; readonly timeline: CodeTimeline };

/** Legend of a timeline's colours, including codes that are not in the legend of the response. */
const Legend = memo(function Legend({ label, title, timeline }: LegendProps): ReactNode {
  return (
    <div className="cluster gap-x-3 stretch mt-1 small">
      {title && <span className={styles.title}>{title}</span>}
      <ul className="cluster gap-x-4 stretch" aria-label={label}>
        {codesOf(timeline).map((code) => (
          <li className="row gap-1" key={code}>
            <RailCodeName legend={timeline.legend} code={code} />
          </li>
        ))}
      </ul>
    </div>
  );
});
