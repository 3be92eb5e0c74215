import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '#web/queries/read.ts';
import '@mantine/core/styles/Input.css';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { MIN_COMPARED_MACHINES } from '#shared/domain/compare.ts';
import { monthText } from '#shared/domain/nl.ts';
import { useBackLink } from '#web/lib/back-link.ts';
import { DayInput } from '#web/ui/day-input.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PickList } from '#web/ui/pick-list.tsx';
import { FiguresTable } from './compare-figures.tsx';
import styles from './compare-page.module.css';
import { useComparedSeries, useFigures } from './compare-queries.ts';
import {
  type CompareView,
  compareSearchOf,
  compareViewOf,
  daysText,
  figureDaysOf,
  graphDaysOf,
  isPeriod,
  machinesErrorText,
  monthsUntil,
  PERIODS,
  periodErrorText,
} from './compare-view.ts';

const CompareCharts = lazy(async () => ({ default: (await import('./compare-charts.tsx')).CompareCharts }));

/** Value of the option in the list of months with which the table covers the period of the graphs instead of a month. */
const PERIOD = 'period';

/** Page '/vergelijk': the graphs of two to five machines on one time axis, and their figures in one table. */
export function ComparePage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const [today] = useState(() => amsterdamDay(Date.now()));
  const view = compareViewOf(search);
  const { machines, month } = view;
  const days = graphDaysOf(view, today);
  const figureDays = figureDaysOf(view, today);
  const machinesError = machinesErrorText(machines);
  const periodError = periodErrorText(days, today);
  const isSound = machinesError === undefined;
  const courses = useComparedSeries(machines, days, today, isSound && periodError === undefined);
  const figuresError = month === undefined ? periodError : undefined;
  const figures = useFigures(machines, figureDays, today, isSound && figuresError === undefined);
  const wayBack = useBackLink('/overzicht');
  const change = (next: Partial<CompareView>): void =>
    setSearch((now) => compareSearchOf({ ...compareViewOf(now), ...next }), {
      replace: true,
      preventScrollReset: true,
    });
  return (
    <div className={styles.document}>
      <Page title="Vergelijk" back={wayBack.to} onBack={wayBack.onClick}>
        <Choices view={view} today={today} onChange={change} />
        {machinesError !== undefined ? (
          <EmptyState title={machinesError} />
        ) : (
          <div className="panels">
            <Panel title="Verloop">
              {periodError !== undefined && <EmptyState title={periodError} />}
              {periodError === undefined && (
                <>
                  <RetryAlert query={courses} fallback="Het verloop is niet geladen." />
                  {courses.data ? (
                    <div aria-busy={courses.isPlaceholderData} className="stack">
                      <Suspense fallback={<Skeleton />}>
                        <CompareCharts courses={courses.data} isOneDay={days.from === days.to} />
                      </Suspense>
                    </div>
                  ) : (
                    !courses.error && <Skeleton />
                  )}
                </>
              )}
            </Panel>
            <Panel
              title={`Cijfers van ${daysText(figureDays)}`}
              action={
                <NativeSelect
                  size="md"
                  aria-label="Cijfers van"
                  value={month ?? PERIOD}
                  onChange={({ currentTarget: { value } }) =>
                    change({ month: value === PERIOD ? undefined : value })
                  }
                >
                  <option value={PERIOD}>Periode van het verloop</option>
                  {monthsUntil(today, month).map((one) => (
                    <option key={one} value={one}>
                      {monthText(one)}
                    </option>
                  ))}
                </NativeSelect>
              }
            >
              {figuresError !== undefined && <EmptyState title={figuresError} />}
              {figuresError === undefined && (
                <>
                  <RetryAlert query={figures} fallback="De cijfers zijn niet geladen." />
                  {figures.data ? (
                    <div aria-busy={figures.isPlaceholderData} className="stack">
                      <FiguresTable figures={figures.data} />
                    </div>
                  ) : (
                    !figures.error && <p role="status">De cijfers worden geladen</p>
                  )}
                </>
              )}
            </Panel>
          </div>
        )}
      </Page>
    </div>
  );
}

const Skeleton = (): ReactNode => (
  <div className={`${styles.skeleton} skeleton`} role="status">
    <span className="sr-only">Het verloop wordt geladen</span>
  </div>
);

type ChoicesProps = {
  readonly view: CompareView;
  readonly today: string;
  readonly onChange: (next: Partial<CompareView>) => void;
};

/** Fields for the machines and the period. Each change is shown at once, without a button. */
function Choices({ view, today, onChange }: ChoicesProps): ReactNode {
  const { machines, period } = view;
  const days = graphDaysOf(view, today);
  const isOwn = typeof period === 'object';
  return (
    <search aria-label="Kies machines en periode" className={`${styles.choices} stack top mb-4`}>
      <PickList
        label="Machines (twee tot vijf)"
        none="Kies"
        options={useOptions(machines)}
        chosen={[...new Set(machines)]}
        onChange={(chosen) => onChange({ machines: chosen })}
        opens={machines.length < MIN_COMPARED_MACHINES}
      />
      <NativeSelect
        label="Periode van het verloop"
        size="md"
        value={isOwn ? 'own' : period}
        onChange={({ currentTarget: { value } }) => onChange({ period: isPeriod(value) ? value : days })}
      >
        {PERIODS.map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
        <option value="own">Zelf kiezen</option>
      </NativeSelect>
      {isOwn && (
        <>
          <DayInput
            label="Eerste dag"
            required
            max={today}
            value={days.from}
            onChange={(from) => from && onChange({ period: { ...days, from } })}
          />
          <DayInput
            label="Laatste dag"
            required
            value={days.to}
            onChange={(to) => to && onChange({ period: { ...days, to } })}
          />
        </>
      )}
    </search>
  );
}

/**
 * Returns all machines as options; those of the same model as the first chosen machine come first. Includes chosen serial numbers
 * that no machine has, so that the user can remove them.
 */
function useOptions(chosen: readonly string[]) {
  const { data = [] } = useQuery(readQuery('GET /api/machine/get/all'));
  const known = new Map(data.map((machine) => [machine.serialNumber.toLowerCase(), machine]));
  const written = new Map(chosen.map((serial) => [serial.toLowerCase(), serial]));
  const first = known.get(chosen[0]?.toLowerCase() ?? '');
  const isOther = ({ brand, model }: (typeof data)[number]): number =>
    Number(first !== undefined && (brand !== first.brand || model !== first.model));
  return [
    ...data
      .toSorted((a, b) => isOther(a) - isOther(b))
      .map(({ serialNumber, alias, brand, model }) => ({
        value: written.get(serialNumber.toLowerCase()) ?? serialNumber,
        label: `${alias}, ${[brand, model].filter(Boolean).join(' ')} (${serialNumber})`,
        words: `${brand} ${model} ${alias} ${serialNumber}`,
      })),
    ...[...new Set(chosen)]
      .filter((serial) => !known.has(serial.toLowerCase()))
      .map((serial) => ({ value: serial, label: `${serial} (geen machine)`, words: serial })),
  ];
}
