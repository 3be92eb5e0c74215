import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSendChange } from '#web/queries/use-change.ts';
import '@mantine/core/styles/Input.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { ProjectPage as Answer, Project } from '#shared/contract/projects.ts';
import { ADMIN_ORGANIZATION, isActionAllowed } from '#shared/domain/access.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { dutchDate } from '#shared/domain/nl.ts';
import { ApiError } from '#web/lib/api.ts';
import { noteNavigationOptions, useNote } from '#web/lib/arrival-note.ts';
import { contactPath } from '#web/lib/contact-path.ts';
import { useNow } from '#web/lib/now.ts';
import { ownWeekPath } from '#web/lib/own-week-path.ts';
import { useFleet } from '#web/live/live.ts';
import { useUser } from '#web/session/user.ts';
import { CardSkeletons } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DayInput } from '#web/ui/day-input.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { OutcomeNotice, RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { NotFound } from '#web/ui/screen.tsx';
import { AssignPanel } from './assign-panel.tsx';
import { DayTable } from './day-table.tsx';
import { ExceptionsPanel } from './exceptions-panel.tsx';
import { type MachineAction, MachineActionDialog } from './machine-action-dialog.tsx';
import { PresentList } from './present-list.tsx';
import { type ProjectFields, ProjectForm } from './project-form.tsx';
import { ProjectMap } from './project-map.tsx';
import styles from './project-page.module.css';
import { type DayRange, useProjectPage } from './project-queries.ts';
import {
  machinesToComputeText,
  projectPeriodText,
  projectReportFilePath,
  reportPath,
} from './project-text.ts';

const LIST = '/projecten';
const DAY_MS = 86_400_000;
const MAX_DAYS = 400;
/** Interval of the page's clock: short, so that the shown ages (whole minutes) change on time. */
const CLOCK_STEP_MS = 30_000;

/** Page '/projecten/:id': the areas of a project, its machines now, and their hours and energy. */
export function ProjectPage() {
  const { id = '' } = useParams();
  // The key drops all state when the address changes to another project.
  return <OneProject key={id} id={Number(id)} />;
}

function OneProject({ id }: { readonly id: number }) {
  const user = useUser();
  const mayManage = isActionAllowed(user, 'manage-projects');
  const [today] = useState(() => amsterdamDay(Date.now()));
  const [days, setDays] = useState<DayRange>(() => ({ firstDay: daysBefore(today, 29), lastDay: today }));
  const client = useQueryClient();
  const send = useSendChange();
  const {
    mutateAsync: remove,
    isIdle,
    isError,
  } = useMutation({
    mutationFn: (_id: number) => send('POST /api/project/delete', { body: { _id } }),
    // Cancels running queries, which would end with 'not found' after the deletion.
    onMutate: () => client.cancelQueries({ queryKey: ['GET /api/project/page'] }),
  });
  const page = useProjectPage(id, days, isIdle || isError);
  const [note, setNote] = useNote();
  const outcome = useRef<HTMLDivElement>(null);
  // Scrolls to the result of an action, whose button may be far down the page.
  useEffect(() => {
    if (note !== undefined) outcome.current?.scrollIntoView({ block: 'center' });
  }, [note]);
  const [editing, setEditing] = useState<Project>();
  const navigate = useNavigate();
  const project = page.data?.project;
  const save = async (of: Project, fields: ProjectFields): Promise<void> => {
    const body = { ...fields, _id: of._id, version: of.version };
    const { message } = await send('POST /api/project/edit', { body });
    setEditing(undefined);
    setNote(message);
  };
  const drop = async ({ _id }: Project): Promise<void> => {
    const { message } = await remove(_id);
    // Closes the form first, because the form would ask about unsaved changes.
    flushSync(() => setEditing(undefined));
    await navigate(LIST, noteNavigationOptions(message));
  };
  if (page.error instanceof ApiError && page.error.code === 'not_found')
    return <NotFound what="Dit project" to={LIST} way="Naar de projecten" />;
  return (
    <Page
      title={project?.projectName ?? 'Project'}
      back={LIST}
      action={
        mayManage && project && !editing ? (
          <Button
            size="md"
            variant="default"
            onClick={() => {
              setNote(undefined);
              setEditing(project);
            }}
          >
            Wijzig
          </Button>
        ) : undefined
      }
    >
      <div ref={outcome}>
        <OutcomeNotice note={note} />
      </div>
      <RetryAlert query={page} fallback="Het project is niet geladen." />
      {!page.data && !page.error && <CardSkeletons />}
      {project && <Facts project={project} isNamed={user.organization === ADMIN_ORGANIZATION} />}
      {project && !editing && isActionAllowed(user, 'manage-users') && (
        <p className="my-4">
          <TextLink to={ownWeekPath(project.organization, 'project', String(project._id))}>Werkweek</TextLink>
        </p>
      )}
      {project && !editing && isActionAllowed(user, 'manage-alerts') && (
        <p className="my-4">
          <TextLink to={contactPath(project.organization, 'project', String(project._id))}>
            Contact van dit project
          </TextLink>
        </p>
      )}
      {editing && project ? (
        <ProjectForm project={editing} today={today} onSave={(fields) => save(editing, fields)}>
          <Button variant="default" size="md" fullWidth onClick={() => setEditing(undefined)}>
            Annuleren
          </Button>
          <EndAndDelete
            project={editing}
            today={today}
            onEnd={(lastDay) => save(editing, { ...editing, lastDay })}
            onDelete={() => drop(editing)}
          />
        </ProjectForm>
      ) : (
        page.data && (
          <Shown
            answer={page.data}
            days={days}
            today={today}
            isOld={page.isPlaceholderData}
            mayManage={mayManage}
            onDays={setDays}
            onNote={setNote}
          />
        )
      )}
    </Page>
  );
}

