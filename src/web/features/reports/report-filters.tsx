import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '#web/queries/read.ts';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/ActionIcon.css';
import { type ReactNode, useState } from 'react';
import { formatNumber } from '#shared/domain/nl.ts';
import { PERIOD_PRESETS, type Period } from '#shared/domain/periods.ts';
import { type ReportKind, supportsHourLimits } from '#shared/domain/reports/kinds.ts';
import {
  MAX_USE_DAY_MINUTES,
  plusDays,
  REPORT_STEP_SECONDS,
  REPORT_STEP_TEXTS,
  type ReportStep,
} from '#shared/domain/reports/settings.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import { parseTypedNumber } from '#shared/domain/typed-number.ts';
import { useLabels } from '#web/machines/labels.ts';
import { DayInput } from '#web/ui/day-input.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { PickList, type PickOption } from '#web/ui/pick-list.tsx';
import {
  hasLabelChoice,
  isPresetOffered,
  type ReportDay,
  type ReportView,
  reportDaysOf,
} from './report-view.ts';
import styles from './reports.module.css';

type ReportFiltersProps = {
  readonly kind: ReportKind;
  readonly view: ReportView;
  readonly now: ReportDay;
  readonly onChange: (view: ReportView) => void;
};

/** Inputs for what a report covers (period, projects, machines, labels, signals). Each choice is applied at once. */
export function ReportFilters({ kind, view, now, onChange }: ReportFiltersProps): ReactNode {
  const projects = useQuery(readQuery('GET /api/project/get')).data ?? [];
  const machines = useQuery(readQuery('GET /api/machine/get/all')).data ?? [];
  const { labels } = useLabels();
  const showsOrganization = labels.some(({ organization }) => organization !== labels[0]?.organization);
  const days = reportDaysOf(view, now);
  const isOwn = typeof view.period === 'object';
  const day = (name: 'from' | 'to', label: string) => (
    <DayInput
      label={label}
      required
      value={days[name]}
      {...(name === 'to' && { min: days.from })}
      onChange={(value) => value !== '' && onChange({ ...view, period: { ...days, [name]: value } })}
    />
  );
  return (
    <search className={`${styles.filters} stack top mb-4`} aria-label="Kies wat in het rapport staat">
      <NativeSelect
        label="Periode"
        size="md"
        description={aboutPeriod(kind, view, days)}
        value={isOwn ? 'own' : String(view.period)}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...view, period: isPresetOffered(value, kind) ? value : days })
        }
      >
        {PERIOD_PRESETS.filter(([name]) => isPresetOffered(name, kind)).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
        <option value="own">Zelf kiezen</option>
      </NativeSelect>
      {isOwn && !supportsHourLimits(kind) && day('from', 'Eerste dag')}
      {isOwn && !supportsHourLimits(kind) && day('to', 'Laatste dag')}
      {isOwn && supportsHourLimits(kind) && (
        <HoursFields days={days} onChange={(period) => onChange({ ...view, period })} />
      )}
      {kind !== 'metingen' && projects.length > 0 && (
        <PickList
          label="Projecten"
          none={kind === 'inzet' ? 'Alle projecten' : 'Ook zonder project'}
          options={projects.map(({ _id, projectName, projectNumber }) => ({
            value: String(_id),
            label: projectName,
            words: `${projectName} ${projectNumber}`,
          }))}
          chosen={view.projects.map(String)}
          onChange={(chosen) => onChange({ ...view, projects: chosen.map(Number) })}
        />
      )}
      <PickList
        label={kind === 'metingen' ? 'Machine' : 'Machines'}
        none={kind === 'metingen' || kind === 'route' ? 'Kies' : 'Alle machines'}
        options={machines.map(({ serialNumber, alias, brand, model }) => ({
          value: serialNumber,
          label: `${alias} (${serialNumber})`,
          words: `${brand} ${model} ${alias} ${serialNumber}`,
        }))}
        chosen={view.machines}
        onChange={(chosen) =>
          onChange({ ...view, machines: kind === 'metingen' ? chosen.slice(-1) : chosen })
        }
      />
      {hasLabelChoice(kind) && (labels.length > 0 || view.labels.length > 0) && (
        <PickList
          label="Labels"
          none="Met en zonder label"
          options={labels.map(({ _id, labelName, cleanorg }) => ({
            value: String(_id),
            label: showsOrganization ? `${labelName} (${cleanorg})` : labelName,
            words: `${labelName} ${cleanorg}`,
          }))}
          chosen={view.labels.map(String)}
          onChange={(chosen) => onChange({ ...view, labels: chosen.map(Number) })}
        />
      )}
      {kind === 'inzet' && (
        <MinutesField minutes={view.minutes} onChange={(minutes) => onChange({ ...view, minutes })} />
      )}
      {kind === 'metingen' && <SignalFields view={view} onChange={onChange} />}
    </search>
  );
}

