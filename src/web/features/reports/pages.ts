import type { Pages } from '#web/lib/page-declaration.ts';

export const reportsPages: Pages = {
  reports: {
    path: '/rapporten',
    title: 'Rapporten',
    needs: 'see-machines',
    load: async () => (await import('./reports-page.tsx')).ReportsPage,
    menu: {
      place: 130,
      // Reports cover past days, which a user limited to the present day may not see.
      to: ({ limit }) => (limit?.onlyToday ? undefined : '/rapporten'),
      daily: 5,
    },
  },
  report: {
    path: '/rapporten/:kind',
    title: 'Rapporten',
    needs: 'see-machines',
    load: async () => (await import('./report-page.tsx')).ReportPage,
  },
};
