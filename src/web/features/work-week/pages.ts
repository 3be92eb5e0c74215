import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import type { Pages } from '#web/lib/page-declaration.ts';

export const workWeekPages: Pages = {
  'work-week': {
    path: '/organization/:name/werkweek',
    title: 'Werkweek',
    needs: 'manage-users',
    load: async () => (await import('./work-week-page.tsx')).WorkWeekPage,
    menu: {
      place: 100,
      // Administrators open this page from the list of organizations, for any organization.
      to: ({ organization }) =>
        organization === ADMIN_ORGANIZATION ? undefined : `/organization/${organization}/werkweek`,
    },
  },
  'own-work-week': {
    path: '/organization/:name/werkweek/:by/:target',
    title: 'Eigen werkweek',
    needs: 'manage-users',
    load: async () => (await import('./own-week-page.tsx')).OwnWeekPage,
  },
};
