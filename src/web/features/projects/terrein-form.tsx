import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { Terrein } from '#shared/contract/terreinen.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { type Area, areaErrorOf } from '#shared/domain/area.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { TERREIN_KIND_NAMES, TERREIN_KINDS, type TerreinKind } from '#shared/domain/terrein-kinds.ts';
import { useNow } from '#web/lib/now.ts';
import { useFleet } from '#web/live/live.ts';
import { useTerreinen } from '#web/machines/terreinen.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';
import { LeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormInput, FormSelect } from '#web/ui/form-input.tsx';
import { AreaEditor } from './area-editor.tsx';
import styles from './project-form.module.css';
import { useStableAreas } from './stable-areas.ts';

/** Interval of the page's clock, which decides only whether machines are shown as stale. */
const CLOCK_STEP_MS = 60_000;

export type TerreinFields = Pick<Terrein, 'terreinName' | 'terreinKind' | 'areas'>;

type TerreinFormProps = {
  /** The stored terrein; undefined for a new one. */
  readonly terrein: Terrein | undefined;
  /** `organization`: set by an administrator for a new terrein. */
  readonly onSave: (fields: TerreinFields & { readonly organization?: string }) => Promise<unknown>;
  /** Rendered below the form. */
  readonly children?: ReactNode;
};

/** Form for the name, kind and areas of a terrein (a yard, a depot). Asks for confirmation before unsaved changes are lost. */
export function TerreinForm({ terrein, onSave, children }: TerreinFormProps): ReactNode {
  const user = useUser();
  const asksOwner = user.organization === ADMIN_ORGANIZATION && !terrein;
  const owners = useQuery({ ...readQuery('GET /api/organization/get/electric'), enabled: asksOwner });
  const [owner, setOwner] = useState(terrein?.organization ?? (asksOwner ? '' : user.organization));
  const [areas, setAreas] = useState<readonly Area[]>(terrein?.areas ?? []);
  const isChanged = useRef(false);
  const now = useNow(CLOCK_STEP_MS);
  const machines = useFleet().filter(
    ({ metadata }) => metadata.organization === owner && metadata.kind === 'machine',
  );
  const all = useTerreinen().data ?? [];
  const others = useStableAreas(
    all.filter((one) => one.organization === owner && one._id !== terrein?._id).flatMap((one) => one.areas),
  );
  const note = (): void => {
    isChanged.current = true;
  };
  const send = async (fields: FormData): Promise<void> => {
    const kind = String(fields.get('terreinKind') ?? '');
    await onSave({
      terreinName: String(fields.get('terreinName') ?? '').trim(),
      terreinKind: kind === '' ? null : (kind as TerreinKind),
      areas: [...areas] as Terrein['areas'],
      ...(asksOwner && { organization: owner }),
    });
    isChanged.current = false;
  };
  return (
    <div className={`${styles.form} stack gap-4`} onInput={note}>
      <LeaveGuard isDirty={() => isChanged.current} />
      <Form
        submit={terrein ? 'Opslaan' : 'Maak Terrein'}
        fallback="Het terrein is niet opgeslagen. Probeer het opnieuw."
        check={() => errorOf(areas)}
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
        <div className="fields-wide gap-4">
          <FormInput
            label={FIELD_TEXTS.terreinName}
            name="terreinName"
            autoComplete="off"
            required
            maxLength={120}
            defaultValue={terrein?.terreinName}
          />
          <FormSelect
            label={FIELD_TEXTS.terreinKind}
            name="terreinKind"
            defaultValue={terrein?.terreinKind ?? ''}
          >
            <option value="">Geen</option>
            {TERREIN_KIND_NAMES.map((kind) => (
              <option key={kind} value={kind}>
                {TERREIN_KINDS[kind]}
              </option>
            ))}
          </FormSelect>
        </div>
        <AreaEditor
          of="terrein"
          areas={areas}
          onChange={(next) => {
            note();
            setAreas(next);
          }}
          others={others}
          machines={machines}
          now={now}
        />
      </Form>
      {children}
    </div>
  );
}

function errorOf(areas: readonly Area[]): string | undefined {
  if (areas.length === 0) return 'Teken minstens één gebied.';
  return areas.some(areaErrorOf) ? 'Een gebied kan zo niet: zie de lijst van gebieden.' : undefined;
}
