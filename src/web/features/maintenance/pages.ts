import type { Pages } from '#web/lib/page-declaration.ts';

export const maintenancePages: Pages = {
  maintenance: {
    path: '/onderhoud',
    title: 'Onderhoud',
    needs: 'see-machines',
    load: async () => (await import('./maintenance-page.tsx')).MaintenancePage,
    menu: {
      place: 120,
      // The hours of maintenance include those before the period that a limited user may see.
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
