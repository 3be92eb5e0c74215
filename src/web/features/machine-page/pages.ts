import type { Pages } from '#web/lib/page-declaration.ts';

export const machinePagePages: Pages = {
  machine: {
    path: '/machine/:serialNumber',
    title: 'Machine',
    load: async () => (await import('./machine-page.tsx')).MachinePage,
  },
};
