import { Button, NativeSelect, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.css';
import { type FormEvent, type ReactNode, useState } from 'react';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { LOG_KINDS, type LogKind } from '#shared/domain/log-kinds.ts';
import { rangeErrors } from '#shared/domain/time-range.ts';
import { RangeFields } from '#web/ui/range-fields.tsx';
import type { LogPageFilter } from './log-filter.ts';
import styles from './logbook-page.module.css';

const DAY_MS = 86_400_000;
/** The periods to choose from. Each begins at the start of the day that lies `days` days ago. */
const PERIODS: readonly (readonly [days: number, label: string])[] = [
  [0, 'Vandaag'],
  [7, 'Laatste 7 dagen'],
  [30, 'Laatste 30 dagen'],
];
const sinceDays = (days: number, now: number): number =>
  amsterdamDayRange(amsterdamDay(now - days * DAY_MS))?.from ?? now;

export type Person = { readonly id: number; readonly name: string };

type LogFiltersProps = {
  readonly view: LogPageFilter;
  readonly people: readonly Person[];
  readonly onChange: (view: LogPageFilter) => void;
};

/** Filter fields of the audit log. Each choice takes effect at once, except a typed serial number. */
export function LogFilters({ view, people, onChange }: LogFiltersProps): ReactNode {
  const [now] = useState(() => Date.now());
  const { from, to, ...rest } = view;
  const preset = to === undefined ? PERIODS.find(([days]) => sinceDays(days, now) === from)?.[0] : undefined;
  const isOwn = preset === undefined && (from !== undefined || to !== undefined);
  const pick = (value: string): void => {
    if (value === '') onChange(rest);
    else if (value === 'own') onChange({ ...rest, from: from ?? sinceDays(7, now), to: minuteOf(now) });
    else onChange({ ...rest, from: sinceDays(Number(value), now) });
  };
  const range = { from: from ?? sinceDays(30, now), to: to ?? minuteOf(now) };
  return (
    <search className={`${styles.filters} stack mb-3`} aria-label="Zoek in het logboek">
      <NativeSelect
        label="Soort"
        size="md"
        value={view.kind ?? ''}
        onChange={({ currentTarget: { value } }) => onChange(without(view, 'kind', value as LogKind | ''))}
      >
        <option value="">Alles</option>
        {Object.entries(LOG_KINDS).map(([kind, word]) => (
          <option key={kind} value={kind}>
            {word}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        label="Persoon"
        size="md"
        value={view.person ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange(without(view, 'person', value === '' ? '' : Number(value)))
        }
      >
        <option value="">Iedereen</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <MachineField
        key={view.machine}
        machine={view.machine ?? ''}
        onChange={(machine) => onChange(without(view, 'machine', machine))}
      />
      <NativeSelect
        label="Periode"
        size="md"
        value={isOwn ? 'own' : (preset ?? '')}
        onChange={({ currentTarget: { value } }) => pick(value)}
      >
        <option value="">Alles</option>
        {PERIODS.map(([days, label]) => (
          <option key={days} value={days}>
            {label}
          </option>
        ))}
        <option value="own">Zelf kiezen</option>
      </NativeSelect>
      {isOwn && (
        <RangeFields
          range={range}
          errors={rangeErrors(range, Number.POSITIVE_INFINITY)}
          latest={now}
          onChange={(change) => onChange({ ...rest, ...range, ...change })}
        />
      )}
    </search>
  );
}

const minuteOf = (ms: number): number => Math.ceil(ms / 60_000) * 60_000;

/** Returns the filter with one value changed; '' removes the value. */
function without<Name extends keyof LogPageFilter>(
  view: LogPageFilter,
  name: Name,
  value: LogPageFilter[Name] | '',
): LogPageFilter {
  const { [name]: _, ...rest } = view;
  return value === '' || value === undefined ? rest : { ...rest, [name]: value };
}

/** Field for a serial number. It takes effect with Enter, with the button, or when the field loses focus. */
function MachineField({
  machine,
  onChange,
}: {
  readonly machine: string;
  readonly onChange: (machine: string) => void;
}) {
  const [typed, setTyped] = useState(machine);
  const send = (event?: FormEvent): void => {
    event?.preventDefault();
    if (typed.trim() !== machine) onChange(typed.trim());
  };
  return (
    <form className="beside-end gap-2 bottom" onSubmit={send}>
      <TextInput
        label="Machine"
        placeholder="Serienummer"
        size="md"
        maxLength={200}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={() => send()}
      />
      <Button type="submit" variant="default" size="md">
        Zoek
      </Button>
    </form>
  );
}
