import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import type { Pages } from '#web/lib/page-declaration.ts';

export const organizationsPages: Pages = {
  organizations: {
    path: '/organization',
    title: 'Organisatie Codes',
    needs: 'see-organizations',
    load: async () => (await import('./organizations-page.tsx')).OrganizationsPage,
    menu: { place: 60, to: '/organization/' },
  },
  'new-organization': {
    path: '/organization/nieuw',
    title: 'Maak Een Nieuwe Organisatie',
    needs: 'manage-organizations',
    load: async () => (await import('./new-organization-page.tsx')).NewOrganizationPage,
  },
  'organization-settings': {
    path: '/organization/:name',
    title: 'Instellingen',
    needs: 'manage-users',
    load: async () => (await import('./organization-settings-page.tsx')).OrganizationSettingsPage,
    menu: {
      place: 90,
      label: () => 'Instellingen organisatie',
      // Administrators open this page of any organization from the list of organizations.
      to: ({ organization }) =>
        organization === ADMIN_ORGANIZATION ? undefined : `/organization/${organization}`,
    },
  },
};
