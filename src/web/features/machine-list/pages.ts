import type { Pages } from '#web/lib/page-declaration.ts';

export const machineListPages: Pages = {
  machines: {
    path: '/machine',
    title: 'Machines',
    needs: 'see-machines',
    load: async () => (await import('./machines-page.tsx')).MachinesPage,
    menu: { place: 40, to: '/machine/' },
  },
};
