import type { Rule } from './rule.ts';
import { accounts } from './rules/accounts.ts';
import { alerts } from './rules/alerts.ts';
import { chargingTariffs } from './rules/charging-tariffs.ts';
import { contacts } from './rules/contacts.ts';
import { endpoint } from './rules/door.ts';
import { factors } from './rules/factors.ts';
import { faultCodes } from './rules/fault-codes.ts';
import { fleetFigures } from './rules/fleet-figures.ts';
import { gates } from './rules/gates.ts';
import { gettingIn } from './rules/getting-in.ts';
import { history } from './rules/history.ts';
import { labels } from './rules/labels.ts';
import { limits } from './rules/limits.ts';
import { logFiles } from './rules/log-files.ts';
import { logbook } from './rules/logbook.ts';
import { maintenance } from './rules/maintenance.ts';
import { oidc } from './rules/oidc.ts';
import { projects } from './rules/projects.ts';
import { push } from './rules/push.ts';
import { reportFactors } from './rules/report-factors.ts';
import { reportMails } from './rules/report-mails.ts';
import { reports } from './rules/reports.ts';
import { sessions } from './rules/sessions.ts';
import { streams } from './rules/streams.ts';
import { terreinen } from './rules/terreinen.ts';
import { webhooks } from './rules/webhooks.ts';
import { workWeeks } from './rules/work-weeks.ts';

/** Every authorization rule of the portal; prove-authorization.test.ts keeps the list complete. */
export const RULES: readonly Rule[] = [
  ...gates,
  ...sessions,
  ...factors,
  ...accounts,
  ...gettingIn,
  ...oidc,
  ...streams,
  ...history,
  ...endpoint,
  ...logFiles,
  ...logbook,
  ...projects,
  ...labels,
  ...contacts,
  ...limits,
  ...maintenance,
  ...faultCodes,
  ...fleetFigures,
  ...reportFactors,
  ...chargingTariffs,
  ...reportMails,
  ...push,
  ...reports,
  ...terreinen,
  ...webhooks,
  ...workWeeks,
  ...alerts,
];
