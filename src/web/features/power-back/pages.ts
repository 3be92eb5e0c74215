import type { Pages } from '#web/lib/page-declaration.ts';

export const powerBackPages: Pages = {
  'power-back': {
    path: '/test',
    title: 'Teruggeleverde energie',
    load: async () => (await import('./power-back-page.tsx')).PowerBackPage,
    menu: { place: 140 },
  },
};
