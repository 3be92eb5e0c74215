import type { Pages } from '#web/lib/page-declaration.ts';

export const definitionPages: Pages = {
  definition: {
    path: '/machine/edit/:serialNumber/definitie',
    title: 'Datadefinitie',
    needs: 'manage-machines',
    load: async () => (await import('./definition-page.tsx')).DefinitionPage,
  },
};
