import '@mantine/core/styles/Input.css';
import { Button, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { type FormEvent, type ReactNode, useState } from 'react';
import { amsterdamInstant } from '#shared/domain/amsterdam-time.ts';
import { DUTCH_CALENDAR } from './dutch-calendar.ts';
import styles from './moment-form.module.css';
import { parseTypedClock } from './typed-time.ts';

type MomentFormProps = {
  /** Initial value, 'YYYY-MM-DD HH:mm:ss' in Amsterdam time. */
  readonly wallClock: string;
  /** The last day that can be picked, 'YYYY-MM-DD'. */
  readonly latestDay: string;
  /** The instant that is chosen for a clock time that occurs twice, in the hour that is repeated at the end of October. */
  readonly which: 'first' | 'last';
  readonly onPick: (ms: number) => void;
  readonly onCancel: () => void;
};

/** A calendar and an input for a time in Amsterdam. Its code is large: load it lazily. */
export function MomentForm({ wallClock, latestDay, which, onPick, onCancel }: MomentFormProps): ReactNode {
  const [date, setDate] = useState(wallClock.slice(0, 10));
  const [time, setTime] = useState(wallClock.slice(11, 16));
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const clock = parseTypedClock(time);
    const ms = clock && amsterdamInstant(`${date} ${clock}`, which);
    if (ms) onPick(ms);
    else setError('Typ een tijd als 08:30.');
  };
  return (
    <form className={`${styles.form} stack gap-4`} onSubmit={submit} noValidate>
      <DatePicker
        size="md"
        {...DUTCH_CALENDAR}
        value={date}
        defaultDate={date}
        onChange={(day) => day !== null && setDate(day)}
        maxDate={latestDay}
      />
      <TextInput
        label="Tijd"
        size="md"
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        value={time}
        error={error}
        onChange={({ currentTarget }) => setTime(currentTarget.value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div className="halves">
        <Button type="submit" size="md">
          Klaar
        </Button>
        <Button size="md" variant="default" onClick={onCancel}>
          Annuleren
        </Button>
      </div>
    </form>
  );
}
