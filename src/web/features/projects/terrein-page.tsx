import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate, useParams } from 'react-router';
import type { Terrein } from '#shared/contract/terreinen.ts';
import { ADMIN_ORGANIZATION, isActionAllowed } from '#shared/domain/access.ts';
import { TERREIN_KINDS } from '#shared/domain/terrein-kinds.ts';
import { noteNavigationOptions, useNote } from '#web/lib/arrival-note.ts';
import { useNow } from '#web/lib/now.ts';
import { useFleet } from '#web/live/live.ts';
import { useTerreinen } from '#web/machines/terreinen.ts';
import { useChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { CardSkeletons } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { OutcomeNotice, RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { NotFound } from '#web/ui/screen.tsx';
import { ProjectMap } from './project-map.tsx';
import { machinesNow } from './project-text.ts';
import { type TerreinFields, TerreinForm } from './terrein-form.tsx';
import { departureRulePath, TERREINEN_PATH } from './terrein-paths.ts';

/** Interval of the page's clock, which decides only whether machines are shown as stale. */
const CLOCK_STEP_MS = 60_000;

/** Page '/projecten/terreinen/:terrein': the areas of a terrein (a yard, a depot) on the map, to look at or to change. */
export function TerreinPage() {
  const { terrein: id = '' } = useParams();
  // The key drops all state when the address changes to another terrein.
  return <OneTerrein key={id} id={Number(id)} />;
}

function OneTerrein({ id }: { readonly id: number }) {
  const user = useUser();
  const navigate = useNavigate();
  const terreinen = useTerreinen();
  const { mutateAsync: edit } = useChange('POST /api/terrein/edit');
  const { mutateAsync: remove, isIdle, isError } = useChange('POST /api/terrein/delete');
  const [note, setNote] = useNote();
  const [editing, setEditing] = useState<Terrein>();
  const terrein = terreinen.data?.find(({ _id }) => _id === id);
  const save = async (of: Terrein, fields: TerreinFields): Promise<void> => {
    const { message } = await edit({ body: { ...fields, _id: of._id, version: of.version } });
    setEditing(undefined);
    setNote(message);
  };
  const drop = async ({ _id }: Terrein): Promise<void> => {
    const { message } = await remove({ body: { _id } });
    // Closes the form first, because the form would ask about unsaved changes.
    flushSync(() => setEditing(undefined));
    await navigate(TERREINEN_PATH, noteNavigationOptions(message));
  };
  if (terreinen.data && !terrein && (isIdle || isError))
    return <NotFound what="Dit terrein" to={TERREINEN_PATH} way="Naar de terreinen" />;
  return (
    <Page
      title={terrein?.terreinName ?? 'Terrein'}
      back={TERREINEN_PATH}
      action={
        isActionAllowed(user, 'manage-projects') && terrein && !editing ? (
          <Button
            size="md"
            variant="default"
            onClick={() => {
              setNote(undefined);
              setEditing(terrein);
            }}
          >
            Wijzig
          </Button>
        ) : undefined
      }
    >
      <OutcomeNotice note={note} />
      <RetryAlert query={terreinen} fallback="Het terrein is niet geladen." />
      {!terreinen.data && !terreinen.error && <CardSkeletons />}
      {editing ? (
        <TerreinForm terrein={editing} onSave={(fields) => save(editing, fields)}>
          <Button variant="default" size="md" fullWidth onClick={() => setEditing(undefined)}>
            Annuleren
          </Button>
          <Delete terrein={editing} onDelete={() => drop(editing)} />
        </TerreinForm>
      ) : (
        terrein && (
          <Shown
            terrein={terrein}
            isNamed={user.organization === ADMIN_ORGANIZATION}
            mayAlert={user.seesRoutes}
          />
        )
      )}
    </Page>
  );
}

type ShownProps = {
  readonly terrein: Terrein;
  /** Whether the page names the organization. */
  readonly isNamed: boolean;
  /** Whether the user may make an alert rule for machines that leave the terrein. */
  readonly mayAlert: boolean;
};

function Shown({ terrein, isNamed, mayAlert }: ShownProps): ReactNode {
  const { terreinName, terreinKind, organization, cleanorg, areas } = terrein;
  const now = useNow(CLOCK_STEP_MS);
  const machines = useFleet().filter(
    ({ metadata }) => metadata.organization === organization && metadata.kind === 'machine',
  );
  const facts = [
    ...(terreinKind ? [TERREIN_KINDS[terreinKind]] : []),
    ...(isNamed ? [cleanorg] : []),
    machinesNow(terrein.machinesNow),
  ];
  return (
    <div className="panels">
      <p>{facts.join(' · ')}</p>
      <ProjectMap label={`Kaart van ${terreinName}`} areas={areas} machines={machines} now={now} />
      {mayAlert && (
        <p>
          <TextLink to={departureRulePath(terrein)}>Meld vertrek buiten werktijd</TextLink>
        </p>
      )}
    </div>
  );
}

type DeleteProps = { readonly terrein: Terrein; readonly onDelete: () => Promise<void> };

function Delete({ terrein: { terreinName }, onDelete }: DeleteProps): ReactNode {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <div className="split gap-3">
      <DeleteButton of={terreinName} onClick={() => setIsAsked(true)} />
      {isAsked && (
        <ConfirmDialog
          question="Weet je zeker dat je dit terrein wilt verwijderen"
          onYes={onDelete}
          onClose={() => setIsAsked(false)}
          fallback="Het terrein is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{terreinName}</strong>
          </p>
          <p>Plaatsen daar heten voortaan naar het project of de woonplaats. Regels vinden er niets meer.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
