import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LeavingOrganization } from '#shared/contract/leaving.ts';
import type { Organization } from '#shared/contract/organizations.ts';
import { ADMIN_ORGANIZATION, isActionAllowed } from '#shared/domain/access.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { failureText } from '#web/lib/api.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { readQuery } from '#web/queries/read.ts';
import { useChange } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import { BusyButton } from '#web/ui/busy-button.tsx';
import { CardActions, CardList, LoadedList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DeleteButton } from '#web/ui/delete-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AddLink, TextLink } from '#web/ui/link.tsx';
import { OutcomeNotice } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { SearchedList } from '#web/ui/searched-list.tsx';
import { SwitchButton } from '#web/ui/switch-button.tsx';
import { DeleteOrganizationDialog } from './leave-dialog.tsx';
import { OrganizationCode } from './organization-code.tsx';

/** Page '/organization/': organizations and their registration codes. Administrators disable and delete them (ORG-01 to ORG-03). */
export function OrganizationsPage() {
  const user = useUser();
  const isAdmin = isActionAllowed(user, 'manage-organizations');
  const hasSettings = isActionAllowed(user, 'manage-users');
  const organizations = useQuery(readQuery('GET /api/organization/get'));
  const switching = useChange('GET /api/organization/disable/');
  const leaving = useQuery({ ...readQuery('GET /api/organization/leaving'), enabled: isAdmin });
  const undoing = useChange('POST /api/organization/leave/undo');
  const [note, setNote] = useNote();
  const [asked, setAsked] = useState<Organization>();
  const [switchingOff, setSwitchingOff] = useState<Organization>();

  /** Sets the wanted state instead of toggling, so that two administrators do not undo each other's change. */
  const switchTo = async ({ name, clean }: Organization, isActive: boolean): Promise<void> => {
    setNote(undefined);
    await switching.mutateAsync({ query: { name, isActive: isActive ? 'true' : 'false' } });
    setNote(switched(clean, isActive));
  };
  /** Ignores the rejection, because the page shows the error above the list. */
  const switchOn = (organization: Organization): void =>
    void switchTo(organization, true).catch(() => undefined);
  const askToSwitchOff = (organization: Organization): void => {
    switching.reset();
    setSwitchingOff(organization);
  };
  const undo = ({ name }: Organization): void =>
    undoing.mutate({ body: { name } }, { onSuccess: ({ message }) => setNote(message) });

  return (
    <Page
      title="Organisatie Codes"
      back="/"
      action={isAdmin ? <AddLink to="/organization/nieuw" label="Maak een nieuwe organisatie" /> : undefined}
    >
      <p className="my-4">Met de code van een organisatie kunnen medewerkers zich registreren.</p>
      <OutcomeNotice
        note={note}
        failure={
          switching.error && switchingOff === undefined
            ? failureText(switching.error, 'De organisatie is niet gewijzigd.')
            : undoing.error
              ? failureText(undoing.error, 'Het verwijderen is niet teruggenomen.')
              : undefined
        }
      />
      <LoadedList query={organizations} empty={<EmptyState title="Er zijn nog geen organisaties" />}>
        {(all) => (
          <SearchedList
            items={all}
            textOf={({ clean, name, code }) => `${clean}\n${name}\n${code}`}
            label="Zoek een organisatie"
            placeholder="Naam of code"
            plural="organisaties"
          >
            {(found) => (
              <CardList label="Organisaties" items={found} keyOf={({ _id }) => _id}>
                {(organization) => (
                  <OrganizationCard
                    organization={organization}
                    hasSettings={hasSettings}
                    actions={
                      isAdmin
                        ? {
                            onSwitch: (isActive) =>
                              isActive ? switchOn(organization) : askToSwitchOff(organization),
                            isSwitching:
                              switching.isPending && switching.variables.query.name === organization.name,
                            onDelete: () => setAsked(organization),
                            leaving: leaving.data?.find(({ name }) => name === organization.name),
                            isUndoing: undoing.isPending && undoing.variables.body.name === organization.name,
                            onUndo: () => undo(organization),
                          }
                        : undefined
                    }
                  />
                )}
              </CardList>
            )}
          </SearchedList>
        )}
      </LoadedList>
      {switchingOff && (
        <ConfirmDialog
          question={`Weet je zeker dat je ${switchingOff.clean} wilt uitschakelen`}
          kind="change"
          onYes={() => switchTo(switchingOff, false)}
          onClose={() => {
            switching.reset();
            setSwitchingOff(undefined);
          }}
          fallback="De organisatie is niet gewijzigd."
        >
          <p>
            Haar gebruikers worden meteen uitgelogd en kunnen niet meer inloggen; zij lezen waarom. De loggers
            blijven meten: er gaat niets verloren.
          </p>
        </ConfirmDialog>
      )}
      {asked && (
        <DeleteOrganizationDialog organization={asked} onDone={setNote} onClose={() => setAsked(undefined)} />
      )}
    </Page>
  );
}

