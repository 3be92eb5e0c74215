import type { AccessLimit } from '#shared/domain/access.ts';
import type { ApiKey } from './api.ts';

/**
 * Calls that are served to persons with an access restriction; every other call returns 403 to them
 * (docs/decisions/0077-users-with-a-limited-view.md). `all`: the response obeys every restriction. `machines`: the
 * response obeys a restriction to some machines, and the call is not served to a person who may see only today's data.
 */
const LIMITED_CALLS: Partial<Record<ApiKey, 'all' | 'machines'>> = {
  // The caller's own account.
  'POST /api/auth/confirm-address/send': 'all',
  'POST /api/account/password': 'all',
  'GET /api/account/factors': 'all',
  'POST /api/account/factors/totp': 'all',
  'POST /api/account/factors/totp/confirm': 'all',
  'POST /api/account/factors/passkey': 'all',
  'POST /api/account/factors/passkey/confirm': 'all',
  'POST /api/account/factors/rename': 'all',
  'DELETE /api/account/factors': 'all',
  'POST /api/account/factors/recovery-codes': 'all',
  'GET /api/account/oidc': 'all',
  'POST /api/account/oidc/link': 'all',
  'POST /api/account/oidc/unlink': 'all',
  'POST /api/account/name': 'all',
  'GET /api/account/sessions': 'all',
  'POST /api/account/sessions/end': 'all',
  'POST /api/account/sessions/end-others': 'all',
  'GET /api/account/subscriptions': 'all',
  'GET /api/account/data': 'all',
  'POST /api/account/proof/options': 'all',
  'POST /api/account/proof': 'all',
  'DELETE /api/account': 'all',
  'GET /api/push/get': 'all',
  'POST /api/push/subscribe': 'all',
  'POST /api/push/unsubscribe': 'all',
  'POST /api/push/test': 'all',
  // Calls without data of machines.
  'GET /api/map/layers': 'all',
  'GET /api/background-tasks': 'all',
  'GET /api/workweek/night': 'all',
  // Live data, records and history of machines.
  'GET /api/live': 'all',
  'GET /api/machine/get': 'all',
  'GET /api/machine/get/serial': 'all',
  'GET /api/machine/get/all': 'all',
  'GET /api/machine/files/:serial': 'all',
  'GET /api/img/:serial': 'all',
  'GET /api/img/:serial/:hash': 'all',
  'GET /api/manual/:serial': 'all',
  'GET /api/manual/:serial/:hash': 'all',
  'GET /api/fleet/figures': 'all',
  'GET /api/fleet/figures/:serialNumber': 'all',
  'GET /api/influx/gps/:serialNumber': 'all',
  'GET /api/influx/workpower/:serialNumber': 'all',
  'GET /api/influx/powerback/:id': 'all',
  'GET /api/influx/speeds/:serialNumber': 'all',
  'GET /api/influx/day/:serialNumber': 'all',
  'GET /api/influx/transports/:serialNumber': 'all',
  'GET /api/influx/signals/:id': 'all',
  'GET /api/influx/signals/:id/values': 'all',
  'GET /api/influx/sessions/:serialNumber': 'all',
  'GET /api/influx/sessions/:serialNumber/curve': 'all',
  'GET /api/influx/days/:serialNumber': 'all',
  'GET /api/influx/unused-levels/:serialNumber': 'all',
  'GET /api/influx/capacity/:serialNumber': 'machines',
  'GET /api/influx/forecast/:serialNumber': 'machines',
  'GET /api/fault/get': 'all',
  'GET /api/contact/nearest': 'all',
  // Labels, projects and reports.
  'GET /api/label/get': 'all',
  'POST /api/favourite/add': 'all',
  'POST /api/favourite/remove': 'all',
  'GET /api/project/get': 'all',
  'GET /api/project/page': 'all',
  'GET /api/report/:kind': 'machines',
  'GET /api/report/:kind/file': 'machines',
  'GET /api/report-mail/get': 'all',
  'POST /api/report-mail/subscribe': 'machines',
  'POST /api/report-mail/unsubscribe': 'all',
  // Alerts and mails about charging.
  'GET /api/mail/subscription-status': 'all',
  'POST /api/mail/subscribe': 'all',
  'POST /api/mail/unsubscribe': 'all',
  'GET /api/alert/get': 'all',
  'POST /api/alert/seen': 'all',
  'POST /api/alert/take': 'all',
  'POST /api/alert/mute': 'all',
  'POST /api/alert/unmute': 'all',
  'GET /api/alert/preferences': 'all',
  'POST /api/alert/preferences': 'all',
};

/** Returns whether a call is served to a person with this access restriction; null: the person has no restriction. */
export const isAllowedByLimit = (limit: AccessLimit | null, call: ApiKey): boolean =>
  limit === null || LIMITED_CALLS[call] === 'all' || (LIMITED_CALLS[call] === 'machines' && !limit.onlyToday);
