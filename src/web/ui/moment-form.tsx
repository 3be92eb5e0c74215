import '@mantine/core/styles/Input.css';
import '@mantine/dates/styles.css';
import 'dayjs/locale/nl';
import { Button, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { type FormEvent, type ReactNode, useState } from 'react';
import { instantOf } from '#shared/domain/amsterdam-time.ts';
import styles from './moment-form.module.css';

type MomentFormProps = {
  /** 'YYYY-MM-DD HH:mm:ss' to begin with. */
  readonly wallClock: string;
  /** 'YYYY-MM-DD'. */
  readonly latestDay: string;
  readonly which: 'first' | 'last';
  /** ms. */
  readonly onPick: (ms: number) => void;
  readonly onCancel: () => void;
};

/** A calendar and a time in Amsterdam. Heavy: load it when it is needed. */
export function MomentForm({ wallClock, latestDay, which, onPick, onCancel }: MomentFormProps): ReactNode {
  const [date, setDate] = useState(wallClock.slice(0, 10));
  const [time, setTime] = useState(wallClock.slice(11, 16));
  const [fault, setFault] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const clock = typedClock(time);
    const ms = clock && instantOf(`${date} ${clock}`, which);
    if (ms) onPick(ms);
    else setFault('Typ een tijd als 08:30.');
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <DatePicker
        size="md"
        locale="nl"
        firstDayOfWeek={1}
        weekendDays={[]}
        hideOutsideDates
        value={date}
        defaultDate={date}
        onChange={(day) => day !== null && setDate(day)}
        maxDate={latestDay}
        ariaLabels={{
          nextMonth: 'Volgende maand',
          previousMonth: 'Vorige maand',
          nextYear: 'Volgend jaar',
          previousYear: 'Vorig jaar',
          nextDecade: 'Volgende tien jaar',
          previousDecade: 'Vorige tien jaar',
        }}
      />
      <TextInput
        label="Tijd"
        size="md"
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        value={time}
        error={fault}
        onChange={({ currentTarget }) => setTime(currentTarget.value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div className={styles.buttons}>
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

/** 'HH:mm' of what a person types as a time: '8:30', '0830', '8.30', '8'. undefined: it is none. */
export function typedClock(text: string): string | undefined {
  const parts = /^(\d{1,2})(?:[:.]?(\d{2}))?$/.exec(text.trim());
  if (!parts) return undefined;
  const [hour, minute] = [Number(parts[1]), Number(parts[2] ?? 0)];
  if (hour > 23 || minute > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
