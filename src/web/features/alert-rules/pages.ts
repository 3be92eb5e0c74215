import type { Pages } from '#web/lib/page-declaration.ts';

export const alertRulesPages: Pages = {
  'alert-rules': {
    path: '/meldingen/regels',
    title: 'Regels',
    needs: 'see-machines',
    load: async () => (await import('./alert-rules-page.tsx')).AlertRulesPage,
  },
};
