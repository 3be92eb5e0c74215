import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment, lazy, type ReactNode, Suspense, useId, useMemo, useState } from 'react';
import type { ChargingSessionView, MeasuredCapacity } from '#shared/contract/charging-sessions.ts';
import {
  clockTime,
  dateAndTime,
  formatDecimals,
  formatKilowattHours,
  formatKilowatts,
  formatPercent,
  hoursAsClock,
} from '#shared/domain/nl.ts';
import type { TimeChartData } from '#web/chart/chart-options.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';
import { Chevron } from '#web/ui/chevron.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { PickButtons } from '#web/ui/pick-buttons.tsx';
import { SESSIONS_POLL_MS } from './charging-queries.ts';
import { costText, unpricedText } from './cost-text.ts';
import { useLastData } from './history-queries.ts';
import { Section } from './section.tsx';
import {
  capacitySpreadText,
  curveText,
  sessionEndText,
  sessionLevelsText,
  sessionPlaceText,
} from './session-text.ts';
import styles from './sessions-panel.module.css';

const TimeChart = lazy(async () => ({ default: (await import('#web/chart/time-chart.tsx')).TimeChart }));

const CAPACITY_POLL_MS = 15 * 60_000;
const CHART_HEIGHT_PX = 180;
const PERIODS = [
  { days: 30, label: 'Laatste 30 dagen' },
  { days: 90, label: 'Laatste 90 dagen' },
  { days: 365, label: 'Laatste jaar' },
] as const;

