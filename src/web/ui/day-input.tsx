import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Popover.css';
import { DateInput } from '@mantine/dates';
import type { ReactNode } from 'react';
import styles from './day-input.module.css';
import { DUTCH_CALENDAR } from './dutch-calendar.ts';
import { useInputError } from './input-errors.ts';
import { parseTypedDay, parseTypedMoment } from './typed-time.ts';

type DayInputProps = {
  readonly label: string;
  /** Name under which a form sends the value. */
  readonly name?: string;
  readonly description?: string;
  readonly error?: string | undefined;
  readonly required?: boolean;
  /**
   * Whether the user also enters a time: values are then 'YYYY-MM-DD HH:mm:ss' in Amsterdam time instead of
   * 'YYYY-MM-DD'.
   */
  readonly withTime?: boolean;
  /** The chosen day or time; '' for none. */
  readonly value?: string;
  readonly defaultValue?: string;
  /** 'YYYY-MM-DD' */
  readonly min?: string;
  readonly max?: string;
  /** Called with the chosen day or time; '' for none. */
  readonly onChange?: (value: string) => void;
};

/** An input for a day in Dutch notation, whatever the browser's language (APP-12): typed, or picked from a calendar. */
export function DayInput({
  name,
  error,
  required = false,
  withTime = false,
  ...props
}: DayInputProps): ReactNode {
  const { value, defaultValue, min = '2000-01-01', max = '2099-12-31', onChange, ...texts } = props;
  const formError = useInputError(name);
  const parse = withTime ? parseTypedMoment : parseTypedDay;
  // An invalid text blocks the form, which would otherwise send the earlier day. Leaving the field restores that day.
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
      {...texts}
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
      // Renders the calendar without a portal, because elements outside a modal dialog cannot be reached.
      popoverProps={{ withinPortal: false, classNames: { dropdown: styles.calendar ?? '' } }}
      error={error ?? formError}
      onInput={check}
      onBlur={({ currentTarget }) => currentTarget.setCustomValidity('')}
      onChange={(day) => onChange?.(withTime && day ? withTimeOf(day, value) : (day ?? ''))}
    />
  );
}

/** Adds the time of the earlier value, else midnight, to a day that was picked from the calendar without a time. */
const withTimeOf = (picked: string, before = ''): string =>
  picked.length > 10 ? picked : `${picked} ${before.slice(11) || '00:00:00'}`;
