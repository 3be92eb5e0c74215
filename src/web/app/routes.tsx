import type { ReactNode } from 'react';
import type { RouteObject } from 'react-router';
import { type Action, may } from '#shared/domain/access.ts';
import { useUser } from '#web/session/user.ts';
import { Page } from '#web/ui/page.tsx';
import { type ChunkPage, chunkPage } from './chunk.ts';
import { BareErrorPage, ErrorPage, UnknownPage } from './error-page.tsx';
import { Guard } from './guard.tsx';
import { PublicPage } from './public-page.tsx';
import { SIGN_IN_PATH, SignInRoute } from './sign-in-route.tsx';

const layout = chunkPage('layout', async () => (await import('./layout.tsx')).Layout);
const home = chunkPage(
  'fleet-map',
  async () => (await import('#web/features/fleet-map/fleet-map-page.tsx')).FleetMapPage,
);
const overview = chunkPage(
  'overview',
  async () => (await import('#web/features/overview/overview-page.tsx')).OverviewPage,
);
const alerts = chunkPage(
  'alerts',
  async () => (await import('#web/features/alerts/alerts-page.tsx')).AlertsPage,
);
const alertRules = chunkPage(
  'alert-rules',
  async () => (await import('#web/features/alert-rules/alert-rules-page.tsx')).AlertRulesPage,
);
const machines = chunkPage(
  'machines',
  async () => (await import('#web/features/machine-list/machines-page.tsx')).MachinesPage,
);
const newMachine = chunkPage(
  'new-machine',
  async () => (await import('./new-machine-route.tsx')).NewMachineRoute,
);
const editMachine = chunkPage(
  'edit-machine',
  async () => (await import('./edit-machine-route.tsx')).EditMachineRoute,
);
const definition = chunkPage(
  'definition',
  async () => (await import('#web/features/definition/definition-page.tsx')).DefinitionPage,
);
const setupGuide = chunkPage(
  'setup-guide',
  async () => (await import('#web/features/setup-guide/setup-guide-page.tsx')).SetupGuidePage,
);
const organizations = chunkPage(
  'organizations',
  async () => (await import('#web/features/organizations/organizations-page.tsx')).OrganizationsPage,
);
const newOrganization = chunkPage(
  'new-organization',
  async () => (await import('#web/features/organizations/new-organization-page.tsx')).NewOrganizationPage,
);
const organizationSettings = chunkPage(
  'organization-settings',
  async () =>
    (await import('#web/features/organizations/organization-settings-page.tsx')).OrganizationSettingsPage,
);
const webhooks = chunkPage(
  'webhooks',
  async () => (await import('#web/features/webhooks/webhooks-page.tsx')).WebhooksPage,
);
const workWeek = chunkPage(
  'work-week',
  async () => (await import('#web/features/work-week/work-week-page.tsx')).WorkWeekPage,
);
const ownWorkWeek = chunkPage(
  'own-work-week',
  async () => (await import('#web/features/work-week/own-week-page.tsx')).OwnWeekPage,
);
const contacts = chunkPage(
  'contacts',
  async () => (await import('#web/features/contacts/contacts-page.tsx')).ContactsPage,
);
const contactOf = chunkPage(
  'contact-of',
  async () => (await import('#web/features/contacts/contact-of-page.tsx')).ContactOfPage,
);
const reports = chunkPage(
  'reports',
  async () => (await import('#web/features/reports/reports-page.tsx')).ReportsPage,
);
const report = chunkPage(
  'report',
  async () => (await import('#web/features/reports/report-page.tsx')).ReportPage,
);
const reportFactors = chunkPage(
  'report-factors',
  async () => (await import('#web/features/report-factors/report-factors-page.tsx')).ReportFactorsPage,
);
const users = chunkPage('users', async () => (await import('#web/features/users/users-page.tsx')).UsersPage);
const logbook = chunkPage(
  'logbook',
  async () => (await import('#web/features/logbook/logbook-page.tsx')).LogbookPage,
);
const lmbLoggers = chunkPage(
  'lmb-loggers',
  async () => (await import('#web/features/lmb-loggers/lmb-loggers-page.tsx')).LmbLoggersPage,
);
const newLmbLogger = chunkPage(
  'new-lmb-logger',
  async () => (await import('#web/features/lmb-loggers/new-lmb-logger-page.tsx')).NewLmbLoggerPage,
);
const lmbLogger = chunkPage(
  'lmb-logger',
  async () => (await import('./lmb-logger-route.tsx')).LmbLoggerRoute,
);
const maintenance = chunkPage(
  'maintenance',
  async () => (await import('#web/features/maintenance/maintenance-page.tsx')).MaintenancePage,
);
const maintenanceTemplates = chunkPage(
  'maintenance-templates',
  async () => (await import('#web/features/maintenance/templates-page.tsx')).MaintenanceTemplatesPage,
);
const compare = chunkPage(
  'compare',
  async () => (await import('#web/features/compare/compare-page.tsx')).ComparePage,
);
const projects = chunkPage(
  'projects',
  async () => (await import('#web/features/projects/projects-page.tsx')).ProjectsPage,
);
const newProject = chunkPage(
  'new-project',
  async () => (await import('#web/features/projects/new-project-page.tsx')).NewProjectPage,
);
const project = chunkPage(
  'project',
  async () => (await import('#web/features/projects/project-page.tsx')).ProjectPage,
);
const terreinen = chunkPage(
  'terreinen',
  async () => (await import('#web/features/projects/terreinen-page.tsx')).TerreinenPage,
);
const newTerrein = chunkPage(
  'new-terrein',
  async () => (await import('#web/features/projects/new-terrein-page.tsx')).NewTerreinPage,
);
const terrein = chunkPage(
  'terrein',
  async () => (await import('#web/features/projects/terrein-page.tsx')).TerreinPage,
);
const account = chunkPage(
  'account',
  async () => (await import('#web/features/account/account-page.tsx')).AccountPage,
);
const powerBack = chunkPage(
  'power-back',
  async () => (await import('#web/features/power-back/power-back-page.tsx')).PowerBackPage,
);
const machine = chunkPage(
  'machine',
  async () => (await import('#web/features/machine-page/machine-page.tsx')).MachinePage,
);

