import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type { CustomSignal } from '#shared/contract/history.ts';
import { MAX_OWN_SIGNALS } from '#shared/domain/custom-signals.ts';
import { dateAndSecond } from '#shared/domain/nl.ts';
import { RetryAlert } from '#web/ui/notice.tsx';
import { SearchedList } from '#web/ui/searched-list.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import {
  type CustomSignalSeriesInRange,
  useCustomSignalSeries,
  useCustomSignals,
} from './custom-signal-queries.ts';
import { customSignalChart, extremesText, ownValueText } from './custom-signal-series.ts';
import styles from './custom-signals-panel.module.css';
import { type HistoryRequest, useLastData } from './history-queries.ts';
import { CHOOSE_MOMENT_HINT, type HistoryView, rangeText } from './history-view.ts';
import { Section } from './section.tsx';

const TimeChart = lazy(async () => ({ default: (await import('#web/chart/time-chart.tsx')).TimeChart }));

const CHART_HEIGHT_PX = 140;

type CustomSignalsPanelProps = {
  readonly request: HistoryRequest;
  readonly view: HistoryView;
  /** The time that the user chose in a chart, unix ms; undefined if none. */
  readonly momentMs: number | undefined;
  readonly onMoment: (ms: number | undefined) => void;
};

/** Panel with a chart per chosen custom signal: a signal without a mapping. Hidden for a machine without custom signals. */
export function CustomSignalsPanel({
  request,
  view,
  momentMs,
  onMoment,
}: CustomSignalsPanelProps): ReactNode {
  const names = useCustomSignals(request);
  const signals = useLastData(names.data) ?? [];
  // The address may name signals that do not exist.
  const chosen = view.signals.filter((name) => signals.some((signal) => signal.name === name));
  const query = useCustomSignalSeries(request, chosen);
  const answer = useLastData(query.data);
  if (signals.length === 0 && !names.error) return null;
  return (
    <Section id="signalen" title="Eigen signalen" opens={view.signals.length > 0}>
      <RetryAlert query={names} fallback="De eigen signalen zijn niet geladen." />
      {signals.length > 0 && <Choice signals={signals} chosen={chosen} onChoose={view.setSignals} />}
      {chosen.length > 0 && (
        <>
          <RetryAlert query={query} fallback="Het verloop van de signalen is niet geladen." />
          {answer && (
            <div className="stack" aria-busy={query.isPlaceholderData}>
              <p className="quiet">
                {rangeText(answer.range)}
                {answer.bucketSeconds > 0 &&
                  '. De lijn is het gemiddelde, de stippen zijn laagste en hoogste.'}
              </p>
              {signals
                .filter(({ name }) => chosen.includes(name))
                .map((signal) => (
                  <SignalSeries key={signal.name} {...{ signal, answer, momentMs, onMoment }} />
                ))}
            </div>
          )}
        </>
      )}
    </Section>
  );
}

type ChoiceProps = {
  readonly signals: readonly CustomSignal[];
  readonly chosen: readonly string[];
  readonly onChoose: (names: readonly string[]) => void;
};

function Choice({ signals, chosen, onChoose }: ChoiceProps): ReactNode {
  // Decided once, at the first render, so that the list stays open while the user chooses.
  const [isOpen] = useState(chosen.length === 0);
  const isFull = chosen.length >= MAX_OWN_SIGNALS;
  return (
    <details open={isOpen}>
      <summary className="fold">
        Kies signalen ({chosen.length} van {signals.length})
      </summary>
      {isFull && <p className="quiet">Meer dan {MAX_OWN_SIGNALS} tegelijk kan niet.</p>}
      <SearchedList
        items={signals}
        textOf={({ name }) => name}
        label="Zoek een signaal"
        placeholder="Naam van een signaal"
        plural="signalen"
      >
        {(found) => (
          <ul className={`${styles.names} cards gap-x-4 wrap`}>
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

type SignalSeriesProps = Pick<CustomSignalsPanelProps, 'momentMs' | 'onMoment'> & {
  readonly signal: CustomSignal;
  readonly answer: CustomSignalSeriesInRange;
};

/** One signal: its chart, its extremes in the range, and its value at the chosen moment. */
function SignalSeries({ signal: { name, unit }, answer, momentMs, onMoment }: SignalSeriesProps): ReactNode {
  const { range, bucketSeconds } = answer;
  const series = answer.signals.find((one) => one.name === name);
  const data = useMemo(
    () => series && customSignalChart(series, bucketSeconds, range),
    [series, bucketSeconds, range],
  );
  // A signal that was just chosen has no data yet.
  if (!series || !data) return null;
  const extremes = extremesText(series, unit);
  const readout =
    momentMs === undefined
      ? undefined
      : `${dateAndSecond(momentMs)}: ${ownValueText(series, unit, answer, momentMs) ?? 'geen gegevens'}`;
  return (
    <section aria-label={name}>
      <h3>
        {name} {unit && <span className="quiet">({unit})</span>}
      </h3>
      {extremes === undefined ? (
        <p className="quiet">Geen gegevens in deze periode.</p>
      ) : (
        <>
          <Suspense fallback={<div style={{ height: CHART_HEIGHT_PX }} />}>
            <TimeChart
              data={data}
              label={`${name}, ${rangeText(range)}. ${extremes}`}
              height={CHART_HEIGHT_PX}
              cursor={momentMs === undefined ? undefined : momentMs / 1_000}
              onCursor={(time) => onMoment(Math.round(time * 1_000))}
              keys={{
                name: `Moment in de grafiek van ${name}`,
                spoken: readout ?? CHOOSE_MOMENT_HINT,
                onLeave: () => onMoment(undefined),
              }}
            />
          </Suspense>
          <p>{extremes}</p>
          {readout && <p className="strong">{readout}</p>}
        </>
      )}
    </section>
  );
}
