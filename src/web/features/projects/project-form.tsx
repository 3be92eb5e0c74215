import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { Project } from '#shared/contract/projects.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { type Area, areaErrorOf } from '#shared/domain/area.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { useNow } from '#web/lib/now.ts';
import { useFleet } from '#web/live/live.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';
import { LeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { DayInput } from '#web/ui/day-input.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput, FormSelect } from '#web/ui/form-input.tsx';
import { AreaEditor } from './area-editor.tsx';
import styles from './project-form.module.css';
import { useProjects } from './project-queries.ts';
import { useStableAreas } from './stable-areas.ts';

const FIELD = { autoComplete: 'off' } as const;
/** Interval of the page's clock, which decides only whether machines are shown as stale. */
const CLOCK_STEP_MS = 60_000;
const NO_AREAS: readonly Area[] = [];

export type ProjectFields = Pick<
  Project,
  'projectName' | 'projectNumber' | 'client' | 'firstDay' | 'lastDay' | 'areas'
>;

type ProjectFormProps = {
  /** The stored project when editing started; undefined for a new one. */
  readonly project: Project | undefined;
  /** The present day, 'YYYY-MM-DD'. */
  readonly today: string;
  /** `organization`: set by an administrator for a new project. */
  readonly onSave: (fields: ProjectFields & { readonly organization?: string }) => Promise<unknown>;
  /** Rendered below the form. */
  readonly children?: ReactNode;
};

/** Form for the fields and areas of a project. Asks for confirmation before unsaved changes are lost. */
export function ProjectForm({ project, today, onSave, children }: ProjectFormProps): ReactNode {
  const user = useUser();
  const asksOwner = user.organization === ADMIN_ORGANIZATION && !project;
  const owners = useQuery({ ...readQuery('GET /api/organization/get/electric'), enabled: asksOwner });
  const [owner, setOwner] = useState(project?.organization ?? (asksOwner ? '' : user.organization));
  const [areas, setAreas] = useState<readonly Area[]>(project?.areas ?? NO_AREAS);
  const isChanged = useRef(false);
  const now = useNow(CLOCK_STEP_MS);
  const machines = useFleet().filter(
    ({ metadata }) => metadata.organization === owner && metadata.kind === 'machine',
  );
  const others = useOthers(owner, project?._id);

  const change = (next: readonly Area[]): void => {
    isChanged.current = true;
    setAreas(next);
  };
  const send = async (fields: FormData): Promise<void> => {
    const text = (name: string): string => String(fields.get(name) ?? '').trim();
    const lastDay = text('lastDay');
    await onSave({
      projectName: text('projectName'),
      projectNumber: text('projectNumber'),
      client: text('client'),
      firstDay: text('firstDay'),
      lastDay: lastDay === '' ? null : lastDay,
      areas: [...areas] as Project['areas'],
      ...(asksOwner && { organization: owner }),
    });
    isChanged.current = false;
  };
  return (
    <div
      className={`${styles.form} stack gap-4`}
      onInput={() => {
        isChanged.current = true;
      }}
    >
      <LeaveGuard isDirty={() => isChanged.current} />
      <Form
        submit={project ? 'Opslaan' : 'Maak Project'}
        fallback="Het project is niet opgeslagen. Probeer het opnieuw."
        check={() =>
          areas.some(areaErrorOf) ? 'Een gebied kan zo niet: zie de lijst van gebieden.' : undefined
        }
        onSubmit={send}
      >
        {asksOwner && (
          <FormSelect
            label={FIELD_TEXTS.organization}
            name="organization"
            required
            value={owner}
            onChange={({ currentTarget }) => setOwner(currentTarget.value)}
          >
            <option value="">Kies Een Organisatie</option>
            {owners.data
              ?.filter(({ name }) => name !== ADMIN_ORGANIZATION)
              .map(({ name, clean }) => (
                <option key={name} value={name}>
                  {clean}
                </option>
              ))}
          </FormSelect>
        )}
        <FormInput
          {...FIELD}
          label={FIELD_TEXTS.projectName}
          name="projectName"
          required
          maxLength={120}
          defaultValue={project?.projectName}
        />
        <div className="fields-wide gap-4">
          <FormInput
            {...FIELD}
            label={FIELD_TEXTS.projectNumber}
            name="projectNumber"
            maxLength={60}
            defaultValue={project?.projectNumber}
          />
          <FormInput
            {...FIELD}
            label={FIELD_TEXTS.client}
            name="client"
            maxLength={120}
            defaultValue={project?.client}
          />
          <DayInput
            label={FIELD_TEXTS.firstDay}
            name="firstDay"
            required
            defaultValue={project?.firstDay ?? today}
          />
          <DayInput
            label={FIELD_TEXTS.lastDay}
            name="lastDay"
            description="Leeg: het project loopt door"
            defaultValue={project?.lastDay ?? ''}
          />
        </div>
        <AreaEditor
          of="project"
          areas={areas}
          onChange={change}
          others={others}
          machines={machines}
          now={now}
        />
      </Form>
      {children}
    </div>
  );
}

/** Returns the areas of other projects of the organization; the same array as before while they are unchanged. */
function useOthers(organization: string, id: number | undefined): readonly Area[] {
  const { data } = useProjects();
  return useStableAreas(
    (data ?? [])
      .filter((one) => one.organization === organization && one._id !== id)
      .flatMap(({ areas }) => areas),
  );
}
