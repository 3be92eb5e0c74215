import type { Pages } from '#web/lib/page-declaration.ts';

export const overviewPages: Pages = {
  overview: {
    path: '/overzicht',
    title: 'Overzicht',
    needs: 'see-machines',
    load: async () => (await import('./overview-page.tsx')).OverviewPage,
    menu: { place: 20, daily: 1 },
  },
};