const switched = (clean: string, isActive: boolean): string =>
  isActive
    ? `${clean} is actief: de gebruikers kunnen weer inloggen.`
    : `${clean} is uitgeschakeld: de gebruikers zijn uitgelogd en kunnen niet meer inloggen.`;

const HOW = {
  approval: 'Wie zich met de code registreert, wacht tot een beheerder diegene toelaat.',
  invitation: 'Nieuwe mensen komen er alleen op uitnodiging in.',
} as const;

/** Actions of an administrator on an organization. */
type OrganizationActions = {
  readonly onSwitch: (isActive: boolean) => void;
  readonly isSwitching: boolean;
  readonly onDelete: () => void;
  /** Set if the organization is being deleted. */
  readonly leaving: LeavingOrganization | undefined;
  readonly isUndoing: boolean;
  readonly onUndo: () => void;
};

type OrganizationCardProps = {
  readonly organization: Organization;
  /** Whether the user may see the organization's settings. */
  readonly hasSettings: boolean;
  readonly actions: OrganizationActions | undefined;
};

/** Shows display name, registration code and, for an administrator, a switch and a delete button (ORG-01 to ORG-03). */
function OrganizationCard({ organization, hasSettings, actions }: OrganizationCardProps) {
  const { name, clean, code, isActive, isBerende: isLmbCustomer, registration } = organization;
  const isAdmin = name === ADMIN_ORGANIZATION;
  return (
    <>
      <h2>{clean}</h2>
      {actions && (
        <p>
          {name}
          {isLmbCustomer && ' · LMB Logging'}
        </p>
      )}
      {isAdmin ? (
        <p className="small">
          De beheerders van het portaal. Niemand kan zich hier registreren; ook uitzetten kan niet.
        </p>
      ) : (
        <>
          {code !== '' && registration !== 'invitation' && !actions?.leaving && (
            <OrganizationCode {...organization} />
          )}
          {registration !== 'code' && !actions?.leaving && <p className="small">{HOW[registration]}</p>}
        </>
      )}
      {hasSettings && (
        <div>
          <TextLink to={`/organization/${name}`} label={`Instellingen van ${clean}`}>
            Instellingen
          </TextLink>
        </div>
      )}
      {actions?.leaving && <LeavingNote {...actions} leaving={actions.leaving} of={clean} />}
      {actions && !isAdmin && !actions.leaving && (
        <CardActions>
          <SwitchButton
            label={`${clean} actief`}
            isOn={isActive}
            texts={['Actief', 'Uitgeschakeld']}
            isBusy={actions.isSwitching}
            onSwitch={actions.onSwitch}
          />
          <DeleteButton word="Delete" of={clean} look="icon" onClick={actions.onDelete} />
        </CardActions>
      )}
    </>
  );
}

type LeavingNoteProps = Pick<OrganizationActions, 'isUndoing' | 'onUndo'> & {
  readonly leaving: LeavingOrganization;
  readonly of: string;
};

/** Shows until when an organization's deletion can be undone, with a button that undoes it. */
function LeavingNote({ leaving: { removeFrom, isRemoving }, isUndoing, onUndo, of }: LeavingNoteProps) {
  if (isRemoving)
    return (
      <p className="small">
        Wordt nu verwijderd, met alles wat van haar is. In het logboek staat daarna wat er nog over is.
      </p>
    );
  return (
    <>
      <p className="small">
        Uitgeschakeld; alles wat van haar is wordt verwijderd vanaf {dateAndTime(Date.parse(removeFrom))}.
      </p>
      <CardActions>
        <BusyButton isBusy={isUndoing} aria-label={`Neem terug: verwijderen van ${of}`} onClick={onUndo}>
          Neem terug
        </BusyButton>
      </CardActions>
    </>
  );
}
