import type { ReactNode } from 'react';
import type { DayChart } from '#shared/contract/history.ts';
import { dateAndTime, formatPercent, hoursAsClock, hoursText, statusLabel } from '#shared/domain/nl.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import styles from './day-panel.module.css';
import { activityPeriodsOf, packFiguresOf } from './day-series.ts';
import { rangeText } from './history-view.ts';

type DayTableProps = { readonly chart: DayChart; readonly range: TimeRange };

/** Returns a summary of the chart for a screen reader. */
export function dayChartText(chart: DayChart, range: TimeRange): string {
  const packs = packFiguresOf(chart).map(({ label, first, lowest, highest, last }) =>
    first === undefined
      ? `${label} onbekend.`
      : `${label} van ${formatPercent(first)} naar ${formatPercent(last)}, tussen ${formatPercent(lowest)} en ${formatPercent(highest)}.`,
  );
  return [
    `Laadniveau van ${rangeText(range)}.`,
    ...packs,
    `De machine draaide ${hoursOf(chart, 'running')} en laadde ${hoursOf(chart, 'charging')}.`,
  ].join(' ');
}

/** Returns the time in state `of`, as summed by the server: summing the chart's bands is inexact, because a long range simplifies them. */
const hoursOf = ({ seconds }: DayChart, of: keyof DayChart['seconds']): string =>
  hoursText(seconds[of] / 3600);

/** The table shows at most this many rows. */
const MAX_PERIODS = 100;

/** The values of the day chart as tables. */
export function DayTable({ chart, range }: DayTableProps): ReactNode {
  const periods = activityPeriodsOf(chart, range);
  const shown = periods.slice(-MAX_PERIODS);
  return (
    <details>
      <summary className="fold">
        Draaide {hoursOf(chart, 'running')}, laadde {hoursOf(chart, 'charging')}: in cijfers
      </summary>
      <div className={`${styles.tables} stack gap-4`}>
        <table className="table small">
          <caption className="py-1">Laadniveau</caption>
          <thead>
            <tr>
              {['Accu', 'Begin', 'Laagst', 'Hoogst', 'Eind'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {packFiguresOf(chart).map(({ label, first, lowest, highest, last }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{formatPercent(first)}</td>
                <td>{formatPercent(lowest)}</td>
                <td>{formatPercent(highest)}</td>
                <td>{formatPercent(last)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length > 0 && (
          <table className="table small">
            <caption className="py-1">
              {shown.length < periods.length ? `De laatste ${MAX_PERIODS} perioden` : 'Perioden'}
            </caption>
            <thead>
              <tr>
                <th scope="col">Wat</th>
                <th scope="col">Van</th>
                <th scope="col">Tot</th>
                <th scope="col">Duur</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ kind, from, to }) => (
                <tr key={`${kind} ${from}`}>
                  <th scope="row">{statusLabel(kind)}</th>
                  <td>{dateAndTime(from * 1000)}</td>
                  <td>{dateAndTime(to * 1000)}</td>
                  <td>{hoursAsClock((to - from) / 3600)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </details>
  );
}
