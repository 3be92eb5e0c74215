import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import type { Pages } from '#web/lib/page-declaration.ts';

export const lmbLoggersPages: Pages = {
  'lmb-loggers': {
    path: '/lmb-logging',
    title: 'LMB Logging',
    needs: 'see-loggers',
    load: async () => (await import('./lmb-loggers-page.tsx')).LmbLoggersPage,
    menu: {
      place: 50,
      to: '/lmb-logging/',
      label: ({ organization }) => (organization === ADMIN_ORGANIZATION ? 'LMB Logging' : 'Machines'),
      daily: 3,
    },
  },
  'new-lmb-logger': {
    path: '/lmb-logging/nieuw',
    title: 'Maak Een Nieuwe LMB Logging Machine',
    needs: 'manage-loggers',
    load: async () => (await import('./new-lmb-logger-page.tsx')).NewLmbLoggerPage,
  },
};
