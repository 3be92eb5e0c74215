import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type { OwnSignal } from '#shared/contract/history.ts';
import { dateAndSecond } from '#shared/domain/nl.ts';
import { MOST_OWN_SIGNALS } from '#shared/domain/own-signals.ts';
import { RetryAlert } from '#web/ui/notice.tsx';
import { SearchedList } from '#web/ui/searched-list.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import { type Asked, useKept } from './history-calls.ts';
import { type HistoryView, POINT_AT, rangeInWords } from './history-view.ts';
import { type OwnAnswer, useOwnCourses, useOwnSignals } from './own-signal-calls.ts';
import { chartOf, inWords, valueAt } from './own-signal-series.ts';
import styles from './own-signals-panel.module.css';
import { Section } from './sections.tsx';

const TimeChart = lazy(async () => ({ default: (await import('#web/chart/time-chart.tsx')).TimeChart }));

/** px. */
const CHART_HEIGHT = 140;

type OwnSignalsPanelProps = {
  readonly asked: Asked;
  readonly view: HistoryView;
  /** ms; the moment that is looked at. */
  readonly momentMs: number | undefined;
  readonly onMoment: (ms: number | undefined) => void;
};

/** What is kept of the machine under its own name: a chart for each signal that is chosen. Nothing where there is none. */
export function OwnSignalsPanel({ asked, view, momentMs, onMoment }: OwnSignalsPanelProps): ReactNode {
  const names = useOwnSignals(asked);
  const signals = useKept(names.data) ?? [];
  // An address may ask for anything.
  const chosen = view.signals.filter((name) => signals.some((signal) => signal.name === name));
  const courses = useOwnCourses(asked, chosen);
  const answer = useKept(courses.data);
  if (signals.length === 0 && !names.error) return null;
  return (
    <Section id="signalen" title="Eigen signalen" opens={view.signals.length > 0}>
      <RetryAlert query={names} fallback="De eigen signalen zijn niet geladen." />
      {signals.length > 0 && <Choice signals={signals} chosen={chosen} onChoose={view.setSignals} />}
      {chosen.length > 0 && (
        <>
          <RetryAlert query={courses} fallback="Het verloop van de signalen is niet geladen." />
          {answer && (
            <div className={styles.answer} aria-busy={courses.isPlaceholderData}>
              <p className={styles.quiet}>
                {rangeInWords(answer.range)}
                {answer.bucketSeconds > 0 &&
                  '. De lijn is het gemiddelde, de stippen zijn laagste en hoogste.'}
              </p>
              {signals
                .filter(({ name }) => chosen.includes(name))
                .map((signal) => (
                  <Course key={signal.name} {...{ signal, answer, momentMs, onMoment }} />
                ))}
            </div>
          )}
        </>
      )}
    </Section>
  );
}

type ChoiceProps = {
  readonly signals: readonly OwnSignal[];
  readonly chosen: readonly string[];
  readonly onChoose: (names: readonly string[]) => void;
};

function Choice({ signals, chosen, onChoose }: ChoiceProps): ReactNode {
  // Whoever is choosing keeps the list in sight.
  const [isOpen] = useState(chosen.length === 0);
  const isFull = chosen.length >= MOST_OWN_SIGNALS;
  return (
    <details open={isOpen} className={styles.choice}>
      <summary>
        Kies signalen ({chosen.length} van {signals.length})
      </summary>
      {isFull && <p className={styles.quiet}>Meer dan {MOST_OWN_SIGNALS} tegelijk kan niet.</p>}
      <SearchedList
        items={signals}
        textOf={({ name }) => name}
        label="Zoek een signaal"
        placeholder="Naam van een signaal"
        plural="signalen"
      >
        {(found) => (
          <ul className={styles.names}>
            {found.map(({ name, unit }) => (
              <li key={name}>
                <TickBox
                  label={unit ? `${name} (${unit})` : name}
                  checked={chosen.includes(name)}
                  disabled={isFull && !chosen.includes(name)}
                  onChange={({ currentTarget }) =>
                    onChoose(
                      currentTarget.checked ? [...chosen, name] : chosen.filter((other) => other !== name),
                    )
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </SearchedList>
    </details>
  );
}

type CourseProps = Pick<OwnSignalsPanelProps, 'momentMs' | 'onMoment'> & {
  readonly signal: OwnSignal;
  readonly answer: OwnAnswer;
};

/** One signal: its chart, the figures of the range, and the value at the moment that is looked at. */
function Course({ signal: { name, unit }, answer, momentMs, onMoment }: CourseProps): ReactNode {
  const { range, bucketSeconds } = answer;
  const course = answer.signals.find((one) => one.name === name);
  const data = useMemo(() => course && chartOf(course, bucketSeconds, range), [course, bucketSeconds, range]);
  // Chosen a moment ago, and not answered yet.
  if (!course || !data) return null;
  const words = inWords(course, unit);
  const readout =
    momentMs === undefined
      ? undefined
      : `${dateAndSecond(momentMs)}: ${valueAt(course, unit, answer, momentMs) ?? 'geen gegevens'}`;
  return (
    <section aria-label={name}>
      <h3 className={styles.name}>
        {name} {unit && <span className={styles.quiet}>({unit})</span>}
      </h3>
      {words === undefined ? (
        <p className={styles.quiet}>Geen gegevens in deze periode.</p>
      ) : (
        <>
          <Suspense fallback={<div style={{ height: CHART_HEIGHT }} />}>
            <TimeChart
              data={data}
              label={`${name}, ${rangeInWords(range)}. ${words}`}
              height={CHART_HEIGHT}
              cursor={momentMs === undefined ? undefined : momentMs / 1_000}
              onCursor={(time) => onMoment(Math.round(time * 1_000))}
              keys={{
                name: `Moment in de grafiek van ${name}`,
                spoken: readout ?? POINT_AT,
                onLeave: () => onMoment(undefined),
              }}
            />
          </Suspense>
          <p>{words}</p>
          {readout && <p className={styles.readout}>{readout}</p>}
        </>
      )}
    </section>
  );
}
