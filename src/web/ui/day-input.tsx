import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Popover.css';
import { DateInput } from '@mantine/dates';
import type { ReactNode } from 'react';
import styles from './day-input.module.css';
import { DUTCH_CALENDAR } from './dutch-calendar.ts';
import { useInputError } from './input-errors.ts';
import { typedDay, typedMoment } from './typed-time.ts';

type DayInputProps = {
  readonly label: string;
  /** In a form: what it holds is sent under that name. */
  readonly name?: string;
  readonly description?: string;
  readonly error?: string | undefined;
  readonly required?: boolean;
  /** With a time behind the day: then 'YYYY-MM-DD HH:mm:ss' in the place of 'YYYY-MM-DD' everywhere, in Amsterdam. */
  readonly withTime?: boolean;
  /** '' for none. */
  readonly value?: string;
  readonly defaultValue?: string;
  /** 'YYYY-MM-DD' */
  readonly min?: string;
  readonly max?: string;
  /** '' for none. */
  readonly onChange?: (value: string) => void;
};

/** A day as the Dutch write it, whatever the browser's language (APP-12): typed, or picked from a calendar. */
export function DayInput({
  name,
  error,
  required = false,
  withTime = false,
  ...props
}: DayInputProps): ReactNode {
  const { value, defaultValue, min = '2000-01-01', max = '2099-12-31', onChange, ...words } = props;
  const fault = useInputError(name);
  const parse = withTime ? typedMoment : typedDay;
  // What is no day is not sent as the day that was there before; whoever goes on has that one back.
  const check = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    const text = currentTarget.value.trim();
    const typed = parse(text);
    const isSound =
      text === '' || (typed !== undefined && typed.slice(0, 10) >= min && typed.slice(0, 10) <= max);
    currentTarget.setCustomValidity(
      isSound ? '' : `Typ een dag als ${withTime ? '01-11-2026 08:30' : '01-11-2026'}.`,
    );
  };
  return (
    <DateInput
      {...DUTCH_CALENDAR}
      {...words}
      {...(name !== undefined && { name, 'data-name': name })}
      {...(value !== undefined && { value: value || null })}
      {...(defaultValue !== undefined && { defaultValue: defaultValue || null })}
      size="md"
      valueFormat={withTime ? 'DD-MM-YYYY HH:mm' : 'DD-MM-YYYY'}
      placeholder={withTime ? 'dd-mm-jjjj uu:mm' : 'dd-mm-jjjj'}
      dateParser={(text) => parse(text) ?? null}
      withTime={withTime}
      minDate={min}
      maxDate={max}
      required={required}
      withAsterisk={false}
      allowDeselect={!required}
      autoComplete="off"
      // Nothing outside a modal dialog can be reached.
      popoverProps={{ withinPortal: false, classNames: { dropdown: styles.calendar ?? '' } }}
      error={error ?? fault}
      onInput={check}
      onBlur={({ currentTarget }) => currentTarget.setCustomValidity('')}
      onChange={(day) => onChange?.(withTime && day ? withTimeOf(day, value) : (day ?? ''))}
    />
  );
}

/** A day that is picked from the calendar has no time: it keeps that of the value before, else midnight. */
const withTimeOf = (picked: string, before = ''): string =>
  picked.length > 10 ? picked : `${picked} ${before.slice(11) || '00:00:00'}`;
