import type { Pages } from '#web/lib/page-declaration.ts';

export const accountPages: Pages = {
  account: {
    path: '/account',
    title: 'Mijn account',
    load: async () => (await import('./account-page.tsx')).AccountPage,
    menu: { place: 150, to: '/account/' },
  },
};
