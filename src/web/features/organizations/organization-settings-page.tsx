import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { readQuery } from '#web/queries/read.ts';
import { CardSkeletons } from '#web/ui/card-list.tsx';
import { TextLink } from '#web/ui/link.tsx';
import { RetryAlert } from '#web/ui/notice.tsx';
import { Page } from '#web/ui/page.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { NotFound } from '#web/ui/screen.tsx';
import { CodePanel } from './code-panel.tsx';
import { FactorPanel } from './factor-panel.tsx';
import { NamePanel } from './name-panel.tsx';
import { OidcPanel } from './oidc-panel.tsx';
import styles from './organization-settings-page.module.css';
import { PrivacyPanel } from './privacy-panel.tsx';
import { RegistrationPanel } from './registration-panel.tsx';
import { ReportPanel } from './report-panel.tsx';

const LIST = '/organization/';

/** Page '/organization/:name': a panel per setting, for users who manage the organization's users. */
export function OrganizationSettingsPage() {
  const { name = '' } = useParams();
  const organizations = useQuery(readQuery('GET /api/organization/get'));
  const organization = organizations.data?.find((one) => one.name === name);
  if (organizations.data && !organization)
    return <NotFound what="Deze organisatie" to={LIST} way="Naar de organisaties" />;
  return (
    <Page title="Instellingen organisatie" back={LIST}>
      <RetryAlert query={organizations} fallback="De instellingen zijn niet geladen." />
      {organizations.data === undefined && !organizations.error && <CardSkeletons />}
      {organization && (
        <>
          <p className={`${styles.whose} quiet`}>{organization.clean}</p>
          <div className="panels">
            {organization.name === ADMIN_ORGANIZATION ? (
              <Panel title="Registreren">
                <p>Niemand kan zich hier registreren. Nodig mensen uit bij Gebruikers.</p>
              </Panel>
            ) : (
              <>
                <NamePanel organization={organization} />
                <RegistrationPanel organization={organization} />
                {organization.registration !== 'invitation' && <CodePanel organization={organization} />}
              </>
            )}
            <FactorPanel organization={organization} />
            <OidcPanel organization={organization} />
            {name !== ADMIN_ORGANIZATION && (
              <Panel title="Werkweek">
                <p>Wanneer er wordt gewerkt, en welke dagen vrij zijn. Meldingen gaan daarvan uit.</p>
                <p>
                  <TextLink to={`/organization/${name}/werkweek`}>Werkweek en vrije dagen</TextLink>
                </p>
              </Panel>
            )}
            {!organization.isBerende && (
              <Panel title="Contacten">
                <p>Wie je belt over een machine: bij meldingen, in mails, op de kaart en bij de machine.</p>
                <p>
                  <TextLink to={`/organization/${name}/contacten`}>Contacten instellen</TextLink>
                </p>
              </Panel>
            )}
            {name !== ADMIN_ORGANIZATION && <PrivacyPanel name={name} />}
            {name !== ADMIN_ORGANIZATION && !organization.isBerende && <ReportPanel name={name} />}
            <Panel title="Webhooks">
              <p>Het portaal kan meldingen ook aan je eigen programma’s doorgeven.</p>
              <p>
                <TextLink to={`/organization/${name}/webhooks`}>Webhooks instellen</TextLink>
              </p>
            </Panel>
          </div>
        </>
      )}
    </Page>
  );
}
