import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { holidaysOf, type WorkWeek } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { dayText, WEEKDAYS } from '#shared/domain/nl.ts';
import { useNow } from '#web/lib/now.ts';
import { LeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { DayInput } from '#web/ui/day-input.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput } from '#web/ui/form-input.tsx';
import { useInputError } from '#web/ui/input-errors.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { TickBox } from '#web/ui/tick-box.tsx';
import styles from './work-week-form.module.css';

/** A day in the form. Keeps its hours while it is off, for when the user switches it on again. */
type ShownDay = { readonly isOn: boolean; readonly from: string; readonly to: string };
type ShownHoliday = WorkWeek['ownHolidays'][number] & { readonly key: number };

const DAY_MS = 86_400_000;
const NEW_DAY = { from: '07:00', to: '17:00' };

/** Returns a week in the format of the calls. */
export const workWeekInputOf = (week: WorkWeek) => ({
  ...week,
  workDays: [...week.workDays],
  ownHolidays: [...week.ownHolidays],
});

type WorkWeekFormProps = {
  readonly stored: WorkWeek;
  /** Stores the week. @returns the stored week */
  readonly onSave: (week: WorkWeek) => Promise<WorkWeek>;
  /** Rendered below the holidays. */
  readonly children?: ReactNode;
};

/** Form for the days and holidays of a work week, with one save button for both. */
export function WorkWeekForm({ stored, onSave, children }: WorkWeekFormProps) {
  const [days, setDays] = useState<readonly ShownDay[]>(() =>
    stored.workDays.map((hours) => ({ isOn: hours !== null, ...(hours ?? NEW_DAY) })),
  );
  const [isNational, setNational] = useState(stored.nationalHolidays);
  const [holidays, setHolidays] = useState<readonly ShownHoliday[]>(() =>
    stored.ownHolidays.map((holiday, key) => ({ ...holiday, key })),
  );
  const nextKey = useRef(holidays.length);
  const [isDirty, setDirty] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      onSave({
        workDays: days.map(({ isOn, from, to }) => (isOn ? { from, to } : null)),
        nationalHolidays: isNational,
        ownHolidays: holidays.map(({ key: _, ...holiday }) => ({
          ...holiday,
          lastDay: holiday.lastDay || holiday.firstDay,
        })),
      }),
    onSuccess: (now) => {
      setHolidays(now.ownHolidays.map((holiday, n) => ({ ...holiday, key: holidays[n]?.key ?? n })));
      setDirty(false);
    },
  });
  const setHoliday = (key: number, part: Partial<ShownHoliday>): void => {
    setDirty(true);
    setHolidays(holidays.map((one) => (one.key === key ? { ...one, ...part } : one)));
  };
  const add = (): void => {
    setDirty(true);
    setHolidays([...holidays, { key: nextKey.current, holidayName: '', firstDay: '', lastDay: '' }]);
    nextKey.current += 1;
  };
  return (
    <div className="mt-4">
      <LeaveGuard isDirty={() => isDirty} />
      <Form
        submit="Bewaar"
        fallback="De werkweek is niet bewaard. Probeer het opnieuw."
        onSubmit={() => save.mutateAsync()}
      >
        <Panel title={FIELD_TEXTS.workDays}>
          {days.map((day, n) => (
            <DayRow
              key={WEEKDAYS[n]}
              place={n}
              day={day}
              onChange={(part) => {
                setDirty(true);
                setDays(days.map((one, m) => (m === n ? { ...one, ...part } : one)));
              }}
            />
          ))}
        </Panel>
        <Panel title="Vrije dagen">
          <TickBox
            label={FIELD_TEXTS.nationalHolidays}
            checked={isNational}
            onChange={({ currentTarget }) => {
              setDirty(true);
              setNational(currentTarget.checked);
            }}
          />
          {isNational && <ComingHolidays />}
          {holidays.length > 0 && (
            <ul className={`${styles.holidays} stack gap-4`} aria-label={FIELD_TEXTS.ownHolidays}>
              {holidays.map((holiday, n) => (
                <li className="fields-narrow pb-3 line-below" key={holiday.key}>
                  <FormInput
                    label="Naam"
                    name={`ownHolidays.${n}.holidayName`}
                    required
                    maxLength={80}
                    autoComplete="off"
                    placeholder="Bouwvak"
                    value={holiday.holidayName}
                    onChange={({ currentTarget }) =>
                      setHoliday(holiday.key, { holidayName: currentTarget.value })
                    }
                  />
                  <DayInput
                    label="Eerste dag"
                    name={`ownHolidays.${n}.firstDay`}
                    required
                    value={holiday.firstDay}
                    onChange={(firstDay) => setHoliday(holiday.key, { firstDay })}
                  />
                  <DayInput
                    label="Laatste dag"
                    name={`ownHolidays.${n}.lastDay`}
                    description="Leeg: alleen de eerste dag"
                    value={holiday.lastDay}
                    onChange={(lastDay) => setHoliday(holiday.key, { lastDay })}
                  />
                  <DeleteButton
                    of={holiday.holidayName || `vrije dag ${n + 1}`}
                    onClick={() => {
                      setDirty(true);
                      setHolidays(holidays.filter(({ key }) => key !== holiday.key));
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
          <div>
            <Button variant="default" size="md" onClick={add}>
              Voeg vrije dagen toe
            </Button>
          </div>
        </Panel>
        <Notice>{save.isSuccess && !isDirty ? 'Bewaard.' : undefined}</Notice>
        {children}
      </Form>
    </div>
  );
}

type DayRowProps = {
  /** Day of the week; 0 is Monday. */
  readonly place: number;
  readonly day: ShownDay;
  readonly onChange: (part: Partial<ShownDay>) => void;
};

function DayRow({ place, day: { isOn, from, to }, onChange }: DayRowProps) {
  const error = useInputError(`workDays.${place}`);
  const weekday = WEEKDAYS[place] ?? '';
  const hasError = error !== undefined;
  return (
    <div className={`${styles.day} gap-2 middle touch`}>
      <TickBox
        label={weekday}
        checked={isOn}
        onChange={({ currentTarget }) => onChange({ isOn: currentTarget.checked })}
      />
      {isOn ? (
        <>
          <TimeInput
            label={`${weekday} van`}
            name={`workDays.${place}`}
            hasError={hasError}
            value={from}
            onChange={(value) => onChange({ from: value })}
          />
          <span aria-hidden="true">tot</span>
          <TimeInput
            label={`${weekday} tot`}
            name={`workDays.${place}`}
            hasError={hasError}
            value={to}
            onChange={(value) => onChange({ to: value })}
          />
        </>
      ) : (
        <span className="quiet">vrij</span>
      )}
      {isOn && !hasError && isTime(from) && isTime(to) && to < from && (
        <p className={`${styles.below} quiet`}>Eindigt op {WEEKDAYS[(place + 1) % 7]}.</p>
      )}
      {isOn && from === MIDNIGHT && to === MIDNIGHT && (
        <p className={`${styles.below} quiet`}>De hele dag.</p>
      )}
      {hasError && <p className={`${styles.error} alarming`}>{error}</p>}
    </div>
  );
}

type TimeInputProps = {
  readonly label: string;
  readonly name: string;
  readonly hasError: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

const TIME = '([01]\\d|2[0-3]):[0-5]\\d';
const isTime = (text: string): boolean => new RegExp(`^${TIME}$`).test(text);
const MIDNIGHT = '00:00';
/** Normalizes '7', '7.30', '0730' and '24:00' to 'HH:mm'; returns other texts unchanged. */
const asTime = (text: string): string => {
  const [, hour, minute = '00'] = /^(\d{1,2})[:.]?(\d\d)?$/.exec(text.trim()) ?? [];
  if (hour === '24' && minute === '00') return MIDNIGHT;
  return hour === undefined ? text : `${hour.padStart(2, '0')}:${minute}`;
};

/** An input for a time of the day in 24 hours, because the browser's own input follows the browser's language. */
const TimeInput = ({ label, name, hasError, value, onChange }: TimeInputProps) => (
  <TextInput
    aria-label={label}
    name={name}
    size="md"
    required
    inputMode="numeric"
    autoComplete="off"
    maxLength={5}
    pattern={TIME}
    title="Een tijd als 07:00"
    error={hasError}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    onBlur={({ currentTarget }) => currentTarget.value !== asTime(value) && onChange(asTime(value))}
  />
);

/** Shows the next three national holidays. */
function ComingHolidays() {
  const today = amsterdamDay(useNow(DAY_MS));
  const year = Number(today.slice(0, 4));
  const coming = [...holidaysOf(year), ...holidaysOf(year + 1)].filter(({ day }) => day >= today).slice(0, 3);
  const texts = coming.map(({ day, name }) => `${name} (${dayText(day)})`);
  return <p className="quiet">Eerstvolgende: {texts.join(', ')}.</p>;
}
