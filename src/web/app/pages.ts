import { accountPages } from '#web/features/account/pages.ts';
import { alertRulesPages } from '#web/features/alert-rules/pages.ts';
import { alertsPages } from '#web/features/alerts/pages.ts';
import { comparePages } from '#web/features/compare/pages.ts';
import { contactsPages } from '#web/features/contacts/pages.ts';
import { definitionPages } from '#web/features/definition/pages.ts';
import { fleetMapPages } from '#web/features/fleet-map/pages.ts';
import { lmbLoggersPages } from '#web/features/lmb-loggers/pages.ts';
import { logbookPages } from '#web/features/logbook/pages.ts';
import { machineListPages } from '#web/features/machine-list/pages.ts';
import { machinePagePages } from '#web/features/machine-page/pages.ts';
import { maintenancePages } from '#web/features/maintenance/pages.ts';
import { organizationsPages } from '#web/features/organizations/pages.ts';
import { overviewPages } from '#web/features/overview/pages.ts';
import { powerBackPages } from '#web/features/power-back/pages.ts';
import { projectsPages } from '#web/features/projects/pages.ts';
import { reportFactorsPages } from '#web/features/report-factors/pages.ts';
import { reportsPages } from '#web/features/reports/pages.ts';
import { setupGuidePages } from '#web/features/setup-guide/pages.ts';
import { usersPages } from '#web/features/users/pages.ts';
import { webhooksPages } from '#web/features/webhooks/pages.ts';
import { workWeekPages } from '#web/features/work-week/pages.ts';
import type { Pages } from '#web/lib/page-declaration.ts';

/** Every page with the header of the portal, at the paths of APP-03. A feature declares its own pages. */
export const pages: Pages = {
  ...accountPages,
  ...alertRulesPages,
  ...alertsPages,
  ...comparePages,
  ...contactsPages,
  ...definitionPages,
  ...fleetMapPages,
  ...lmbLoggersPages,
  ...logbookPages,
  ...machineListPages,
  ...machinePagePages,
  ...maintenancePages,
  ...organizationsPages,
  ...overviewPages,
  ...powerBackPages,
  ...projectsPages,
  ...reportFactorsPages,
  ...reportsPages,
  ...setupGuidePages,
  ...usersPages,
  ...webhooksPages,
  ...workWeekPages,
  // Pages that combine features.
  'new-machine': {
    path: '/machine/nieuw',
    title: 'Maak Een Nieuwe Machine',
    needs: 'manage-machines',
    load: async () => (await import('./new-machine-route.tsx')).NewMachineRoute,
  },
  'edit-machine': {
    path: '/machine/edit/:serialNumber',
    title: 'Update Een Machine',
    needs: 'manage-machines',
    load: async () => (await import('./edit-machine-route.tsx')).EditMachineRoute,
  },
  'lmb-logger': {
    path: '/lmb-logging/:alias',
    title: 'LMB Logging',
    needs: 'see-loggers',
    load: async () => (await import('./lmb-logger-route.tsx')).LmbLoggerRoute,
  },
};
