import { useState } from 'react';
import type { Organization } from '#shared/contract/organizations.ts';
import { may, roleOf } from '#shared/domain/access.ts';
import { failureText } from '#web/lib/api.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { useUser } from '#web/session/user.ts';
import { CardList, LoadedList } from '#web/ui/card-list.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AddLink } from '#web/ui/link.tsx';
import { Outcome } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { SearchedList } from '#web/ui/searched-list.tsx';
import { useDeleteOrganization, useOrganizations, useSwitchOrganization } from './organization-calls.ts';
import { OrganizationCard } from './organization-card.tsx';

/** /organization/: who may register where, and for administrators the whole of ORG-01 to ORG-03. */
export function OrganizationsPage() {
  const isAdmin = may(roleOf(useUser()), 'manage-organizations');
  const organizations = useOrganizations();
  const switching = useSwitchOrganization();
  const removal = useDeleteOrganization();
  const [note, setNote] = useNote();
  const [asked, setAsked] = useState<Organization>();

  const switchTo = ({ name, clean }: Organization, isActive: boolean): void => {
    setNote(undefined);
    switching.mutate({ name, isActive }, { onSuccess: () => setNote(switched(clean, isActive)) });
  };
  const remove = async ({ name, clean }: Organization): Promise<void> => {
    await removal.mutateAsync(name);
    setNote(`${clean} is verwijderd.`);
  };

  return (
    <Page
      title="Organisatie Codes"
      back="/"
      action={isAdmin ? <AddLink to="/organization/nieuw" label="Maak een nieuwe organisatie" /> : undefined}
    >
      <p>Met de code van een organisatie kunnen medewerkers zich registreren.</p>
      <Outcome
        note={note}
        failure={
          switching.error ? failureText(switching.error, 'De organisatie is niet gewijzigd.') : undefined
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
                    actions={
                      isAdmin
                        ? {
                            onSwitch: (isActive) => switchTo(organization, isActive),
                            isSwitching:
                              switching.isPending && switching.variables.name === organization.name,
                            onDelete: () => setAsked(organization),
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
      {asked && (
        <ConfirmDialog
          question="Weet je zeker dat je dit bedrijf wilt verwijderen"
          onYes={() => remove(asked)}
          onClose={() => setAsked(undefined)}
          fallback="De organisatie is niet verwijderd. Probeer het opnieuw."
        >
          <p>
            <strong>{asked.clean}</strong>
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

const switched = (clean: string, isActive: boolean): string =>
  isActive
    ? `${clean} is actief: de gebruikers kunnen weer inloggen.`
    : `${clean} is uitgeschakeld: de gebruikers zijn uitgelogd en kunnen niet meer inloggen.`;
