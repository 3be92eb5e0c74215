import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import type { ReactNode } from 'react';
import { amsterdamDay, instantOf, nextDay } from '#shared/domain/amsterdam-time.ts';
import styles from './overview-page.module.css';

/** In the page's address: '?haaltniet=16:00'. */
const NAME = 'haaltniet';
const CLOCK = /^\d\d:\d\d$/;

/** Returns the clock time of the filter; '' without one. */
export function reachClockOf(search: URLSearchParams): string {
  const clock = search.get(NAME) ?? '';
  return CLOCK.test(clock) ? clock : '';
}

/** Returns when the clock in Amsterdam shows that time next, ms; undefined: it is no time. */
export function nextClock(clock: string, now: number): number | undefined {
  const today = amsterdamDay(now);
  return [today, nextDay(today)]
    .map((day) => instantOf(`${day} ${clock}`, 'last'))
    .find((at) => at !== undefined && at > now);
}

export function withReachClock(search: URLSearchParams, clock: string): URLSearchParams {
  const next = new URLSearchParams(search);
  if (CLOCK.test(clock)) next.set(NAME, clock);
  else next.delete(NAME);
  return next;
}

type ReachFilterProps = { readonly clock: string; readonly onChange: (clock: string) => void };

/** Shows the machines whose charge does not last until a time. */
export const ReachFilter = ({ clock, onChange }: ReachFilterProps): ReactNode => (
  <div className={styles.reach}>
    Haalt
    <TextInput
      type="time"
      size="md"
      aria-label="Haalt niet"
      value={clock}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
    niet
  </div>
);
