import { Button } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { DailyFigures } from '#shared/contract/day-figures.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { completenessMarks, isIncomplete } from '#shared/domain/completeness.ts';
import {
  dayText,
  formatDecimals,
  formatKilowattHours,
  hoursAsClock,
  hoursText,
  monthText,
  WEEKDAYS,
} from '#shared/domain/nl.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { PickButtons } from '#web/ui/pick-buttons.tsx';
import { StepButton } from '#web/ui/step-button.tsx';
import { useDayFigures } from './charging-queries.ts';
import { DayFacts } from './day-facts.tsx';
import styles from './days-panel.module.css';
import { useLastData } from './history-queries.ts';
import { dayAfterKey, monthAfter, weeksOf } from './month.ts';
import { Section } from './section.tsx';

const MEASURES = [
  { key: 'hours', label: 'Draaiuren' },
  { key: 'energy', label: 'Verbruik in kWh' },
] as const;
type Measure = (typeof MEASURES)[number]['key'];

/** Panel with a calendar of a month and the figures of the picked day. */
export function DaysPanel({ serial }: { readonly serial: string }): ReactNode {
  const thisMonth = amsterdamDay(Date.now()).slice(0, 7);
  const [month, setMonth] = useState(thisMonth);
  const [measure, setMeasure] = useState<Measure>('hours');
  const [picked, setPicked] = useState<string>();
  const query = useDayFigures(serial, month);
  const answer = useLastData(query.data);
  const go = (to: string): void => {
    setMonth(to);
    setPicked(undefined);
  };
  return (
    <Section id="dagen" title="Dagen">
      <div className="cluster">
        <StepButton label="Vorige maand" to="previous" onPress={() => go(monthAfter(month, -1))} />
        <h3 className={`${styles.month} centred`} aria-live="polite">
          {monthText(month)}
        </h3>
        <StepButton
          label="Volgende maand"
          to="next"
          isOff={month >= thisMonth}
          onPress={() => go(monthAfter(month, 1))}
        />
        <div className="ml-auto">
          <PickButtons
            legend="Wat de kalender toont"
            options={MEASURES.map(({ key, label }) => ({
              label,
              isPicked: measure === key,
              onPick: () => setMeasure(key),
            }))}
          />
        </div>
      </div>
      <RetryAlert query={query} fallback="De dagen zijn niet geladen." />
      {!answer && !query.error && (
        <div className={`${styles.skeleton} skeleton`} role="status">
          <span className="sr-only">De dagen worden geladen</span>
        </div>
      )}
      {answer && (
        <div aria-busy={answer.month !== month}>
          {answer.days.length === 0 ? (
            <NoDays newest={answer.newest} onMonth={go} />
          ) : (
            <Month
              serial={serial}
              month={answer.month}
              days={answer.days}
              measure={measure}
              picked={picked}
              onPick={setPicked}
            />
          )}
        </div>
      )}
    </Section>
  );
}

type NoDaysProps = { readonly newest: string | null; readonly onMonth: (month: string) => void };

function NoDays({ newest, onMonth }: NoDaysProps): ReactNode {
  if (newest === null)
    return (
      <EmptyState title="Nog geen dagen">
        <p>Zodra de logger van deze machine meet, staat hier per dag wat zij deed.</p>
      </EmptyState>
    );
  const month = newest.slice(0, 7);
  return (
    <EmptyState title="Geen gegevens in deze maand">
      <p>De laatste dag met gegevens is {dayText(newest)}.</p>
      <Button size="md" variant="default" onClick={() => onMonth(month)}>
        Naar {monthText(month)}
      </Button>
    </EmptyState>
  );
}

type MonthProps = {
  readonly serial: string;
  readonly month: string;
  readonly days: readonly DailyFigures[];
  readonly measure: Measure;
  readonly picked: string | undefined;
  readonly onPick: (day: string) => void;
};

/** Returns the hours or kWh of a day; undefined if unknown or without data. */
const figureOf = (day: DailyFigures | undefined, measure: Measure): number | undefined =>
  measure === 'hours' ? day && day.running / 3600 : (day?.out ?? undefined);

