import type { Terrein } from '#shared/contract/terreinen.ts';
import { ADMIN_ORGANIZATION, isActionAllowed } from '#shared/domain/access.ts';
import { TERREIN_KINDS } from '#shared/domain/terrein-kinds.ts';
import { useNote } from '#web/lib/arrival-note.ts';
import { useTerreinen } from '#web/machines/terreinen.ts';
import { useUser } from '#web/session/user.ts';
import { CardActions, CardList, CardTitle, LoadedList } from '#web/ui/card-list.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AddLink, TextLink } from '#web/ui/link.tsx';
import { OutcomeNotice } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { SearchedList } from '#web/ui/searched-list.tsx';
import { PlacesTabs } from './places-tabs.tsx';
import { machinesNow } from './project-text.ts';
import { departureRulePath, TERREINEN_PATH } from './terrein-paths.ts';

/** Page '/projecten/terreinen': the areas of an organization that are not projects (yards, depots), by name. */
export function TerreinenPage() {
  const user = useUser();
  const mayManage = isActionAllowed(user, 'manage-projects');
  const terreinen = useTerreinen();
  const [note] = useNote();
  return (
    <Page
      title="Terreinen"
      back="/"
      action={
        mayManage ? <AddLink to={`${TERREINEN_PATH}/nieuw`} label="Maak een nieuw terrein" /> : undefined
      }
    >
      <PlacesTabs />
      <OutcomeNotice note={note} />
      <LoadedList query={terreinen} empty={<NoTerreinen mayManage={mayManage} />}>
        {(all) => (
          <SearchedList
            items={all}
            textOf={({ terreinName, cleanorg }) => `${terreinName}\n${cleanorg}`}
            label="Zoek een terrein"
            placeholder="Naam"
            plural="terreinen"
          >
            {(found) => (
              <CardList label="Terreinen" items={found} keyOf={({ _id }) => _id}>
                {(terrein) => (
                  <TerreinCard
                    terrein={terrein}
                    isNamed={user.organization === ADMIN_ORGANIZATION}
                    mayAlert={user.seesRoutes}
                  />
                )}
              </CardList>
            )}
          </SearchedList>
        )}
      </LoadedList>
    </Page>
  );
}

const NoTerreinen = ({ mayManage }: { readonly mayManage: boolean }) => (
  <EmptyState title="Er zijn nog geen terreinen">
    <p>
      {mayManage
        ? 'Maak er een met de knop rechtsboven: teken je werf, werkplaats of depot. Elke plaats daar heet dan zo, en je kunt laten melden wie er komt of gaat.'
        : 'Een beheerder van je organisatie maakt ze.'}
    </p>
  </EmptyState>
);

type TerreinCardProps = {
  readonly terrein: Terrein;
  /** Whether the card names the organization. */
  readonly isNamed: boolean;
  /** Whether the user may make an alert rule for machines that leave the terrein. */
  readonly mayAlert: boolean;
};

function TerreinCard({ terrein, isNamed, mayAlert }: TerreinCardProps) {
  const { _id, terreinName, terreinKind, cleanorg } = terrein;
  const facts = [...(terreinKind ? [TERREIN_KINDS[terreinKind]] : []), ...(isNamed ? [cleanorg] : [])];
  return (
    <>
      <CardTitle to={`${TERREINEN_PATH}/${_id}`} label={`Terrein ${terreinName}`}>
        {terreinName}
      </CardTitle>
      {facts.length > 0 && <p>{facts.join(' · ')}</p>}
      <p className="mt-auto quiet">{machinesNow(terrein.machinesNow)}</p>
      {mayAlert && (
        <CardActions>
          <TextLink to={departureRulePath(terrein)} label={`Meld vertrek buiten werktijd van ${terreinName}`}>
            Meld vertrek buiten werktijd
          </TextLink>
        </CardActions>
      )}
    </>
  );
}
