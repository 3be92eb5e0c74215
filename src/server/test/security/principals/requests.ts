import { authenticator } from '#server/auth/test/authenticator.ts';
import { dataUrl, pdf } from '#server/machine-files/test/images.ts';
import { formOf } from '#server/machines/test/administration.ts';
import { PASSWORD } from '#server/test/portal.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { NOUNS } from './nouns.ts';
import { COLLEAGUE, emailOf, FORGETFUL, LABEL_OF } from './people.ts';
import { machineForm, markerOf } from './planted.ts';
import { FOR_NEWCOMERS, INVITATION_TOKEN } from './planted-newcomers.ts';
import { type Ask, idOf, nothing, ofAnother, RANGE, type Target, type World } from './tested-noun.ts';
import { METRICS_TOKEN } from './watched-app.ts';

const LAST_TWO_HOURS = {
  from: new Date(Date.now() - 2 * 3_600_000).toISOString(),
  to: new Date().toISOString(),
};
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
let registered = 0;
let minutes = 0;
const PROJECT = {
  projectName: 'Kade',
  firstDay: '2026-01-01',
  lastDay: null,
  areas: [{ centre: { lat: 52, lon: 5 }, radiusMetres: 50 }],
};
/** Returns the next minute without an assignment, because a machine is on one project at a time. */
function nextMinute() {
  minutes += 1;
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
  return { from: at(minutes), until: at(minutes + 1) };
}
/** Machines here belong to their organization since the start of this run, so times lie in the future. */
const inAnHour = (): string => `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 16)}:00Z`;
/** Returns a changed assignment that ends half a minute after its begin. */
function shorter(world: World, assignment: number) {
  const { from, until } = world.timesOf(assignment) ?? nextMinute();
  const half = new Date(Date.parse(from) + 30_000).toISOString();
  return { assignment, from, until: half, seen: { from, until } };
}
const DAY_MS = 86_400_000;
const lastMonth = () => ({
  from: amsterdamDay(Date.now() - 30 * DAY_MS),
  to: amsterdamDay(Date.now()),
});
const serial: Ask = (target) => ({ body: { serial: target.serial } });
const bySerial: Ask = (target) => ({ params: { serial: target.serial } });
const bySerialNumber: Ask = (target) => ({ params: { serialNumber: target.serial }, query: RANGE });
const toMail: Ask = (target) => ({ body: { serialNumber: target.serial } });
const sealed = (text: string) => Buffer.from(text).toString('base64url');

/** An alert question that is switched off, so that nothing is evaluated. */
const QUESTION = {
  kind: 'silent',
  settings: { threshold: 24 },
  hours: 'always',
  machines: { by: 'all' },
};
const RULE = {
  ...QUESTION,
  ruleName: 'Stil',
  severity: 'notice',
  people: [],
  tellsEnd: false,
  isOn: false,
};
const NO_ALERT = '9000000000';
const foreignAlert =
  (more: object): Ask =>
  (target, world) => ({
    body: { alert: target === world.own ? world.foreignAlertId : NO_ALERT, ...more },
  });
const MUTE = { what: 'machine', until: 'hour' };
const UNKNOWN_EMAIL = 'onbekend@kanarie-open.example';
const otherEmail = (target: Target, world: World): string =>
  target === world.own ? 'verhuist@kanarie-open.example' : UNKNOWN_EMAIL;