function Month({ serial, month, days, measure, picked, onPick }: MonthProps): ReactNode {
  const table = useRef<HTMLTableElement>(null);
  const byDate = new Map(days.map((day) => [day.date, day]));
  const shown = picked?.startsWith(month) ? picked : (days.at(-1)?.date ?? `${month}-01`);
  const most = Math.max(0, ...days.map((day) => figureOf(day, measure) ?? 0));
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = dayAfterKey(shown, event.key);
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onPick(next);
    table.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus();
  };
  const day = byDate.get(shown);
  return (
    <div className={`${styles.columns} stack gap-2-6`}>
      <div>
        <table ref={table} className={styles.calendar}>
          <caption className="sr-only">
            {monthText(month)}, {measure === 'hours' ? 'draaiuren' : 'verbruik in kWh'} per dag. Pijltjes gaan
            van dag naar dag.
          </caption>
          <thead>
            <tr>
              {WEEKDAYS.map((name) => (
                <th key={name} scope="col">
                  <span aria-hidden="true">{name.slice(0, 2)}</span>
                  <span className="sr-only">{name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeksOf(month).map((week) => (
              <tr key={week.find(Boolean)}>
                {week.map((date, n) =>
                  date === undefined ? (
                    <td key={WEEKDAYS[n]} />
                  ) : (
                    <td key={date}>
                      <DayButton
                        date={date}
                        day={byDate.get(date)}
                        measure={measure}
                        most={most}
                        isShown={date === shown}
                        onPick={onPick}
                        onKeyDown={onKeyDown}
                      />
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
        <Legend days={days} />
      </div>
      <section className={styles.day} aria-label={dayText(shown)} aria-live="polite">
        <h4 className="mb-1">{dayText(shown)}</h4>
        {day ? (
          <DayFacts serial={serial} day={day} />
        ) : (
          <p className={`${styles.quiet} quiet`}>Geen gegevens op deze dag.</p>
        )}
      </section>
    </div>
  );
}

type DayButtonProps = {
  readonly date: string;
  readonly day: DailyFigures | undefined;
  readonly measure: Measure;
  readonly most: number;
  readonly isShown: boolean;
  readonly onPick: (day: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

function DayButton({ date, day, measure, most, isShown, onPick, onKeyDown }: DayButtonProps): ReactNode {
  const value = figureOf(day, measure);
  const incomplete = day !== undefined && isIncomplete(day.coverage);
  const texts = [
    dayText(date),
    day === undefined
      ? 'geen gegevens'
      : measure === 'hours'
        ? `${hoursText(value)} gedraaid`
        : value === undefined
          ? 'verbruik niet bekend'
          : `${formatKilowattHours(value, 1)} verbruikt`,
    ...(day ? completenessMarks(day.coverage, day.isProvisional) : []),
  ];
  return (
    <button
      type="button"
      className={styles.cell}
      data-day={date}
      data-empty={day === undefined || undefined}
      // Tab reaches one day of the calendar; the arrow keys move between days.
      tabIndex={isShown ? 0 : -1}
      aria-pressed={isShown}
      style={{ '--part': most > 0 && value ? value / most : 0 } as React.CSSProperties & { '--part': number }}
      onClick={() => onPick(date)}
      onKeyDown={onKeyDown}
    >
      <span className="sr-only">{texts.join(', ')}</span>
      <span className={styles.date} aria-hidden="true">
        {Number(date.slice(8))}
        {incomplete && <span className="ml-1 bold alarming">!</span>}
        {day?.isProvisional && <span className="ml-1 bold alarming">*</span>}
      </span>
      <span className={`${styles.value} small strong`} aria-hidden="true">
        {cellOf(day, value, measure)}
      </span>
    </button>
  );
}

function cellOf(day: DailyFigures | undefined, value: number | undefined, measure: Measure): string {
  if (day === undefined) return '';
  if (value === undefined) return '--';
  return measure === 'hours' ? hoursAsClock(value) : formatDecimals(value, value < 10 ? 1 : 0);
}

function Legend({ days }: { readonly days: readonly DailyFigures[] }): ReactNode {
  const [incomplete, provisional] = [
    days.some(({ coverage }) => isIncomplete(coverage)),
    days.some(({ isProvisional }) => isProvisional),
  ];
  return (
    <p className={`${styles.quiet} quiet`}>
      {incomplete && (
        <>
          <span className="ml-1 bold alarming">!</span> dekking onder 95%: er ontbreken gegevens.{' '}
        </>
      )}
      {provisional && (
        <>
          <span className="ml-1 bold alarming">*</span> voorlopig: deze dag kan nog veranderen.
        </>
      )}
    </p>
  );
}