/** Returns a note about the period: the hours of the night, or that the report covers whole days. */
function aboutPeriod(kind: ReportKind, { period }: ReportView, days: Period): string | undefined {
  if (!supportsHourLimits(kind)) return 'Dit rapport gaat over hele dagen.';
  return period === 'afgelopen-nacht'
    ? `Van gisteren ${days.fromTime} tot vandaag ${days.toTime}. Volgt de werkweek als die is ingesteld.`
    : undefined;
}

type HoursFieldsProps = { readonly days: Period; readonly onChange: (period: Period) => void };

/** Inputs for the start and end of a period with hours; midnight at both ends makes whole days. */
function HoursFields({ days, onChange }: HoursFieldsProps): ReactNode {
  const { from, to, fromTime = MIDNIGHT, toTime } = days;
  const end = toTime === undefined ? `${plusDays(to, 1)} ${MIDNIGHT}` : `${to} ${toTime}`;
  const pick = (begin: string, until: string): void => {
    const [firstDay = '', firstTime = ''] = [begin.slice(0, 10), begin.slice(11, 16)];
    const [lastDay = '', lastTime = ''] = [until.slice(0, 10), until.slice(11, 16)];
    const isMidnight = lastTime === MIDNIGHT;
    onChange({
      from: firstDay,
      to: isMidnight ? plusDays(lastDay, -1) : lastDay,
      ...(firstTime !== MIDNIGHT && { fromTime: firstTime }),
      ...(!isMidnight && { toTime: lastTime }),
    });
  };
  return (
    <>
      <DayInput
        label="Begin"
        withTime
        required
        value={`${from} ${fromTime}:00`}
        onChange={(value) => value !== '' && pick(value, end)}
      />
      <DayInput
        label="Einde"
        withTime
        required
        value={`${end}:00`}
        min={from}
        onChange={(value) => value !== '' && pick(`${from} ${fromTime}`, value)}
      />
    </>
  );
}

const MIDNIGHT = '00:00';

type MinutesFieldProps = { readonly minutes: number; readonly onChange: (minutes: number) => void };

function MinutesField({ minutes, onChange }: MinutesFieldProps): ReactNode {
  const [typed, setTyped] = useState(String(minutes));
  return (
    <NumberField
      label="Inzetdag vanaf (minuten)"
      unit="minuten"
      inputMode="numeric"
      maxLength={8}
      error={minutesIn(typed) === undefined ? `1 tot ${formatNumber(MAX_USE_DAY_MINUTES)}` : undefined}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        const chosen = minutesIn(text);
        if (chosen !== undefined) onChange(chosen);
      }}
    />
  );
}

/** Parses a whole number of minutes that fits in a day; undefined for any other text. */
function minutesIn(text: string): number | undefined {
  const minutes = parseTypedNumber(text);
  return Number.isInteger(minutes) && minutes! >= 1 && minutes! <= MAX_USE_DAY_MINUTES ? minutes : undefined;
}

function SignalFields({ view, onChange }: SignalFieldsProps): ReactNode {
  const serial = view.machines.length === 1 ? view.machines[0] : undefined;
  // The signals that the machine sent in the last year.
  const { data: own = [] } = useQuery({
    ...readQuery('GET /api/influx/signals/:id', { params: { id: serial ?? '' }, query: { start: '-365d' } }),
    enabled: serial !== undefined,
  });
  const options: PickOption[] = [
    ...SIGNALS.filter(({ rail }) => !rail).map(({ name, word }) => ({
      value: name,
      label: word,
      words: `${word} ${name}`,
    })),
    ...own.map(({ name, unit }) => ({
      value: name,
      label: unit ? `${name} (${unit})` : name,
      words: name,
    })),
  ];
  return (
    <>
      <PickList
        label="Signalen"
        none="Kies"
        options={options}
        chosen={view.signals}
        onChange={(signals) => onChange({ ...view, signals })}
      />
      <NativeSelect
        label="Hoe vaak"
        size="md"
        value={view.step}
        onChange={({ currentTarget: { value } }) => onChange({ ...view, step: Number(value) as ReportStep })}
      >
        {REPORT_STEP_SECONDS.map((step) => (
          <option key={step} value={step}>
            {REPORT_STEP_TEXTS[step]}
          </option>
        ))}
      </NativeSelect>
    </>
  );
}
type SignalFieldsProps = { readonly view: ReportView; readonly onChange: (view: ReportView) => void };