const daysBefore = (day: string, days: number): string =>
  amsterdamDay(Date.parse(`${day}T12:00Z`) - days * DAY_MS);

function Facts({ project, isNamed }: { readonly project: Project; readonly isNamed: boolean }): ReactNode {
  const { projectNumber, client, cleanorg, left } = project;
  const facts = [projectNumber, client, projectPeriodText(project), ...(isNamed ? [cleanorg] : [])];
  return (
    <>
      <p className={`${styles.facts} quiet`}>
        {facts
          .filter((text) => text !== '')
          .map((text, n, all) => (
            <span key={text}>
              {text}
              {n < all.length - 1 && ' ·'}
            </span>
          ))}
      </p>
      <p role="status" className="mb-4 strong unless-empty">
        {machinesToComputeText(left)}
      </p>
    </>
  );
}

type ShownProps = {
  readonly answer: Answer;
  readonly days: DayRange;
  readonly today: string;
  /** Whether the shown data are still those of the previously chosen days. */
  readonly isOld: boolean;
  readonly mayManage: boolean;
  readonly onDays: (days: DayRange) => void;
  readonly onNote: (note: string) => void;
};

function Shown({ answer, days, today, isOld, mayManage, onDays, onNote }: ShownProps): ReactNode {
  const { project, machines, now: present, assignments, exceptions } = answer;
  const [action, setAction] = useActionOfAddress();
  const user = useUser();
  const fleet = useFleet();
  const now = useNow(CLOCK_STEP_MS);
  const names = new Map(machines.map(({ serial, alias }) => [serial, alias]));
  const aliasOf = (serial: string): string => names.get(serial) || serial;
  const there = new Set(present.map(({ serial }) => serial));
  const entries = fleet.filter(({ metadata }) => there.has(metadata.serialNumber));
  return (
    <div className="panels">
      <ProjectMap
        label={`Kaart van ${project.projectName}`}
        areas={project.areas}
        machines={entries}
        now={now}
      />
      <Panel title="Nu op het project">
        {present.length === 0 ? (
          <p className="quiet">
            {project.areas.length === 0
              ? 'Dit project heeft nog geen gebied: zonder gebied staan er alleen machines op die je er met de hand op zet.'
              : 'Er zijn nu geen machines.'}
          </p>
        ) : (
          <PresentList
            present={present}
            aliasOf={aliasOf}
            mayManage={mayManage}
            now={now}
            onAction={setAction}
          />
        )}
      </Panel>
      <AssignPanel
        project={project}
        assignments={assignments}
        aliasOf={aliasOf}
        mayManage={mayManage}
        onNote={onNote}
        onAction={setAction}
      />
      <ExceptionsPanel exceptions={exceptions} aliasOf={aliasOf} mayManage={mayManage} onNote={onNote} />
      {action && mayManage && (
        <MachineActionDialog
          action={action}
          project={project}
          aliasOf={aliasOf}
          today={today}
          onDone={(message) => {
            setAction(undefined);
            onNote(message);
          }}
          onClose={() => setAction(undefined)}
        />
      )}
      <Panel title="Uren en energie op het project">
        <DayFields days={days} today={today} onChange={onDays} />
        <p className="cluster gap-2-6 mb-3">
          <TextLink to={reportPath(project._id, days)}>Toon in rapport Inzet</TextLink>
          {isActionAllowed(user, 'make-reports') &&
            (['csv', 'xlsx'] as const).map((format) => (
              <a
                className="inline gap-0 touch"
                key={format}
                href={projectReportFilePath(project._id, days, format)}
                download
              >
                {format === 'csv' ? 'CSV' : 'Excel'}
              </a>
            ))}
        </p>
        <div data-old={isOld || undefined} className={styles.table}>
          {answer.days.length + answer.silentDays.length === 0 ? (
            <EmptyState title="In deze periode deed geen machine hier iets">
              <p>Kies een andere periode, of kijk of de gebieden kloppen.</p>
            </EmptyState>
          ) : (
            <DayTable
              days={answer.days}
              silentDays={answer.silentDays}
              aliasOf={aliasOf}
              hasPage={(serial) => fleet.some(({ metadata }) => metadata.serialNumber === serial)}
            />
          )}
        </div>
      </Panel>
    </div>
  );
}

