import type { Pages } from '#web/lib/page-declaration.ts';

export const usersPages: Pages = {
  users: {
    path: '/Users',
    title: 'Gebruikers',
    needs: 'see-users',
    load: async () => (await import('./users-page.tsx')).UsersPage,
    menu: { place: 70, to: '/Users/' },
  },
};
