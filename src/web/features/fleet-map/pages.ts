import type { Pages } from '#web/lib/page-declaration.ts';

export const fleetMapPages: Pages = {
  'fleet-map': {
    path: '/',
    title: 'Home',
    load: async () => (await import('./fleet-map-page.tsx')).FleetMapPage,
    menu: { place: 10, daily: 2, dailyLabel: 'Kaart' },
  },
};
