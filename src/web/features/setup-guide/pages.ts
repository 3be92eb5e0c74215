import type { Pages } from '#web/lib/page-declaration.ts';

export const setupGuidePages: Pages = {
  'setup-guide': {
    path: '/machine/handleiding',
    title: 'Handleiding',
    load: async () => (await import('./setup-guide-page.tsx')).SetupGuidePage,
  },
};
