import type { Pages } from '#web/lib/page-declaration.ts';

export const logbookPages: Pages = {
  logbook: {
    path: '/logboek',
    title: 'Logboek',
    needs: 'see-log',
    load: async () => (await import('./logbook-page.tsx')).LogbookPage,
    menu: { place: 80 },
  },
};
