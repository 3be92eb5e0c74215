import type { Pages } from '#web/lib/page-declaration.ts';

export const contactsPages: Pages = {
  contacts: {
    path: '/organization/:name/contacten',
    title: 'Contacten',
    needs: 'manage-alerts',
    load: async () => (await import('./contacts-page.tsx')).ContactsPage,
  },
  'contact-of': {
    path: '/organization/:name/contacten/:by/:target',
    title: 'Contact',
    needs: 'manage-alerts',
    load: async () => (await import('./contact-of-page.tsx')).ContactOfPage,
  },
};
