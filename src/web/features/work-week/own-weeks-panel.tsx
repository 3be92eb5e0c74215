import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { NamedWeekOwner, OwnWeek } from '#shared/contract/work-weeks.ts';
import type { WorkWeekOwner } from '#shared/domain/alerts/work-calendar.ts';
import type { ShiftHours } from '#shared/domain/alerts/work-week.ts';
import { formatNumber, WEEKDAYS } from '#shared/domain/nl.ts';
import { ownWeekPath } from '#web/lib/own-week-path.ts';
import { useFleet } from '#web/live/live.ts';
import { useLabels } from '#web/machines/labels.ts';
import { readQuery } from '#web/queries/read.ts';
import { FormSelect } from '#web/ui/form-input.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Panel } from '#web/ui/panel.tsx';

export const WORK_WEEK_OWNER_TEXTS: Readonly<Record<WorkWeekOwner, string>> = {
  machine: 'machine',
  project: 'project',
  label: 'label',
};
const OWNERS: readonly WorkWeekOwner[] = ['label', 'project', 'machine'];

/** Explains the precedence of work weeks, on every screen about them. */
export const WORK_WEEK_PRECEDENCE_TEXT =
  'De week van een machine gaat voor die van het project waar zij op staat, die voor de week van haar label, en die voor de werkweek van de organisatie. Van twee labels met een eigen week telt het label dat in het alfabet het eerst komt.';

/** Lists the labels, projects and machines with their own work week, with a form to add one. */
export function OwnWeeksPanel({ name }: { readonly name: string }) {
  const weeks = useQuery(readQuery('GET /api/workweek/own', { query: { name } }));
  const own = weeks.data?.ownWeeks ?? [];
  return (
    <section className="mt-4">
      <Panel title="Wie anders werkt">
        <p>
          Een label, een project of een machine kan een eigen werkweek hebben, bijvoorbeeld voor een
          nachtploeg. {WORK_WEEK_PRECEDENCE_TEXT}
        </p>
        <RetryAlert query={weeks} fallback="De eigen werkweken zijn niet geladen." />
        {weeks.data && own.length === 0 && <p className="quiet">Iedereen werkt volgens deze werkweek.</p>}
        {own.length > 0 && (
          <ul className="stack" aria-label="Eigen werkweken">
            {own.map((week) => (
              <li className="pb-3 line-below wrap" key={`${week.by} ${week.target}`}>
                <Row name={name} own={week} />
              </li>
            ))}
          </ul>
        )}
        <AddWeek name={name} own={own} />
      </Panel>
    </section>
  );
}

function Row({ name, own }: { readonly name: string; readonly own: OwnWeek }) {
  const { by, target, targetName, week, machines, overruled } = own;
  return (
    <>
      <TextLink to={ownWeekPath(name, by, target)}>
        {capital(WORK_WEEK_OWNER_TEXTS[by])} {targetName}
      </TextLink>
      <p>{daysText(week.workDays)}</p>
      {by !== 'machine' && (
        <p className="quiet">
          {machines === 1 ? 'Geldt nu voor 1 machine.' : `Geldt nu voor ${formatNumber(machines)} machines.`}
        </p>
      )}
      {overruled.slice(0, MAX_SHOWN_ITEMS).map(({ serialNumber, alias, winner }) => (
        <p key={serialNumber} className="quiet">
          Niet voor {alias || serialNumber}: daar geldt de werkweek van {workWeekOwnerText(winner)}.
        </p>
      ))}
      {overruled.length > MAX_SHOWN_ITEMS && (
        <p className="quiet">
          En niet voor {formatNumber(overruled.length - MAX_SHOWN_ITEMS)} andere machines.
        </p>
      )}
    </>
  );
}

const MAX_SHOWN_ITEMS = 5;
export const workWeekOwnerText = ({ by, targetName }: NamedWeekOwner): string =>
  by === 'machine' ? 'de machine zelf' : `${WORK_WEEK_OWNER_TEXTS[by]} ${targetName}`;
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns 'Maandag tot en met vrijdag 22:00 tot 06:00, zaterdag de hele dag.' */
function daysText(days: readonly (ShiftHours | null)[]): string {
  const runs: { first: number; last: number; text: string }[] = [];
  for (const [day, hours] of days.entries()) {
    if (!hours) continue;
    const isWhole = hours.from === '00:00' && hours.to === '00:00';
    const text = isWhole ? 'de hele dag' : `${hours.from} tot ${hours.to}`;
    const last = runs.at(-1);
    if (last && last.last === day - 1 && last.text === text) last.last = day;
    else runs.push({ first: day, last: day, text });
  }
  if (runs.length === 0) return 'Geen werkdagen.';
  const texts = runs.map(({ first, last, text }) => {
    const end = last === first ? '' : ` tot en met ${WEEKDAYS[last]}`;
    return `${WEEKDAYS[first]}${end} ${text}`;
  });
  return `${capital(texts.join(', '))}.`;
}

/** Form that chooses a label, project or machine and opens the page of its own work week. */
function AddWeek({ name, own }: { readonly name: string; readonly own: readonly OwnWeek[] }) {
  const navigate = useNavigate();
  const [by, setBy] = useState<WorkWeekOwner>('label');
  const [target, setTarget] = useState('');
  const fleet = useFleet();
  const { labels } = useLabels();
  const projects = useQuery(readQuery('GET /api/project/get'));
  const all: Readonly<Record<WorkWeekOwner, { value: string; label: string; whose: string }[]>> = {
    label: labels.map(({ _id, labelName, organization }) => ({
      value: String(_id),
      label: labelName,
      whose: organization,
    })),
    project: (projects.data ?? []).map(({ _id, projectName, organization }) => ({
      value: String(_id),
      label: projectName,
      whose: organization,
    })),
    machine: fleet.map(({ metadata: { serialNumber, alias, organization } }) => ({
      value: serialNumber,
      label: alias || serialNumber,
      whose: organization,
    })),
  };
  const has = new Set(own.filter((week) => week.by === by).map((week) => week.target));
  const options = all[by].filter(({ value, whose }) => whose === name && !has.has(value));
  return (
    <form
      className="fields bottom"
      onSubmit={(event) => {
        event.preventDefault();
        if (target) void navigate(ownWeekPath(name, by, target));
      }}
    >
      <FormSelect
        label="Eigen werkweek voor een"
        name="by"
        value={by}
        data={OWNERS.map((value) => ({ value, label: WORK_WEEK_OWNER_TEXTS[value] }))}
        onChange={({ currentTarget }) => {
          setBy(currentTarget.value as WorkWeekOwner);
          setTarget('');
        }}
      />
      <FormSelect
        label={`Welk${by === 'machine' ? 'e' : ''} ${WORK_WEEK_OWNER_TEXTS[by]}`}
        name="target"
        value={target}
        data={[{ value: '', label: 'Kies' }, ...options.map(({ value, label }) => ({ value, label }))]}
        onChange={({ currentTarget }) => setTarget(currentTarget.value)}
      />
      <Button type="submit" variant="default" size="md" disabled={target === ''}>
        Geef eigen werkweek
      </Button>
    </form>
  );
}