/** By row of the table of permissions: a complete, correct request about the target. */
export const REQUESTS: Readonly<Record<string, Ask>> = {
  ...Object.assign({}, ...NOUNS.map(({ requests }) => requests)),
  'GET /api/auth/validate-token': nothing,
  'POST /api/auth/login (with their own password)': (_, __, person) => ({
    body: { email: emailOf(person), password: person === 'nobody' ? 'of nobody' : PASSWORD },
  }),
  'POST /api/auth/login (as a user, guessing)': () => ({
    body: { email: emailOf('user'), password: 'a guess' },
  }),
  "POST /api/auth/register (their organization's code)": (_, world, person) => ({
    body: {
      email: `nieuw-${++registered}@nieuw.example`,
      password: PASSWORD,
      organizationCode: world.codeOf(person),
    },
  }),
  'POST /api/auth/forgot-password': () => ({ body: { email: emailOf('user') } }),
  'POST /api/auth/reset-password-with-code (guessing)': () => ({
    body: { email: emailOf('user'), code: 'ABCD2345', newPassword: 'another password' },
  }),
  'POST /api/auth/confirm-address/send': nothing,
  'POST /api/auth/confirm-address (not sealed by us)': () => ({
    body: { token: sealed(`1 9999999999999 ${emailOf('user')}`) },
  }),
  'POST /api/auth/reset-link (guessing)': () => ({ body: { token: 'A'.repeat(22) } }),
  'POST /api/auth/reset-password-with-link (guessing)': () => ({
    body: { token: 'A'.repeat(22), newPassword: 'another password' },
  }),
  'POST /api/account/password (guessing)': () => ({ body: { present: 'a guess', new: 'another password' } }),
  'POST /api/auth/logout': nothing,
  'POST /api/auth/login/code (without a password)': () => ({ body: { code: '123456' } }),
  'POST /api/auth/passkey/options': nothing,
  'POST /api/auth/passkey/login (of nobody)': () => ({
    body: { passkey: authenticator().show('a challenge') },
  }),
  'GET /api/account/factors': nothing,
  'POST /api/account/factors/totp': nothing,
  'POST /api/account/factors/totp/confirm (unasked)': () => ({
    body: { token: sealed('totp'), factorName: 'Telefoon', code: '123456' },
  }),
  'POST /api/account/factors/passkey': nothing,
  'POST /api/account/factors/passkey/confirm (unasked)': () => ({
    body: {
      token: sealed('passkey'),
      factorName: 'Telefoon',
      passkey: authenticator().make('a challenge'),
    },
  }),
  'POST /api/account/factors/rename (of another)': (target, world) => ({
    body: { id: idOf(target, world, () => world.factorId), factorName: 'Van een ander' },
  }),
  'DELETE /api/account/factors (of another)': (target, world) => ({
    query: { id: String(idOf(target, world, () => world.factorId)) },
  }),
  'POST /api/account/factors/recovery-codes (none)': nothing,
  'GET /api/auth/oidc': () => ({ query: { domain: `${markerOf('eigen')}.example` } }),
  'POST /api/auth/oidc/start': () => ({ body: { email: `iemand@${markerOf('eigen')}.example` } }),
  'POST /api/auth/oidc/start (of no organization)': () => ({ body: { email: 'iemand@nergens.example' } }),
  'GET /api/auth/oidc/callback/:organization': () => ({
    params: { organization: markerOf('eigen') },
    query: { code: 'x', state: 'x' },
  }),
  'POST /api/auth/oidc/confirm (guessing)': () => ({ body: { password: 'a guess' } }),
  'GET /api/account/oidc': nothing,
  'POST /api/account/oidc/link': nothing,
  'POST /api/account/oidc/unlink': nothing,
  'GET /api/organization/oidc': () => ({ query: { name: markerOf('eigen') } }),
  'GET /api/organization/oidc (of another)': ofAnother,
  'POST /api/organization/oidc': () => ({
    body: {
      name: markerOf('eigen'),
      issuer: 'https://127.0.0.1',
      domain: `${markerOf('eigen')}.example`,
      clientId: 'x',
      clientSecret: 'x',
    },
  }),
  'POST /api/organization/oidc/delete': () => ({ body: { name: 'kanarie-open' } }),
  'POST /api/organization/oidc/only': () => ({ body: { name: markerOf('eigen'), isOnly: false } }),
  'POST /api/organization/oidc/only (of another)': (...of) => ({
    body: { ...ofAnother(...of).query, isOnly: false },
  }),
  'GET /api/organization/get': nothing,
  'GET /api/organization/get/electric': nothing,
  'GET /api/organization/get/berende': nothing,
  'GET /api/organization/create': () => ({ query: { name: 'kanarie-nieuw', clean: 'Kanarie Nieuw' } }),
  'GET /api/organization/privacy': () => ({ query: { name: markerOf('eigen') } }),
  'POST /api/organization/privacy': () => ({
    body: { name: markerOf('eigen'), routesFrom: 'kijker', viewerHours: null, positionDays: null },
  }),
  'GET /api/organization/disable/': () => ({ query: { name: 'kanarie-open', isActive: 'false' } }),
  'DELETE /api/organization/delete/': () => ({ query: { name: 'kanarie-leeg' } }),
  'GET /api/organization/leaving': nothing,
  'GET /api/organization/leave': () => ({ query: { name: 'kanarie-vertrekt' } }),
  'POST /api/organization/leave': () => ({
    body: { name: 'kanarie-weg', confirm: 'kanarie-weg BV', isFinal: false },
  }),
  'POST /api/organization/leave/undo': () => ({ body: { name: 'kanarie-vertrekt' } }),
  'GET /api/user/get': nothing,
  'POST /api/user/organization': () => ({
    body: { email: 'verhuist@kanarie-open.example', organization: markerOf('ander') },
  }),
  'POST /api/user/organization (themselves, to admin)': (_, __, person) => ({
    body: { email: emailOf(person), organization: 'admin' },
  }),
  'POST /api/user/role': () => ({ body: { email: COLLEAGUE, role: 'kijker' } }),
  'POST /api/user/role (of another organization)': (target, world) => ({
    body: { email: otherEmail(target, world), role: 'gebruiker' },
  }),
  'POST /api/user/role (themselves, to administrator)': (_, __, person) => ({
    body: { email: emailOf(person), role: 'administrator' },
  }),
  'POST /api/user/reset-factor': () => ({ body: { email: FORGETFUL } }),
  'POST /api/user/reset-factor (of another)': (target, world) => ({
    body: { email: otherEmail(target, world) },
  }),
  'POST /api/user/reset-factor (of an equal)': (_, __, person) => ({ body: { email: emailOf(person) } }),
  'POST /api/user/limit': (_, world) => ({
    body: {
      email: FORGETFUL,
      limit: { machines: { projects: [world.projectId], labels: [] }, onlyToday: false },
    },
  }),
  'POST /api/user/limit (of another)': (target, world) => ({
    body: { email: otherEmail(target, world), limit: null },
  }),
  'POST /api/user/limit (of a beheerder)': () => ({
    body: { email: emailOf('manager'), limit: { machines: null, onlyToday: true } },
  }),
  'POST /api/user/link': () => ({ body: { email: FORGETFUL, what: 'password' } }),
  'POST /api/user/link (of another)': (target, world) => ({
    body: { email: otherEmail(target, world), what: 'password' },
  }),
  'POST /api/user/link (of an equal)': (_, __, person) => ({
    body: { email: emailOf(person), what: 'password' },
  }),
  'GET /api/organization/second-factor': () => ({ query: { name: markerOf('eigen') } }),
  'GET /api/organization/second-factor (of another)': ofAnother,
  'POST /api/organization/second-factor': () => ({ body: { name: markerOf('eigen'), isRequired: false } }),
  'POST /api/organization/second-factor (of another)': (...of) => ({
    body: { ...ofAnother(...of).query, isRequired: false },
  }),
  'DELETE /api/user/delete': (target, world) => ({
    query: { email: target === world.own ? 'weg@kanarie-open.example' : UNKNOWN_EMAIL },
  }),
  'POST /api/organization/code': (target, world) => ({
    body: { name: target === world.own ? FOR_NEWCOMERS : 'onbekend' },
  }),
  'POST /api/organization/code (of their own)': (_, __, person) => ({
    body: { name: person === 'admin' ? 'admin' : markerOf('eigen') },
  }),
  'POST /api/organization/clean': (target, world) => ({
    body: { name: target === world.own ? FOR_NEWCOMERS : 'onbekend', clean: 'Kanarie Hernoemd' },
  }),
  'POST /api/organization/clean (of their own)': (_, __, person) => ({
    body: { name: person === 'admin' ? 'admin' : markerOf('eigen'), clean: `${markerOf('eigen')} NV` },
  }),
  'POST /api/organization/registration': (target, world) => ({
    body: { name: target === world.own ? FOR_NEWCOMERS : 'onbekend', registration: 'approval' },
  }),
  'POST /api/organization/registration (of their own)': (_, __, person) => ({
    body: { name: person === 'admin' ? 'admin' : markerOf('eigen'), registration: 'code' },
  }),
  'GET /api/invitation/get': nothing,
  'POST /api/invitation/create': (_, __, person) => ({
    body: { email: `genodigd-door-${person}@nieuw.example`, role: 'kijker', organization: markerOf('eigen') },
  }),
  'POST /api/invitation/create (an administrator)': (_, __, person) => ({
    body: { email: `erbij-door-${person}@nieuw.example`, role: 'administrator', organization: 'admin' },
  }),
  'POST /api/invitation/revoke': (target, world) => ({
    body: { _id: idOf(target, world, () => world.next('foreign invitation')) },
  }),
  'POST /api/invitation/revoke (of their own)': (target, world) => ({
    body: { _id: idOf(target, world, () => world.next('invitation')) },
  }),
  'POST /api/invitation/look (with a mailed link)': () => ({ body: { token: INVITATION_TOKEN } }),
  'POST /api/invitation/look (with none of ours)': () => ({ body: { token: sealed('a token of ours') } }),
  'POST /api/auth/oidc/invitation (with a mailed link)': () => ({ body: { token: INVITATION_TOKEN } }),
  'POST /api/auth/oidc/invitation (with none of ours)': () => ({
    body: { token: sealed('a token of ours') },
  }),
  'POST /api/invitation/accept (with none of ours)': () => ({
    body: { token: sealed('a token of ours'), password: 'een wachtwoord van niemand' },
  }),
  'GET /api/applicant/get': nothing,
  'POST /api/applicant/admit': (target, world) => ({
    body: { _id: idOf(target, world, () => world.next('foreign applicant')) },
  }),
  'POST /api/applicant/admit (to their own)': (target, world) => ({
    body: { _id: idOf(target, world, () => world.next('applicant')) },
  }),
  'POST /api/applicant/refuse': (target, world) => ({
    body: { _id: idOf(target, world, () => world.next('foreign applicant')) },
  }),
  'POST /api/applicant/refuse (to their own)': (target, world) => ({
    body: { _id: idOf(target, world, () => world.next('applicant')) },
  }),
  'POST /api/account/name': (_, __, person) => ({
    body: { displayName: markerOf(LABEL_OF[person] ?? 'beheer') },
  }),
  'GET /api/account/sessions': nothing,
  "POST /api/account/sessions/end (somebody else's)": (target, world) => ({
    body: { id: idOf(target, world, () => world.sessionId) },
  }),
  'POST /api/account/sessions/end-others': nothing,
  'GET /api/account/subscriptions': nothing,
  'GET /api/account/data': nothing,
  'POST /api/account/proof/options': nothing,
  'POST /api/account/proof (their own password)': () => ({ body: { password: PASSWORD } }),
  'POST /api/account/proof (guessing)': () => ({ body: { password: 'a guess' } }),
  'DELETE /api/account': nothing,
  'GET /api/log': nothing,
  // The download writes a row of the log itself, so this request asks for rows of another kind, which stay the same.
  'GET /api/log/csv': () => ({ query: { kind: 'machine' } }),
  'GET /api/live': nothing,
  'GET /api/influx/gps/:serialNumber': bySerialNumber,
  'GET /api/influx/gps/:serialNumber (every point)': (target) => ({
    params: { serialNumber: target.serial },
    query: { ...RANGE, mode: 'path', resolution: 'full' },
  }),
  'GET /api/influx/driverhours/:serialNumber': (target) => ({ params: { serialNumber: target.serial } }),
  'GET /api/influx/workpower/:serialNumber': bySerialNumber,
  'GET /api/influx/powerback/:id': (target) => ({ params: { id: target.serial }, query: RANGE }),
  'GET /api/influx/powerback/:id (an LMB logger)': (target) => ({
    params: { id: target.loggerid },
    query: RANGE,
  }),
  'GET /api/influx/day/:serialNumber': bySerialNumber,
  'GET /api/influx/speeds/:serialNumber': (target) => ({ params: { serialNumber: target.serial } }),
  'GET /api/influx/transports/:serialNumber': bySerialNumber,
  'GET /api/influx/sessions/:serialNumber': bySerialNumber,
  'GET /api/influx/sessions/:serialNumber/curve': bySerialNumber,
  'GET /api/influx/capacity/:serialNumber': (target) => ({ params: { serialNumber: target.serial } }),
  'GET /api/influx/forecast/:serialNumber': (target) => ({ params: { serialNumber: target.serial } }),
  'GET /api/influx/days/:serialNumber': (target) => ({
    params: { serialNumber: target.serial },
    query: { month: '2026-11' },
  }),
  'GET /api/influx/unused-levels/:serialNumber': (target) => ({
    params: { serialNumber: target.serial },
    query: { day: '2026-11-20' },
  }),
  'GET /api/influx/signals/:id': (target) => ({ params: { id: target.serial }, query: RANGE }),
  'GET /api/influx/signals/:id (an LMB logger)': (target) => ({
    params: { id: target.loggerid },
    query: RANGE,
  }),
  'GET /api/influx/signals/:id/values': (target) => ({
    params: { id: target.serial },
    query: { ...RANGE, names: '["Oliedruk"]' },
  }),
  'GET /api/influx/signals/:id/values (an LMB logger)': (target) => ({
    params: { id: target.loggerid },
    query: { ...RANGE, names: '["Oliedruk"]' },
  }),
  'GET /api/machine/get': (target) => ({ query: { merk: target.serial } }),
  'GET /api/machine/get (by brand and name)': (target) => ({
    query: { merk: `${target.alias.replace('rups', 'merk')} ${target.alias}` },
  }),
  'GET /api/machine/get/serial': (target) => ({ query: { serialNumber: target.serial } }),
  'GET /api/machine/get/all': nothing,
  'GET /api/machine/get/deleted': nothing,
  'GET /api/machine/create': () => ({
    query: { ...formOf('KANARIE-EIGEN-NIEUW'), bedrijf: markerOf('eigen') },
  }),
  'GET /api/machine/edit': (target) => ({ query: machineForm('eigen', target.serial, '7101001') }),
  'POST /api/machine/create': () => ({
    body: { ...formOf('KANARIE-EIGEN-NIEUWER'), bedrijf: markerOf('eigen') },
  }),
  'POST /api/machine/edit': (target) => ({ body: machineForm('eigen', target.serial, '7101001') }),
  'GET /api/machine/sale/:serial': (target) => ({
    params: { serial: target.serial },
    query: { bedrijf: markerOf('ander') },
  }),
  'DELETE /api/machine/delete': () => ({ query: { machine_serial: 'KANARIE-EIGEN-WEG' } }),
  'POST /api/machine/restore': (target, world) => ({
    body: { _id: idOf(target, world, () => world.deletedId) },
  }),
  'GET /api/machine/periods': (_, world) => ({ query: { serial: world.soldSerial } }),
  'POST /api/machine/periods/erase': (_, world) => ({
    body: { serial: world.soldSerial, _id: world.formerPeriodId },
  }),
  'GET /api/machine/files/:serial': bySerial,
  'GET /api/img/:serial': bySerial,
  'GET /api/img/:serial/:hash': (target) => ({ params: { serial: target.serial, hash: target.photo } }),
  'GET /api/manual/:serial': bySerial,
  'GET /api/manual/:serial/:hash': (target) => ({ params: { serial: target.serial, hash: target.manual } }),
  'POST /api/img/upload': (target) => ({
    body: { name: 'x.png', serial: target.serial, file: dataUrl(PIXEL) },
  }),
  'POST /api/manual/upload': (target) => ({
    body: { name: 'x.pdf', serial: target.serial, file: dataUrl(pdf()) },
  }),
  'POST /api/img/delete': serial,
  'POST /api/manual/delete': serial,
  'GET /api/machine/writer/create': (target) => ({
    query: { serienummer: target.serial, influxserienummer: '7101001' },
  }),
  'POST /api/machine/writer/key': serial,
  'POST /api/machine/writer/key (withdrawing the old)': (target) => ({
    body: { serial: target.serial, withdraw: true },
  }),
  'POST /api/machine/writer/take-over': (target, world) => ({
    body: { serial: target.serial, id: world.quarantinedId },
  }),
  'POST /api/machine/writer/network': (target) => ({ body: { serial: target.serial, kind: 'mobile' } }),
  'GET /api/machine/writer/health/:serial': bySerial,
  'GET /api/machine/writer/unknown': nothing,
  'GET /api/machine/writer/keys-to-replace': nothing,
  'GET /api/machine/writer/old-addresses': nothing,
  'GET /api/machine/dbc/:serial': bySerial,
  'GET /api/machine/dbc/:serial/versions': bySerial,
  'GET /api/machine/dbc/:serial/sources': bySerial,
  'GET /api/machine/dbc/:serial/reference': (target) => ({
    params: { serial: target.serial },
    query: { dbc_machine: '' },
  }),
  'POST /api/machine/dbc/upload': (target) => ({
    body: {
      serial: target.serial,
      name: 'a.dbc',
      file: dataUrl(Buffer.from('BO_ 1 A: 1 X\n SG_ B : 0|8@1+ (1,0) [0|0] "" X\n')),
      bus: 1,
    },
  }),
  'POST /api/machine/dbc/j1939': (target) => ({
    body: { serial: target.serial, bus: 0, j1939: 'none' },
  }),
  'POST /api/machine/dbc/mapping': (target) => ({
    body: {
      serial: target.serial,
      mapping: { signals: [{ bus: 1, message: 'A', signal: 'B', to: 'Soc1' }], keep: [] },
    },
  }),
  'GET /api/machine/dbc/:serial/redecode': bySerial,
  'POST /api/machine/dbc/redecode': serial,
  'GET /api/machine/empty-logs': nothing,
  'GET /api/machine/closed-week/:serial': bySerial,
  'GET /api/machine/closed-week/:serial/:monday (open)': (target) => ({
    params: { serial: target.serial, monday: '2026-01-05' },
  }),
  'GET /api/machine/log-file/:serial': bySerial,
  'GET /api/machine/log-file/:serial/:id': (target, world) => ({
    params: { serial: target.serial, id: String(idOf(target, world, () => world.logFileId)) },
  }),
  'POST /api/machine/log-file/decode': (target, world) => ({
    body: { serial: target.serial, id: String(idOf(target, world, () => world.logFileId)) },
  }),
  'POST /api/machine/log-file/upload (no log)': (target) => ({
    query: { serial: target.serial, name: 'foto.jpg' },
    headers: { 'content-type': 'application/octet-stream' },
    body: {},
  }),
  'POST /api/machine/dbc/restore': (target, world) => ({
    body: { serial: target.serial, restored: world.versionId },
  }),
  'GET /api/machine/config/create': (target) => ({ query: { serienummer: target.serial } }),
  'GET /api/machine/config/download': (target) => ({ query: { serienummer: target.serial } }),
  'POST /api/machine/dbc/delete': serial,
  'POST /api/machine/writer/release': serial,
  'POST /api/machine/writer/move': (target) => ({
    body: { serial: target.serial, influx_serial: '7102002', from: 'KANARIE-ANDER-1' },
  }),
  'POST /api/machine/writer/replace': (target) => ({
    body: { serial: target.serial, influx_serial: '7109009', replaces: '7102002' },
  }),
  'POST /api/machine/writer/take-back': (target) => ({ body: { serial: target.serial, id: 1 } }),
  'GET /api/machine/erasure/:serial': bySerial,
  'GET /api/machine/erasure/:serial/preview': (target) => ({
    params: { serial: target.serial },
    query: LAST_TWO_HOURS,
  }),
  'POST /api/machine/erasure/create': (target) => ({
    body: { serial: target.serial, ...LAST_TWO_HOURS },
  }),
  'POST /api/machine/erasure/undo': (target) => ({ body: { serial: target.serial, id: 2_000_000_000 } }),
  'POST /api/machine/sell': () => ({
    body: { serial: 'TE-KOOP', from: markerOf('eigen'), bedrijf: markerOf('ander') },
  }),
  'GET /api/berend/get': nothing,
  'GET /api/berend/get/one': (target) => ({ query: { loggerid: target.loggerid } }),
  'GET /api/berend/get/one (by name)': (target) => ({ query: { alias: target.loggerAlias } }),
  'GET /api/berend/get/data': (target, world) => ({
    query: { loggerid: target.loggerid, ...RANGE, end: new Date(world.a.fleet.clock).toISOString() },
  }),
  'GET /api/berend/new': () => ({
    query: { organization: markerOf('spoor'), loggerid: '7107007', alias: 'nieuw-krol' },
  }),
  'GET /api/berend/get/deleted': nothing,
  'POST /api/berend/restore': (target, world) => ({
    body: { _id: idOf(target, world, () => world.deletedLoggerId) },
  }),
  'DELETE /api/berend/delete': () => ({ query: { loggerid: '7106006' } }),
  'GET /api/report/:kind': () => ({ params: { kind: 'inzet' }, query: lastMonth() }),
  'GET /api/report/:kind (of a machine)': ({ serial: one }) => ({
    params: { kind: 'dagstaten' },
    query: { ...lastMonth(), machines: JSON.stringify([one]) },
  }),
  'GET /api/report/:kind/file': () => ({
    params: { kind: 'draaiuren' },
    query: { ...lastMonth(), format: 'csv' },
  }),
  'GET /api/report/:kind/file (of a machine)': ({ serial: one }) => ({
    params: { kind: 'laadbeurten' },
    query: { ...lastMonth(), machines: JSON.stringify([one]), format: 'xlsx' },
  }),
  'GET /api/fleet/figures': nothing,
  'GET /api/fleet/figures/:serialNumber': ({ serial }) => ({ params: { serialNumber: serial } }),
  'GET /api/project/get': nothing,
  'GET /api/project/page': (target, world) => ({
    query: { _id: target === world.own ? String(world.projectId) : '2147483647' },
  }),
  'POST /api/project/create': () => ({ body: { ...PROJECT, organization: markerOf('eigen') } }),
  'POST /api/project/edit': (target, world) => ({
    body: { ...PROJECT, _id: idOf(target, world, () => world.nextProject('project')), version: 1 },
  }),
  'POST /api/project/edit (of another)': (target, world) => ({
    body: { ...PROJECT, _id: idOf(target, world, () => world.nextProject('foreign project')), version: 1 },
  }),
  'POST /api/project/delete': (target, world) => ({
    body: { _id: idOf(target, world, () => world.nextProject('project')) },
  }),
  'POST /api/project/delete (of another)': (target, world) => ({
    body: { _id: idOf(target, world, () => world.nextProject('foreign project')) },
  }),
  'POST /api/project/assign': (target, world) => ({
    body: {
      _id: idOf(target, world, () => world.nextProject('project')),
      serial: target.serial,
      ...nextMinute(),
    },
  }),
  "POST /api/project/assign (to another's)": (target, world) => ({
    body: {
      _id: idOf(target, world, () => world.nextProject('foreign project')),
      serial: target.serial,
      ...nextMinute(),
    },
  }),
  'POST /api/project/unassign': (target, world) => ({
    body: { assignment: idOf(target, world, () => world.nextProject('assignment')) },
  }),
  'POST /api/project/unassign (of another)': (target, world) => ({
    body: { assignment: idOf(target, world, () => world.nextProject('foreign assignment')) },
  }),
  'POST /api/project/change-assignment': (target, world) => ({
    body: shorter(
      world,
      idOf(target, world, () => world.nextProject('assignment')),
    ),
  }),
  'POST /api/project/change-assignment (of another)': (target, world) => ({
    body: shorter(
      world,
      idOf(target, world, () => world.nextProject('foreign assignment')),
    ),
  }),
  'POST /api/project/take-off': (target, world) => ({
    body: {
      _id: idOf(target, world, () => world.nextProject('project')),
      serial: target.serial,
      from: inAnHour(),
    },
  }),
  "POST /api/project/take-off (of another's)": (target, world) => ({
    body: {
      _id: idOf(target, world, () => world.nextProject('foreign project')),
      serial: target.serial,
      from: inAnHour(),
    },
  }),
  'POST /api/project/except': (target, world) => ({
    body: {
      _id: idOf(target, world, () => world.nextProject('project')),
      serial: target.serial,
      from: inAnHour(),
      until: null,
    },
  }),
  "POST /api/project/except (of another's)": (target, world) => ({
    body: {
      _id: idOf(target, world, () => world.nextProject('foreign project')),
      serial: target.serial,
      from: inAnHour(),
      until: null,
    },
  }),
  'POST /api/project/unexcept': (target, world) => ({
    body: { exception: idOf(target, world, () => world.nextProject('exception')) },
  }),
  'POST /api/project/unexcept (of another)': (target, world) => ({
    body: { exception: idOf(target, world, () => world.nextProject('foreign exception')) },
  }),
  'GET /api/alert/get': nothing,
  'POST /api/alert/seen': (_, world) => ({ body: { alerts: [world.alertId, world.foreignAlertId] } }),
  'POST /api/alert/take': (target, world) => ({
    body: { alert: target === world.own ? world.alertId : NO_ALERT, takes: true },
  }),
  'POST /api/alert/take (of another)': foreignAlert({ takes: true }),
  'POST /api/alert/mute': (target, world) => ({
    body: { alert: target === world.own ? world.alertId : NO_ALERT, ...MUTE },
  }),
  'POST /api/alert/mute (of another)': foreignAlert(MUTE),
  'POST /api/alert/unmute (of another)': (target, world) => ({
    body: { _id: idOf(target, world, () => world.muteId) },
  }),
  'GET /api/alert/preferences': nothing,
  'POST /api/alert/preferences': (_, __, person) => ({
    body: { byMail: false, byPush: person !== 'admin', quiet: { from: '22:00', to: '06:00' } },
  }),
  'GET /api/alert-rule/get': nothing,
  'POST /api/alert-rule/save (of the organization)': () => ({
    body: { ...RULE, isOwn: false, roles: ['beheerder'], organization: markerOf('eigen') },
  }),
  'POST /api/alert-rule/save (their own)': () => ({ body: { ...RULE, isOwn: true, roles: [] } }),
  'POST /api/alert-rule/save (of another)': (target, world) => ({
    body: {
      ...RULE,
      _id: idOf(target, world, () => world.foreignRuleId),
      isOwn: false,
      roles: ['beheerder'],
    },
  }),
  'POST /api/alert-rule/preview (of the organization)': () => ({
    body: { ...QUESTION, isOwn: false, organization: markerOf('eigen') },
  }),
  'POST /api/alert-rule/preview (their own)': () => ({ body: { ...QUESTION, isOwn: true } }),
  'POST /api/alert-rule/delete': (target, world, person) => ({
    body: {
      _id: idOf(target, world, () =>
        person === 'admin' || person === 'manager' ? world.nextRule() : world.ruleId,
      ),
    },
  }),
  'POST /api/alert-rule/delete (of another)': (target, world, person) => ({
    body: {
      _id: person === 'admin' ? world.nextRule() : idOf(target, world, () => world.foreignRuleId),
    },
  }),
  'GET /api/mail/subscription-status': (target) => ({ query: { serialNumber: target.serial } }),
  'POST /api/mail/subscribe': toMail,
  'POST /api/mail/unsubscribe': toMail,
  'GET /api/mail/unsubscribe/:token': (_, world) => ({ params: { token: world.token } }),
  'POST /api/mail/unsubscribe/:token': (_, world) => ({ params: { token: world.token } }),
  'POST /api/mail/unsubscribe/:token (not sealed by us)': (_, world) => ({
    params: { token: sealed(`${world.subscription}`) },
  }),
  'GET /api/map/layers': nothing,
  'GET /api/portal/tasks': nothing,
  'GET /api/background-tasks': nothing,
  'GET /api/health': nothing,
  'GET /.well-known/security.txt': nothing,
  'GET /metrics': nothing,
  'GET /metrics (with its token)': () => ({ headers: { authorization: `Bearer ${METRICS_TOKEN}` } }),
  'GET /metrics (with another token)': () => ({ headers: { authorization: `Bearer ${METRICS_TOKEN}0` } }),
  'GET /api/openapi.json': nothing,
  'GET /api/docs': nothing,
  'GET /tiles/status': nothing,
  'GET /tiles/:layer/:z/:x/:y': () => ({ params: { layer: 'street', z: '1', x: '1', y: '0' } }),
  'GET /': nothing,
  'GET /* (a page)': (target) => ({ params: { '*': `machine/${target.serial}` } }),
  'GET /* (a call that is none)': () => ({ params: { '*': 'api/niets' } }),
  'GET /index.html': nothing,
  'GET /assets/app-1a2b3c4d.js': nothing,
  "OPTIONS * (no browser's question)": () => ({ params: { '*': '/api/live' } }),
};
