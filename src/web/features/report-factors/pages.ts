import type { Pages } from '#web/lib/page-declaration.ts';

export const reportFactorsPages: Pages = {
  'report-factors': {
    path: '/rapporten/factoren',
    title: 'Factoren',
    needs: 'see-machines',
    load: async () => (await import('./report-factors-page.tsx')).ReportFactorsPage,
  },
};
