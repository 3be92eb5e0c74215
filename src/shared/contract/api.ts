import { accountApi } from './account.ts';
import { alertsApi } from './alerts.ts';
import { apiDocsApi } from './api-docs.ts';
import { applicantsApi } from './applicants.ts';
import { authApi } from './auth.ts';
import { backgroundTasksApi } from './background-tasks.ts';
import { chargingSessionsApi } from './charging-sessions.ts';
import { chargingTariffsApi } from './charging-tariffs.ts';
import { closedWeeksApi } from './closed-weeks.ts';
import { compareApi } from './compare.ts';
import { contactsApi } from './contacts.ts';
import { dayFiguresApi } from './day-figures.ts';
import { definitionApi } from './definition.ts';
import { withEndpointDefaults } from './endpoint.ts';
import { erasuresApi } from './erasures.ts';
import { factorsApi } from './factors.ts';
import { faultCodesApi } from './fault-codes.ts';
import { fleetFiguresApi } from './fleet-figures.ts';
import { fleetMaintenanceApi } from './fleet-maintenance.ts';
import { healthApi } from './health.ts';
import { historyApi } from './history.ts';
import { invitationsApi } from './invitations.ts';
import { labelsApi } from './labels.ts';
import { leavingApi } from './leaving.ts';
import { liveApi } from './live.ts';
import { lmbLoggersApi } from './lmb-loggers.ts';
import { logApi } from './log.ts';
import { logFilesApi } from './log-files.ts';
import { machineFilesApi } from './machine-files.ts';
import { machineSaleApi } from './machine-sale.ts';
import { machinesApi } from './machines.ts';
import { maintenanceApi } from './maintenance.ts';
import { maintenanceTemplatesApi } from './maintenance-templates.ts';
import { mapLayersApi } from './map-layers.ts';
import { metricsApi } from './metrics.ts';
import { oidcApi } from './oidc.ts';
import { organizationsApi } from './organizations.ts';
import { passwordApi } from './password.ts';
import { portalTasksApi } from './portal-tasks.ts';
import { projectsApi } from './projects.ts';
import { pushApi } from './push.ts';
import { reportFactorsApi } from './report-factors.ts';
import { reportMailsApi } from './report-mails.ts';
import { reportsApi } from './reports.ts';
import { subscriptionsApi } from './subscriptions.ts';
import { terreinenApi } from './terreinen.ts';
import { usersApi } from './users.ts';
import { webhooksApi } from './webhooks.ts';
import { workWeeksApi } from './work-weeks.ts';
import { writersApi } from './writers.ts';

/** Every call of the portal, by "METHOD /path". The browser imports only the type of this object, so that it does not load zod. */
export const api = withEndpointDefaults({
  ...authApi,
  ...passwordApi,
  ...factorsApi,
  ...oidcApi,
  ...organizationsApi,
  ...leavingApi,
  ...workWeeksApi,
  ...contactsApi,
  ...usersApi,
  ...invitationsApi,
  ...applicantsApi,
  ...accountApi,
  ...liveApi,
  ...historyApi,
  ...chargingSessionsApi,
  ...dayFiguresApi,
  ...fleetFiguresApi,
  ...compareApi,
  ...mapLayersApi,
  ...healthApi,
  ...metricsApi,
  ...portalTasksApi,
  ...backgroundTasksApi,
  ...machinesApi,
  ...machineSaleApi,
  ...closedWeeksApi,
  ...erasuresApi,
  ...writersApi,
  ...definitionApi,
  ...logFilesApi,
  ...machineFilesApi,
  ...lmbLoggersApi,
  ...labelsApi,
  ...maintenanceApi,
  ...maintenanceTemplatesApi,
  ...fleetMaintenanceApi,
  ...faultCodesApi,
  ...projectsApi,
  ...terreinenApi,
  ...reportsApi,
  ...reportFactorsApi,
  ...chargingTariffsApi,
  ...reportMailsApi,
  ...subscriptionsApi,
  ...pushApi,
  ...webhooksApi,
  ...alertsApi,
  ...logApi,
  ...apiDocsApi,
});
export type Api = typeof api;
export type ApiKey = keyof Api;