/** Panel with the usable capacity of the batteries, and the charging sessions with their curves. */
export function SessionsPanel({ serial }: { readonly serial: string }): ReactNode {
  const [days, setDays] = useState<number>(PERIODS[0].days);
  const query = useQuery({
    ...readQuery('GET /api/influx/sessions/:serialNumber', {
      params: { serialNumber: serial },
      query: { start: `-${days}d` },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: SESSIONS_POLL_MS,
  });
  const answer = useLastData(query.data);
  return (
    <Section id="laadbeurten" title="Laadbeurten">
      <CapacityFigures serial={serial} />
      <PickButtons
        legend="Periode van de laadbeurten"
        options={PERIODS.map((period) => ({
          label: period.label,
          isPicked: days === period.days,
          onPick: () => setDays(period.days),
        }))}
      />
      <RetryAlert query={query} fallback="De laadbeurten zijn niet geladen." />
      {!answer && !query.error && (
        <div className={`${styles.skeleton} skeleton`} role="status">
          <span className="sr-only">De laadbeurten worden geladen</span>
        </div>
      )}
      {answer && (
        <div className="stack" aria-busy={query.isPlaceholderData}>
          {answer.sessions.length === 0 ? (
            <EmptyState title="Geen laadbeurten in deze periode">
              <p>Een laadbeurt staat hier zodra de machine 5 minuten of 0,2 kWh heeft geladen.</p>
            </EmptyState>
          ) : (
            // The key resets the table to its first rows when the period changes.
            <SessionTable key={days} serial={serial} sessions={answer.sessions} hasMore={answer.hasMore} />
          )}
        </div>
      )}
    </Section>
  );
}

/** The usable capacities with their spread. Hidden for users who see only today. */
function CapacityFigures({ serial }: { readonly serial: string }): ReactNode {
  // The capacity is computed from the last 90 days.
  return useUser().limit?.onlyToday ? null : <Capacities serial={serial} />;
}

function Capacities({ serial }: { readonly serial: string }): ReactNode {
  const query = useQuery({
    ...readQuery('GET /api/influx/capacity/:serialNumber', { params: { serialNumber: serial } }),
    refetchInterval: CAPACITY_POLL_MS,
  });
  const capacity = useLastData(query.data);
  return (
    <>
      <RetryAlert query={query} fallback="De bruikbare capaciteit is niet geladen." />
      {capacity && <CapacityList capacity={capacity} />}
    </>
  );
}

const share = (value: number): string => `${formatDecimals(value * 100, 0)}%`;

function CapacityList({
  capacity: { entered, charge, discharge, efficiency },
}: {
  readonly capacity: MeasuredCapacity;
}) {
  const figures = [
    { name: 'Bruikbare capaciteit bij ontladen', ...capacitySpreadText(discharge, 'ontladen') },
    { name: 'Bruikbare capaciteit bij laden', ...capacitySpreadText(charge, 'laden') },
    { name: 'Rendement', ...capacitySpreadText(efficiency, 'laden en ontladen', share) },
  ].filter(({ value }) => value !== undefined);
  if (figures.length === 0)
    return (
      <p className="quiet small">
        De bruikbare capaciteit staat hier na 5 laadbeurten van minstens 20 procentpunt in 90 dagen.
      </p>
    );
  return (
    <dl className="fields gap-2-6">
      {figures.map(({ name, value, more }) => (
        <div key={name}>
          <dt className="small">{name}</dt>
          <dd className="stack gap-0">
            <span className="larger strong">{value}</span>
            <span className="quiet small">{more}</span>
          </dd>
        </div>
      ))}
      <div>
        <dt className="small">Ingevulde capaciteit</dt>
        <dd className="stack gap-0">
          <span className="larger strong">
            {entered === null ? '--' : formatKilowattHours(entered, 1, 0)}
          </span>
        </dd>
      </div>
    </dl>
  );
}

type Column = {
  readonly head: string;
  readonly wide?: boolean | 'roomy';
  readonly of: (session: ChargingSessionView) => ReactNode;
};

/**
 * The columns, in order. Below 58em the 'wide' columns are hidden, and their values are shown with the session's curve;
 * a phone also hides the 'roomy' columns.
 */
const COLUMNS: readonly Column[] = [
  { head: 'Einde', wide: true, of: endMoment },
  { head: 'Duur', wide: true, of: ({ start, end }) => hoursBetween(start, end) },
  {
    head: 'Laadniveau',
    of: ({ packs }) =>
      packs.length === 0 ? '--' : sessionLevelsText(packs).map((line) => <span key={line}>{line}</span>),
  },
  { head: 'kWh', of: ({ kWh }) => (kWh === null ? '--' : formatDecimals(kWh, 1)) },
  { head: 'Gemiddeld', wide: true, of: ({ meanKw }) => (meanKw === null ? '--' : formatKilowatts(meanKw)) },
  {
    head: 'Hoogste',
    wide: true,
    of: ({ highestKw }) => (highestKw === null ? '--' : formatKilowatts(highestKw)),
  },
  { head: 'Pauzes', wide: true, of: ({ pauses }) => hoursAsClock(pauses / 3600) },
  { head: '99% en hoger', wide: true, of: ({ full }) => hoursAsClock(full / 3600) },
  { head: 'Plaats', wide: true, of: sessionPlaceText },
  { head: 'Einde door', wide: 'roomy', of: ({ ended }) => sessionEndText(ended) },
];

const hoursBetween = (start: string, end: string): string =>
  hoursAsClock((Date.parse(end) - Date.parse(start)) / 3_600_000);

/** Returns the end of a session; '--' while the session is ongoing. */
function endMoment({ start, end, ended }: ChargingSessionView): string {
  if (ended === null) return '--';
  const [from, to] = [Date.parse(start), Date.parse(end)];
  return dateAndTime(from).slice(0, 8) === dateAndTime(to).slice(0, 8) ? clockTime(to) : dateAndTime(to);
}

type SessionTableProps = {
  readonly serial: string;
  readonly sessions: readonly ChargingSessionView[];
  /** Whether the period has more sessions than the response. */
  readonly hasMore: boolean;
};

/** Column with the cost of a session, shown after the energy if the owner has a tariff. */
const COST: Column = {
  head: 'Kosten',
  wide: true,
  of: ({ cost = null }) => (
    <>
      {costText(cost)}
      {unpricedText(cost) && <span className="block quiet">{unpricedText(cost)}</span>}
    </>
  ),
};

/** Returns the columns, with the cost if a session has one. */
function columnsOf(sessions: readonly ChargingSessionView[]): readonly Column[] {
  if (!sessions.some(({ cost }) => cost !== undefined)) return COLUMNS;
  const at = COLUMNS.findIndex(({ head }) => head === 'kWh') + 1;
  return [...COLUMNS.slice(0, at), COST, ...COLUMNS.slice(at)];
}

/** Rows that are shown at first. */
const FIRST_ROWS = 10;
/** Rows that 'Toon meer' adds. */
const MORE_ROWS = 50;

function SessionTable({ serial, sessions, hasMore }: SessionTableProps): ReactNode {
  const [open, setOpen] = useState<string>();
  const [most, setMost] = useState(FIRST_ROWS);
  const columns = columnsOf(sessions);
  const shown = sessions.slice(0, most);
  const isCut = shown.length < sessions.length;
  return (
    <>
      <table className={`${styles.table} table small`}>
        <caption className="sr-only">
          Laadbeurten, de nieuwste eerst. De knop bij het begin toont het verloop.
        </caption>
        <thead>
          <tr>
            <th scope="col">Begin</th>
            {columns.map(({ head, wide }) => (
              <th key={head} scope="col" data-wide={wide}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((session) => (
            <SessionRows
              key={session.start}
              serial={serial}
              session={session}
              columns={columns}
              isOpen={open === session.start}
              onToggle={() => setOpen(open === session.start ? undefined : session.start)}
            />
          ))}
        </tbody>
      </table>
      {(isCut || hasMore) && (
        <p className="quiet small">
          {isCut
            ? `Dit zijn de nieuwste ${shown.length} van ${sessions.length}${hasMore ? ' of meer' : ''} laadbeurten.`
            : `Dit zijn de nieuwste ${sessions.length} laadbeurten.`}
        </p>
      )}
      {isCut && (
        <Button variant="default" size="md" onClick={() => setMost(most + MORE_ROWS)}>
          Toon meer
        </Button>
      )}
    </>
  );
}

type SessionRowsProps = {
  readonly serial: string;
  readonly session: ChargingSessionView;
  readonly columns: readonly Column[];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
};

function SessionRows({ serial, session, columns, isOpen, onToggle }: SessionRowsProps): ReactNode {
  const id = useId();
  return (
    <Fragment>
      <tr data-ongoing={session.ended === null || undefined}>
        <th scope="row">
          <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
            <Chevron isOpen={isOpen} />
            <Moment of={session.start} />
          </button>
          {session.ended === null && <span className={styles.ongoing}>{sessionEndText(null)}</span>}
        </th>
        {columns.map(({ head, wide, of }) => (
          <td key={head} data-wide={wide} data-levels={head === 'Laadniveau' || undefined}>
            {of(session)}
          </td>
        ))}
      </tr>
      <tr id={id} hidden={!isOpen} className={styles.opened}>
        <td colSpan={columns.length + 1}>
          {isOpen && (
            <>
              <dl className={`${styles.facts} fields-narrow gap-2-4 mt-2`}>
                {columns
                  .filter(({ wide }) => wide)
                  .map(({ head, of }) => (
                    <div key={head}>
                      <dt>{head}</dt>
                      <dd className="strong">{of(session)}</dd>
                    </div>
                  ))}
              </dl>
              <Curve serial={serial} start={session.start} isOngoing={session.ended === null} />
            </>
          )}
        </td>
      </tr>
    </Fragment>
  );
}

/** Shows 'DD-MM-YY, HH:MM', in which a line can break only between date and time. */
function Moment({ of }: { readonly of: string }): ReactNode {
  const [date, time] = dateAndTime(Date.parse(of)).split(' ');
  return (
    <span>
      <span className="nowrap">{date}</span> <span className="nowrap">{time}</span>
    </span>
  );
}

type CurveProps = { readonly serial: string; readonly start: string; readonly isOngoing: boolean };

/** Chart of the power by charge level. */
function Curve({ serial, start, isOngoing }: CurveProps): ReactNode {
  const query = useQuery({
    ...readQuery('GET /api/influx/sessions/:serialNumber/curve', {
      params: { serialNumber: serial },
      query: { start },
    }),
    refetchInterval: isOngoing ? SESSIONS_POLL_MS : false,
  });
  const points = useLastData(query.data)?.points;
  const [pointed, setPointed] = useState<number>();
  const data = useMemo(() => points && points.length > 0 && curveData(points), [points]);
  const at =
    pointed === undefined ? undefined : points?.find((point) => point.percent === Math.floor(pointed));
  const readout = at
    ? `Bij ${formatPercent(at.percent)}: ${formatKilowatts(at.kW)}`
    : 'Wijs een laadniveau aan in de grafiek.';
  return (
    <div className="stack gap-1">
      <h3 className="mt-2">Laadvermogen per laadniveau</h3>
      <RetryAlert query={query} fallback="Het verloop van deze laadbeurt is niet geladen." />
      {!points && !query.error && (
        <div className={`${styles.chart} skeleton`} role="status">
          <span className="sr-only">Het verloop wordt geladen</span>
        </div>
      )}
      {points?.length === 0 && (
        <p className="quiet small">Van deze laadbeurt is geen vermogen of laadniveau bekend.</p>
      )}
      {points && data && (
        <>
          <Suspense fallback={<div className={`${styles.chart} skeleton`} />}>
            <TimeChart
              data={data}
              label={curveText(points)}
              height={CHART_HEIGHT_PX}
              cursor={pointed}
              onCursor={setPointed}
              keys={{
                name: 'Laadniveau in de grafiek',
                spoken: readout,
                onLeave: () => setPointed(undefined),
              }}
            />
          </Suspense>
          <p className={styles.readout}>{readout}</p>
        </>
      )}
    </div>
  );
}

/** Returns the chart of a curve; the line continues over levels without a value. */
function curveData(points: readonly { readonly percent: number; readonly kW: number }[]): TimeChartData {
  const [first, last] = [points[0]?.percent ?? 0, points.at(-1)?.percent ?? 100];
  return {
    times: points.map((point) => point.percent),
    lines: [
      { label: 'Laadvermogen', color: 'var(--status-charging-line)', values: points.map(({ kW }) => kW) },
    ],
    range: { from: Math.min(first, 90), to: Math.max(last, 100) },
    across: { step: last - first > 50 ? 20 : 10, label: formatPercent },
    axis: { min: 0, label: (kW) => formatDecimals(kW, 0) },
  };
}
