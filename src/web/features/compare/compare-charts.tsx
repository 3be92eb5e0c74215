import { type ReactNode, useMemo, useState } from 'react';
import type { ComparedTimeSeries } from '#shared/contract/compare.ts';
import { dutchDate, formatDecimals, formatPercent, hoursAsClock, statusLabel } from '#shared/domain/nl.ts';
import type { TimeChartData } from '#web/chart/chart-options.ts';
import { TimeChart } from '#web/chart/time-chart.tsx';
import { useMedia } from '#web/lib/use-media.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import styles from './compare-page.module.css';
import type { ComparedSeries } from './compare-queries.ts';
import {
  activityRows,
  chartTimeText,
  hasLevels,
  hasSeriesData,
  levelLines,
  lineStyleOf,
  machineNameOf,
  missingSeriesText,
  powerLines,
  seriesReadoutText,
} from './compare-series.ts';

const LEVEL_HEIGHT_PX = 240;
const POWER_HEIGHT_PX = 200;
const AXIS_HEIGHT_PX = 38;
const ROW_HEIGHT_PX = 44;

type CompareChartsProps = {
  readonly courses: ComparedSeries;
  /** Whether the period is one day, so that texts show a clock time without the date. */
  readonly isOneDay: boolean;
};

/** Charts of the charge level, power, running and charging of machines, with one time axis, cursor and legend. */
export function CompareCharts({ courses: { range, machines }, isOneDay }: CompareChartsProps): ReactNode {
  const [cursor, setCursor] = useState<number>();
  const shown = useMemo(() => ({ from: range.from / 1000, to: range.to / 1000 }), [range]);
  const level = useMemo(
    (): TimeChartData => ({
      ...levelLines(machines),
      range: shown,
      axis: { min: 0, max: 100, label: formatPercent },
    }),
    [machines, shown],
  );
  const power = useMemo(
    (): TimeChartData => ({
      ...powerLines(machines),
      range: shown,
      axis: { min: 0, label: (kw) => formatDecimals(kw, 1, 0), unit: 'kW' },
    }),
    [machines, shown],
  );
  const activity = useMemo(
    (): TimeChartData => ({
      times: [shown.from, shown.to],
      lines: [],
      rows: activityRows(machines),
      range: shown,
      axis: { min: 0, max: 1, label: () => '' },
    }),
    [machines, shown],
  );
  const silent = machines.filter((course) => !hasSeriesData(course));
  if (silent.length === machines.length)
    return (
      <EmptyState title="Geen gegevens in deze periode">
        {machines.map((course) => (
          <p key={course.serial}>
            {machineNameOf(course)}: {lastDayText(course)}
          </p>
        ))}
      </EmptyState>
    );
  // Limits the cursor to the period, because the middle of the last bucket may be in the future. Ignores the cursor if the user set it
  // in an earlier shown period.
  const last = shown.to - 1;
  const inside = cursor !== undefined && cursor >= shown.from && cursor <= shown.to ? cursor : undefined;
  const names = machines.map(machineNameOf).join(', ');
  const point = { cursor: inside, onCursor: (time: number) => setCursor(Math.min(time, last)) };
  const moment = inside === undefined ? 'Wijs een moment aan' : chartTimeText(inside, isOneDay);
  const spoken =
    inside === undefined
      ? moment
      : `${moment}: ${machines.map((course) => `${machineNameOf(course)} ${seriesReadoutText(course, inside)}`).join('; ')}`;
  return (
    <>
      <ul className={`${styles.legend} stack gap-2-6`} aria-label="Machines">
        {machines.map((course, n) => (
          <li className="row gap-3 baseline wrap" key={course.serial}>
            <Swatch n={n} />
            <span>
              <strong>{machineNameOf(course)}</strong>
              {inside !== undefined && <span>: {seriesReadoutText(course, inside)}</span>}
              {missingSeriesText(course) !== undefined && (
                <span className="quiet">
                  {' '}
                  ({missingSeriesText(course)}
                  {!hasSeriesData(course) && `; ${lastDayText(course)}`})
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="quiet" aria-hidden="true">
        {moment}
      </p>
      {machines.some(hasLevels) && (
        <section aria-label="Acculading">
          <h3>Acculading</h3>
          <TimeChart
            {...point}
            data={level}
            height={LEVEL_HEIGHT_PX}
            label={`Acculading van ${names}. De cijfers staan in de tabel.`}
            keys={{ name: 'Moment in de grafieken', spoken, onLeave: () => setCursor(undefined) }}
          />
        </section>
      )}
      {machines.some((course) => course.power.time.length > 0) && (
        <section aria-label="Vermogen">
          <h3>Vermogen uit de accu (kW)</h3>
          <TimeChart
            {...point}
            data={power}
            height={POWER_HEIGHT_PX}
            label={`Vermogen van ${names}, gemiddeld per ${(machines[0]?.power.bucketSeconds ?? 300) / 60} minuten.`}
          />
        </section>
      )}
      <section aria-label="Draaien en laden">
        <h3>Draaien en laden</h3>
        <TimeChart
          {...point}
          data={activity}
          height={AXIS_HEIGHT_PX + ROW_HEIGHT_PX * machines.length * 2}
          label={`Wanneer ${names} draaiden en laadden. Hoe lang staat in de tabel.`}
        />
      </section>
      <Spent machines={machines} />
    </>
  );
}

const Swatch = ({ n }: { readonly n: number }): ReactNode => {
  const { color, dash } = lineStyleOf(n);
  return (
    <svg viewBox="0 0 40 12" aria-hidden="true">
      <path d="M1 6h38" stroke={color} strokeWidth="2.5" strokeDasharray={dash?.join(' ')} />
    </svg>
  );
};

const lastDayText = ({ lastDay }: ComparedTimeSeries): string =>
  lastDay === null ? 'stuurde nog niets' : `laatste dag met gegevens ${dutchDate(lastDay)}`;

const SPENT = [
  ['running', statusLabel('running')],
  ['charging', statusLabel('charging')],
  ['off', statusLabel('off')],
  ['unknown', 'Geen gegevens'],
] as const;

/** Screens on which a row has room for the machine's name and its durations. */
const WIDE = '(min-width: 48em)';

/** Table of how long each machine ran, charged and was off. On narrow screens the machine's name is above its durations. */
function Spent({ machines }: { readonly machines: readonly ComparedTimeSeries[] }): ReactNode {
  const isWide = useMedia(WIDE);
  return (
    <table className={`${styles.spent} table numbers small`}>
      <caption className="py-1">In deze periode</caption>
      <thead>
        <tr>
          {isWide && <th scope="col">Machine</th>}
          {SPENT.map(([key, label]) => (
            <th key={key} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      {machines.map((course) => {
        const durations = SPENT.map(([key]) => <td key={key}>{hoursAsClock(course.seconds[key] / 3600)}</td>);
        return (
          <tbody key={course.serial}>
            {isWide ? (
              <tr>
                <th scope="row">{machineNameOf(course)}</th>
                {durations}
              </tr>
            ) : (
              <>
                <tr>
                  <th scope="rowgroup" colSpan={SPENT.length}>
                    {machineNameOf(course)}
                  </th>
                </tr>
                <tr>{durations}</tr>
              </>
            )}
          </tbody>
        );
      })}
    </table>
  );
}
