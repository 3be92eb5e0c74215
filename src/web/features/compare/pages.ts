import type { Pages } from '#web/lib/page-declaration.ts';

export const comparePages: Pages = {
  compare: {
    path: '/vergelijk',
    title: 'Vergelijk',
    needs: 'see-machines',
    load: async () => (await import('./compare-page.tsx')).ComparePage,
  },
};
