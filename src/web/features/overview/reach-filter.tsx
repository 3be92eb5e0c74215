import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import type { ReactNode } from 'react';
import { amsterdamDay, amsterdamInstant, nextDay } from '#shared/domain/amsterdam-time.ts';
import { formatNumber } from '#shared/domain/nl.ts';
import { TickBox } from '#web/ui/tick-box.tsx';

/**
 * Parameters of the address: '?haaltniet=16:00', with '&onbekend' to include machines for which it is unknown
 * whether they last until then.
 */
const NAME = 'haaltniet';
const UNKNOWN = 'onbekend';
const CLOCK = /^\d\d:\d\d$/;

/** Returns the clock time of the filter; '' without one. */
export function chargeReachTimeOf(search: URLSearchParams): string {
  const clock = search.get(NAME) ?? '';
  return CLOCK.test(clock) ? clock : '';
}

/**
 * Returns the next instant at which the clock in Amsterdam shows `clock` ('16:00'), in Unix milliseconds; undefined if `clock`
 * is no time.
 */
export function nextInstantOfClock(clock: string, now: number): number | undefined {
  const today = amsterdamDay(now);
  return [today, nextDay(today)]
    .map((day) => amsterdamInstant(`${day} ${clock}`, 'last'))
    .find((at) => at !== undefined && at > now);
}

/** Returns whether the instant `at` (Unix ms) is on another day in Amsterdam than `now`; false without `at`. */
export const isNextDay = (at: number | undefined, now: number): boolean =>
  at !== undefined && amsterdamDay(at) !== amsterdamDay(now);

export function withChargeReachTime(search: URLSearchParams, clock: string): URLSearchParams {
  const next = new URLSearchParams(search);
  if (CLOCK.test(clock)) next.set(NAME, clock);
  else for (const name of [NAME, UNKNOWN]) next.delete(name);
  return next;
}

/** Returns whether the filter includes machines for which it is unknown whether their charge lasts until the filter's time. */
export const isUnknownIncluded = (search: URLSearchParams): boolean => search.has(UNKNOWN);

export function withUnknownShown(search: URLSearchParams, isShown: boolean): URLSearchParams {
  const next = new URLSearchParams(search);
  if (isShown) next.set(UNKNOWN, '');
  else next.delete(UNKNOWN);
  return next;
}

type ReachFilterProps = {
  readonly clock: string;
  readonly isTomorrow: boolean;
  readonly onChange: (clock: string) => void;
  /** Number of machines for which it is unknown whether their charge lasts until the filter's time. */
  readonly unknown: number;
  readonly isUnknownShown: boolean;
  readonly onShowUnknown: (isShown: boolean) => void;
};

/** Filter for the machines whose charge does not last until a time that the user enters. */
export const ChargeReachFilter = ({
  clock,
  isTomorrow,
  onChange,
  unknown,
  isUnknownShown,
  onShowUnknown,
}: ReachFilterProps): ReactNode => (
  <div className="row touch">
    Haalt
    <TextInput
      type="time"
      size="md"
      aria-label="Haalt niet"
      value={clock}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
    {isTomorrow ? 'morgen niet' : 'niet'}
    {clock !== '' && unknown > 0 && (
      <TickBox
        label={`Ook ${formatNumber(unknown)} onbekend`}
        checked={isUnknownShown}
        onChange={({ currentTarget: { checked } }) => onShowUnknown(checked)}
      />
    )}
  </div>
);
