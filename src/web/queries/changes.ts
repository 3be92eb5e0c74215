import type { Api, ApiKey } from '#shared/contract/api.ts';

/** The calls that change state. */
export type ChangeKey = { [K in ApiKey]: Api[K]['changes'] extends true ? K : never }[ApiKey];

/**
 * The queries that a change makes outdated, each given by its call, or by its call and a part of its input; 'all':
 * every query.
 */
export type InvalidatedQueries = 'all' | readonly (ApiKey | readonly [ApiKey, object])[];

const ALERTS = ['GET /api/alert/get'] as const;
const FACTORS = ['GET /api/account/factors'] as const;
const FLEET_FIGURES = ['GET /api/fleet/figures', 'GET /api/fleet/figures/:serialNumber'] as const;
const ORGANIZATIONS = [
  'GET /api/organization/get',
  'GET /api/organization/get/electric',
  'GET /api/organization/get/berende',
  'GET /api/organization/leaving',
] as const;
const MACHINES = ['GET /api/machine/get/all', 'GET /api/machine/get/deleted'] as const;
/** The calls that return a machine's record and the health of its logger. */
const MACHINE = ['GET /api/machine/get/serial', 'GET /api/machine/writer/health/:serial'] as const;
const LOGGER = [...MACHINE, 'GET /api/machine/log-file/:serial'] as const;
/**
 * Includes the record and the logger's health, because a change of a definition makes the logger's configuration
 * outdated.
 */
const DEFINITION = [...MACHINE, 'GET /api/machine/dbc/:serial/versions'] as const;
const LMB_LOGGERS = [
  'GET /api/berend/get',
  'GET /api/berend/get/deleted',
  'GET /api/berend/get/one',
] as const;
const MAINTENANCE = [
  'GET /api/maintenance/get',
  'GET /api/maintenance/list',
  'GET /api/maintenance/template/get',
  'GET /api/maintenance/template/preview',
  ...FLEET_FIGURES,
] as const;
/** Includes all projects, because a change of one project affects machines of other projects. */
const PROJECTS = ['GET /api/project/get', 'GET /api/project/page'] as const;
const OWN_WEEKS = ['GET /api/workweek/own', 'GET /api/workweek/own/get'] as const;
/** Includes the alerts, because they show contacts. */
const CONTACTS = ['GET /api/contact/get', 'GET /api/contact/nearest', ...ALERTS] as const;
const RULES = ['GET /api/alert-rule/get', ...ALERTS] as const;
const REPORT_FACTORS = ['GET /api/report-factor/get', 'GET /api/report/:kind'] as const;
const TARIFFS = [
  'GET /api/charging-tariff/get',
  'GET /api/report/:kind',
  'GET /api/influx/days/:serialNumber',
  'GET /api/influx/sessions/:serialNumber',
] as const;
const USERS = ['GET /api/user/get'] as const;
const APPLICANTS = ['GET /api/applicant/get', ...USERS] as const;
const SESSIONS = ['GET /api/account/sessions'] as const;
const ALERT_PREFERENCES = ['GET /api/alert/preferences'] as const;
const SUBSCRIPTIONS = ['GET /api/account/subscriptions'] as const;
const LABELS = ['GET /api/label/get'] as const;

/**
 * The queries whose results a change makes outdated. A change that is not listed makes all queries with the same
 * first path segment after /api outdated.
 */
