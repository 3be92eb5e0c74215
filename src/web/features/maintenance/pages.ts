import type { Pages } from '#web/lib/page-declaration.ts';

export const maintenancePages: Pages = {
  maintenance: {
    path: '/onderhoud',
    title: 'Onderhoud',
    needs: 'see-machines',
    load: async () => (await import('./maintenance-page.tsx')).MaintenancePage,
    menu: {
      place: 120,
      // Hidden from limited users, because the running hours include those before the period that such a user may see.
      to: ({ isLimited }) => (isLimited ? undefined : '/onderhoud'),
    },
  },
  'maintenance-templates': {
    path: '/onderhoud/sjablonen',
    title: 'Sjablonen',
    needs: 'see-machines',
    load: async () => (await import('./templates-page.tsx')).MaintenanceTemplatesPage,
  },
};