/**
 * Returns the action whose dialog is open. With '?haal=serial' in the URL, to which the machine's page links, the page
 * opens with the dialog that takes this machine off the project.
 */
function useActionOfAddress() {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('haal');
  const [action, setAction] = useState<MachineAction | undefined>(() =>
    asked ? { kind: 'take-off', serial: asked } : undefined,
  );
  const change = (next: MachineAction | undefined): void => {
    setAction(next);
    if (!next && asked) setSearch({}, { replace: true });
  };
  return [action, change] as const;
}

type DayFieldsProps = {
  readonly days: DayRange;
  readonly today: string;
  readonly onChange: (days: DayRange) => void;
};

/** Inputs for a period. Shows an error instead of querying an invalid period. */
function DayFields({ days, today, onChange }: DayFieldsProps): ReactNode {
  const [typed, setTyped] = useState(days);
  const change = (part: Partial<DayRange>): void => {
    const next = { ...typed, ...part };
    setTyped(next);
    if (errorOf(next) === undefined) onChange(next);
  };
  const error = errorOf(typed);
  return (
    <>
      <div className={`${styles.days} cluster gap-3 stretch mb-3`}>
        <DayInput
          label="Van"
          max={today}
          value={typed.firstDay}
          onChange={(firstDay) => change({ firstDay })}
        />
        <DayInput
          label="Tot en met"
          max={today}
          value={typed.lastDay}
          onChange={(lastDay) => change({ lastDay })}
        />
      </div>
      <div role="alert">{error && <p className="mb-3 alarming">{error}</p>}</div>
    </>
  );
}

function errorOf({ firstDay, lastDay }: DayRange): string | undefined {
  if (firstDay === '' || lastDay === '') return 'Kies een eerste en een laatste dag.';
  if (lastDay < firstDay) return 'De laatste dag ligt voor de eerste.';
  const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1;
  return days > MAX_DAYS ? `Kies hoogstens ${MAX_DAYS} dagen.` : undefined;
}

type EndAndDeleteProps = {
  readonly project: Project;
  readonly today: string;
  readonly onEnd: (lastDay: string) => Promise<void>;
  readonly onDelete: () => Promise<void>;
};

/** Buttons below the form that end the project today or delete it. */
function EndAndDelete({ project, today, onEnd, onDelete }: EndAndDeleteProps): ReactNode {
  const [asked, setAsked] = useState<'end' | 'delete'>();
  const mayEnd = project.firstDay <= today && (project.lastDay === null || project.lastDay > today);
  return (
    <div className="split gap-3">
      {mayEnd && (
        <Button variant="default" size="md" onClick={() => setAsked('end')}>
          Beëindig
        </Button>
      )}
      <DeleteButton of={project.projectName} onClick={() => setAsked('delete')} />
      {asked === 'end' && (
        <ConfirmDialog
          question="Weet je zeker dat je dit project wilt beëindigen"
          kind="change"
          onYes={() => onEnd(today)}
          onClose={() => setAsked(undefined)}
          fallback="Het project is niet beëindigd. Probeer het opnieuw."
        >
          <p>
            Vandaag, {dutchDate(today)}, wordt de laatste dag. Wat er nog niet is opgeslagen van dit formulier
            gaat niet mee.
          </p>
        </ConfirmDialog>
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          question="Weet je zeker dat je dit project wilt verwijderen"
          onYes={onDelete}
          onClose={() => setAsked(undefined)}
          fallback="Het project is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{project.projectName}</strong>
          </p>
          <p>Vanaf nu staat er geen machine meer op. Rapporten van toen blijven het noemen.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