export const INVALIDATED_QUERIES: Readonly<Partial<Record<ChangeKey, InvalidatedQueries>>> = {
  'POST /api/account/sessions/end': SESSIONS,
  'POST /api/account/sessions/end-others': SESSIONS,
  'POST /api/account/factors/totp/confirm': FACTORS,
  'POST /api/account/factors/passkey/confirm': FACTORS,
  'POST /api/account/factors/rename': FACTORS,
  'DELETE /api/account/factors': FACTORS,
  'POST /api/account/factors/recovery-codes': FACTORS,
  'POST /api/account/oidc/unlink': ['GET /api/account/oidc'],
  'POST /api/alert/preferences': ALERT_PREFERENCES,
  'POST /api/alert/unmute': ALERT_PREFERENCES,
  'POST /api/alert/mute': [...ALERTS, ...ALERT_PREFERENCES],
  'POST /api/alert/take': ALERTS,
  // Leaves out the list of resolved alerts, which does not show whether an alert was seen, and whose refetch would
  // load all its pages.
  'POST /api/alert/seen': [['GET /api/alert/get', { query: { state: 'firing' } }]],
  'POST /api/alert-rule/save': RULES,
  'POST /api/alert-rule/delete': RULES,
  'POST /api/mail/subscribe': SUBSCRIPTIONS,
  'POST /api/mail/unsubscribe': SUBSCRIPTIONS,
  'POST /api/applicant/admit': APPLICANTS,
  'POST /api/applicant/refuse': APPLICANTS,
  'GET /api/organization/create': ORGANIZATIONS,
  'GET /api/organization/disable/': ORGANIZATIONS,
  'POST /api/organization/code': ORGANIZATIONS,
  'POST /api/organization/registration': ORGANIZATIONS,
  'DELETE /api/organization/delete/': ORGANIZATIONS,
  'POST /api/organization/leave': ORGANIZATIONS,
  'POST /api/organization/leave/undo': ORGANIZATIONS,
  // Any result may contain the name of an organization.
  'POST /api/organization/clean': 'all',
  'POST /api/contact/save': CONTACTS,
  'POST /api/contact/delete': CONTACTS,
  'POST /api/contact/use': CONTACTS,
  'POST /api/workweek/own/set': OWN_WEEKS,
  'POST /api/workweek/own/delete': OWN_WEEKS,
  'POST /api/machine/create': [...MACHINES, ...MACHINE],
  'POST /api/machine/edit': [...MACHINES, ...MACHINE],
  'POST /api/machine/sell': [...MACHINES, ...MACHINE],
  'DELETE /api/machine/delete': MACHINES,
  'POST /api/machine/restore': [...MACHINES, ...MACHINE],
  'POST /api/machine/periods/erase': ['GET /api/machine/periods'],
  'POST /api/machine/dbc/upload': DEFINITION,
  'POST /api/machine/dbc/delete': DEFINITION,
  'POST /api/machine/dbc/j1939': DEFINITION,
  'POST /api/machine/dbc/restore': DEFINITION,
  'POST /api/machine/dbc/mapping': DEFINITION,
  'GET /api/machine/writer/create': LOGGER,
  'POST /api/machine/writer/move': LOGGER,
  'POST /api/machine/writer/key': LOGGER,
  'POST /api/machine/writer/release': LOGGER,
  'POST /api/machine/writer/replace': LOGGER,
  'POST /api/machine/writer/take-back': LOGGER,
  'POST /api/machine/writer/take-over': LOGGER,
  'POST /api/machine/writer/network': LOGGER,
  'GET /api/machine/config/create': LOGGER,
  'GET /api/machine/config/download': LOGGER,
  'POST /api/machine/log-file/upload': LOGGER,
  'POST /api/machine/log-file/decode': LOGGER,
  'GET /api/berend/new': LMB_LOGGERS,
  'DELETE /api/berend/delete': LMB_LOGGERS,
  'POST /api/berend/restore': LMB_LOGGERS,
  'POST /api/favourite/add': LABELS,
  'POST /api/favourite/remove': LABELS,
  'POST /api/maintenance/create': MAINTENANCE,
  'POST /api/maintenance/edit': MAINTENANCE,
  'POST /api/maintenance/delete': MAINTENANCE,
  'POST /api/maintenance/done': MAINTENANCE,
  'POST /api/maintenance/template/create': MAINTENANCE,
  'POST /api/maintenance/template/edit': MAINTENANCE,
  'POST /api/maintenance/template/delete': MAINTENANCE,
  'POST /api/maintenance/template/apply': MAINTENANCE,
  // Refreshing the page of the deleted project would give 'not found'.
  'POST /api/project/delete': ['GET /api/project/get'],
  'POST /api/project/change-assignment': [...PROJECTS, ...FLEET_FIGURES],
  'POST /api/project/take-off': [...PROJECTS, ...FLEET_FIGURES],
  'POST /api/project/except': [...PROJECTS, ...FLEET_FIGURES],
  'POST /api/report-factor/create': REPORT_FACTORS,
  'POST /api/report-factor/edit': REPORT_FACTORS,
  'POST /api/report-factor/delete': REPORT_FACTORS,
  'POST /api/charging-tariff/create': TARIFFS,
  'POST /api/charging-tariff/edit': TARIFFS,
  'POST /api/charging-tariff/delete': TARIFFS,
};

/**
 * Changes after which queries are refreshed even if the call failed, because another user or device may already have
 * made the same change.
 */
export const REFRESHED_AFTER_ERRORS: ReadonlySet<ChangeKey> = new Set([
  'POST /api/account/sessions/end',
  'POST /api/account/sessions/end-others',
  'POST /api/alert/unmute',
  'POST /api/alert/take',
  'POST /api/report-mail/unsubscribe',
  'POST /api/push/unsubscribe',
  'POST /api/push/test',
  'POST /api/invitation/revoke',
  'POST /api/applicant/admit',
  'POST /api/applicant/refuse',
  'POST /api/machine/writer/take-over',
  'POST /api/machine/log-file/decode',
  'POST /api/label/edit',
  'POST /api/label/delete',
] as const);