const invitation = chunkPage(
  'invitation',
  async () => (await import('#web/features/sign-in/invitation-page.tsx')).InvitationPage,
);
const confirmAddress = chunkPage(
  'confirm-address',
  async () => (await import('#web/features/sign-in/confirm-address-page.tsx')).ConfirmAddressPage,
);

/** Returns the route of a page for users with the permission `needs` (APP-06). Others see that the page `title` is forbidden. */
function limited(needs: Action, title: string, page: ChunkPage): Pick<RouteObject, 'element' | 'handle'> {
  const element = <Permitted needs={needs} title={title} page={<page.Component />} />;
  return { element, handle: page };
}

/**
 * Every page of the portal, at the paths of APP-03. A trailing slash is optional and
 * case does not matter, as always in react-router.
 */
export const routes: RouteObject[] = [
  { path: SIGN_IN_PATH, element: <SignInRoute />, errorElement: <BareErrorPage /> },
  // Targets of mailed links.
  { path: '/uitnodiging', element: <PublicPage page={invitation} />, errorElement: <BareErrorPage /> },
  { path: '/bevestigen', element: <PublicPage page={confirmAddress} />, errorElement: <BareErrorPage /> },
  {
    element: <Guard />,
    errorElement: <BareErrorPage />,
    children: [
      {
        element: <layout.Component />,
        handle: layout,
        children: [
          {
            // Catches the errors of pages inside the layout, so that the header stays.
            errorElement: <ErrorPage />,
            children: [
              { path: '/', element: <home.Component />, handle: home },
              { path: '/overzicht', ...limited('see-machines', 'Overzicht', overview) },
              { path: '/meldingen', ...limited('see-machines', 'Meldingen', alerts) },
              { path: '/meldingen/regels', ...limited('see-machines', 'Regels', alertRules) },
              { path: '/machine', ...limited('see-machines', 'Machines', machines) },
              { path: '/machine/handleiding', element: <setupGuide.Component />, handle: setupGuide },
              {
                path: '/machine/nieuw',
                ...limited('manage-machines', 'Maak Een Nieuwe Machine', newMachine),
              },
              {
                path: '/machine/edit/:serialNumber',
                ...limited('manage-machines', 'Update Een Machine', editMachine),
              },
              {
                path: '/machine/edit/:serialNumber/definitie',
                ...limited('manage-machines', 'Datadefinitie', definition),
              },
              { path: '/machine/:serialNumber', element: <machine.Component />, handle: machine },
              { path: '/lmb-logging', ...limited('see-loggers', 'LMB Logging', lmbLoggers) },
              {
                path: '/lmb-logging/nieuw',
                ...limited('manage-loggers', 'Maak Een Nieuwe LMB Logging Machine', newLmbLogger),
              },
              {
                path: '/lmb-logging/:alias',
                ...limited('see-loggers', 'LMB Logging', lmbLogger),
              },
              {
                path: '/organization',
                ...limited('see-organizations', 'Organisatie Codes', organizations),
              },
              {
                path: '/organization/nieuw',
                ...limited('manage-organizations', 'Maak Een Nieuwe Organisatie', newOrganization),
              },
              {
                path: '/organization/:name',
                ...limited('manage-users', 'Instellingen', organizationSettings),
              },
              { path: '/organization/:name/webhooks', ...limited('manage-users', 'Webhooks', webhooks) },
              { path: '/organization/:name/werkweek', ...limited('manage-users', 'Werkweek', workWeek) },
              {
                path: '/organization/:name/werkweek/:by/:target',
                ...limited('manage-users', 'Eigen werkweek', ownWorkWeek),
              },
              { path: '/organization/:name/contacten', ...limited('manage-alerts', 'Contacten', contacts) },
              {
                path: '/organization/:name/contacten/:by/:target',
                ...limited('manage-alerts', 'Contact', contactOf),
              },
              { path: '/rapporten', ...limited('see-machines', 'Rapporten', reports) },
              { path: '/rapporten/:kind', ...limited('see-machines', 'Rapporten', report) },
              { path: '/rapporten/factoren', ...limited('see-machines', 'Factoren', reportFactors) },
              { path: '/Users', ...limited('see-users', 'Gebruikers', users) },
              { path: '/logboek', ...limited('see-log', 'Logboek', logbook) },
              { path: '/onderhoud', ...limited('see-machines', 'Onderhoud', maintenance) },
              { path: '/onderhoud/sjablonen', ...limited('see-machines', 'Sjablonen', maintenanceTemplates) },
              { path: '/vergelijk', ...limited('see-machines', 'Vergelijk', compare) },
              { path: '/projecten', ...limited('see-machines', 'Projecten', projects) },
              { path: '/projecten/nieuw', ...limited('manage-projects', 'Nieuw Project', newProject) },
              { path: '/projecten/terreinen', ...limited('see-machines', 'Terreinen', terreinen) },
              {
                path: '/projecten/terreinen/nieuw',
                ...limited('manage-projects', 'Nieuw Terrein', newTerrein),
              },
              { path: '/projecten/terreinen/:id', ...limited('see-machines', 'Terrein', terrein) },
              { path: '/projecten/:id', ...limited('see-machines', 'Project', project) },
              { path: '/account', element: <account.Component />, handle: account },
              { path: '/test', element: <powerBack.Component />, handle: powerBack },
              { path: '*', element: <UnknownPage /> },
            ],
          },
        ],
      },
    ],
  },
];

type PermittedProps = {
  readonly needs: Action;
  readonly title: string;
  readonly page: ReactNode;
};

/** Shows the page to users with the permission (APP-06, API-02). The server refuses the page's calls to others as well. */
function Permitted({ needs, title, page }: PermittedProps) {
  if (may(useUser(), needs)) return page;
  return (
    <Page title="Geen toegang" back="/">
      <p>Je hebt geen rechten voor ‘{title}’.</p>
    </Page>
  );
}
