import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { dayText, formatDecimals } from '#shared/domain/nl.ts';
import { rangeOfDay } from '#shared/domain/time-range.ts';
import { DayBars } from '#web/ui/day-bars.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { useDayFiguresBetween } from './charging-queries.ts';
import { DayFacts } from './day-facts.tsx';
import { secondsAsHoursText } from './day-text.ts';
import type { HistoryView } from './history-view.ts';
import styles from './week-bars.module.css';

type WeekBarsProps = {
  readonly serial: string;
  /** Days 'YYYY-MM-DD' in order, in at most two months. */
  readonly dates: readonly string[];
  readonly view: HistoryView;
};

/** Bars of the running time per day on a narrow screen, and the figures of the pressed day. */
export function WeekBars({ serial, dates, view }: WeekBarsProps): ReactNode {
  const [picked, setPicked] = useState<string>();
  const [first = '', last = ''] = [dates[0], dates.at(-1)];
  const { byDate, isKnown, query } = useDayFiguresBetween(serial, first, last);
  const shown = picked !== undefined && dates.includes(picked) ? picked : last;
  const day = byDate.get(shown);
  const onChart = (): void => view.setPicked(rangeOfDay(shown, Date.now()));
  return (
    <>
      <RetryAlert query={query} fallback="De dagen zijn niet geladen." />
      <h3 className={styles.title}>Draaiuren per dag</h3>
      {!isKnown && !query.error && (
        <div className={`${styles.skeleton} skeleton`} role="status">
          <span className="sr-only">De dagen worden geladen</span>
        </div>
      )}
      {isKnown && (
        <DayBars
          label="Draaiuren per dag"
          bars={dates.map((date) => {
            const running = byDate.get(date)?.running;
            return {
              day: date,
              value: running ?? 0,
              text: running === undefined ? 'geen gegevens' : secondsAsHoursText(running),
              short: running === undefined ? '--' : formatDecimals(running / 3600, 1),
            };
          })}
          pick={{ day: shown, onPick: setPicked }}
        />
      )}
      <section className="stack gap-2" aria-label={dayText(shown)} aria-live="polite">
        <h3 className={styles.title}>{dayText(shown)}</h3>
        {day && <DayFacts serial={serial} day={day} />}
        {!day && isKnown && <p className="quiet">Geen gegevens op deze dag.</p>}
        {day && (
          <Button size="md" variant="default" onClick={onChart}>
            Toon het verloop
          </Button>
        )}
      </section>
    </>
  );
}
