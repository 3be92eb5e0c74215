import { account } from '#server/account/module.ts';
import { alerts } from '#server/alerts/module.ts';
import { apiDocs } from '#server/api-docs/module.ts';
import { applicants } from '#server/applicants/module.ts';
import { auth } from '#server/auth/module.ts';
import { backgroundTasks } from '#server/background-tasks/module.ts';
import { chargingSessions } from '#server/charging-sessions/module.ts';
import { chargingTariffs } from '#server/charging-tariffs/module.ts';
import { closedWeeks } from '#server/closed-weeks/module.ts';
import { compare } from '#server/compare/module.ts';
import { contacts } from '#server/contacts/module.ts';
import { dayFigures } from '#server/day-figures/module.ts';
import { definitions } from '#server/definitions/module.ts';
import { faultCodes } from '#server/fault-codes/module.ts';
import { fleet } from '#server/fleet-figures/module.ts';
import { fleetMaintenance } from '#server/fleet-maintenance/module.ts';
import { health } from '#server/health/module.ts';
import { history } from '#server/history/module.ts';
import { invitations } from '#server/invitations/module.ts';
import { labels } from '#server/labels/module.ts';
import { leaving } from '#server/leaving/module.ts';
import { live } from '#server/live/module.ts';
import { lmbLoggers } from '#server/lmb-loggers/module.ts';
import { logFiles } from '#server/log-files/module.ts';
import { logbook } from '#server/logbook/module.ts';
import { machineFiles } from '#server/machine-files/module.ts';
import { machines } from '#server/machines/module.ts';
import { mail } from '#server/mail/module.ts';
import { maintenance } from '#server/maintenance/module.ts';
import { oidc } from '#server/oidc/module.ts';
import { organizations } from '#server/organizations/module.ts';
import type { ApiTopics, Module, ServiceOpener } from '#server/platform/module.ts';
import { projects } from '#server/projects/module.ts';
import { push } from '#server/push/module.ts';
import { redecoding } from '#server/redecoding/module.ts';
import { reportFactors } from '#server/report-factors/module.ts';
import { reportMails } from '#server/report-mails/module.ts';
import { reports } from '#server/reports/module.ts';
import { subscriptions } from '#server/subscriptions/module.ts';
import { telemetry } from '#server/telemetry/module.ts';
import { terreinen } from '#server/terreinen/module.ts';
import { tiles } from '#server/tiles/module.ts';
import { users } from '#server/users/module.ts';
import { webhooks } from '#server/webhooks/module.ts';
import { workWeeks } from '#server/work-weeks/module.ts';
import { writers } from '#server/writers/module.ts';

/** Every module of the server, in the order of the API page. The periodic work runs every minute in this order. */
export const MODULES = [
  telemetry,
  mail,
  auth,
  oidc,
  account,
  live,
  fleet,
  history,
  chargingSessions,
  dayFigures,
  machines,
  writers,
  definitions,
  logFiles,
  redecoding,
  closedWeeks,
  machineFiles,
  lmbLoggers,
  subscriptions,
  organizations,
  leaving,
  workWeeks,
  contacts,
  users,
  projects,
  terreinen,
  labels,
  faultCodes,
  maintenance,
  fleetMaintenance,
  compare,
  reports,
  reportMails,
  push,
  reportFactors,
  chargingTariffs,
  webhooks,
  alerts,
  invitations,
  applicants,
  logbook,
  tiles,
  health,
  backgroundTasks,
  apiDocs,
] as const;

/** The topics of the API page. */
export const API_TOPICS: ApiTopics = Object.assign(
  {},
  ...MODULES.map((module: Module<never, never>) => module.topics),
);

type Taking<One> = One extends ServiceOpener<never, infer Services> ? (services: Services) => void : never;
/** The services that the modules open, by name. */
export type ModuleServices =
  Taking<(typeof MODULES)[number]> extends (services: infer All) => void ? All : never;
