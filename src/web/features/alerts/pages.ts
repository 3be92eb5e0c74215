import type { Pages } from '#web/lib/page-declaration.ts';

export const alertsPages: Pages = {
  alerts: {
    path: '/meldingen',
    title: 'Meldingen',
    needs: 'see-machines',
    load: async () => (await import('./alerts-page.tsx')).AlertsPage,
    menu: { place: 30 },
  },
};
