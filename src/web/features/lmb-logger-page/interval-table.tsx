import { memo, type ReactNode, useMemo, useState } from 'react';
import { dateAndSecond, formatNumber } from '#shared/domain/nl.ts';
import { legendCodeName } from '#shared/domain/rail-legend.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import styles from './interval-table.module.css';
import { highestSpeed } from './rail-chart-data.ts';
import type { CodeTimeline, RailData } from './rail-data.ts';
import { speedText } from './slider-moment.ts';

/** The table shows at most this many rows; zooming in shows the rest. */
const MAX_ROW_COUNT = 200;

/**
 * The content of the charts as a table: a row for each interval in which a code stays the same, with the highest
 * speed in the interval (LOG-03).
 */
export const IntervalTable = memo(function IntervalTable({
  data,
  range,
}: {
  readonly data: RailData;
  readonly range: TimeRange;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="fold">Tabel van de tijdvakken</summary>
      {isOpen && <Rows data={data} range={range} />}
    </details>
  );
});

function Rows({ data, range }: { readonly data: RailData; readonly range: TimeRange }): ReactNode {
  const rows = useMemo(() => rowsOf(data, range), [data, range]);
  if (rows.length === 0)
    return (
      <p>Geen tijdvakken in deze periode. Hoogste snelheid: {speedText(highestSpeed(data.speed, range))}.</p>
    );
  return (
    <>
      {rows.length > MAX_ROW_COUNT && (
        <p>
          De eerste {MAX_ROW_COUNT} van {formatNumber(rows.length)} tijdvakken. Zoom in voor de rest.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the table is wider than a phone, so the arrow keys must scroll it. */}
      <section className={styles.scroll} tabIndex={0} aria-label="Tijdvakken">
        <table className="table small nowrap">
          <thead>
            <tr>
              <th scope="col">Van</th>
              <th scope="col">Tot</th>
              <th scope="col">Gegeven</th>
              <th scope="col">Waarde</th>
              <th scope="col">Hoogste snelheid</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROW_COUNT).map(({ name, from, to, text }) => (
              <tr key={`${name} ${from}`}>
                <td>{dateAndSecond(from)}</td>
                <td>{dateAndSecond(to)}</td>
                <td>{name}</td>
                <td>{text}</td>
                <td>{speedText(highestSpeed(data.speed, { from, to }))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

type Row = TimeRange & { readonly name: string; readonly text: string };

function rowsOf({ machinestatus, spoor, spoorstand }: RailData, range: TimeRange): readonly Row[] {
  const of = (name: string, { intervals, legend }: CodeTimeline): Row[] =>
    Array.from(intervals.value, (code, n) => ({
      name,
      from: Math.max(range.from, intervals.from[n] as number),
      to: Math.min(range.to, intervals.to[n] as number),
      text: legendCodeName(legend, code),
    })).filter(({ from, to }) => from <= to);
  return [...of('Machinestatus', machinestatus), ...of('Spoor', spoor), ...of('Spoorstand', spoorstand)].sort(
    (a, b) => a.from - b.from,
  );
}
