import { NOUNS } from '#server/test/security/principals/nouns.ts';

/** One authorization rule. Its markers (markers.ts) show where it stands in the source. */
export type Rule = {
  readonly id: string;
  /** The rule in plain English. */
  readonly sentence: string;
  /** Name of the test file in which at least one test must fail without the rule. */
  readonly test: string;
  /** Pattern for the titles of those tests; undefined: all tests of the file. */
  readonly only: string | undefined;
  /** Rules of a second layer, which are taken out too because they would hide that this rule is missing. */
  readonly hiddenBy: readonly string[];
};

type Entry = string | { readonly rule: string; readonly hiddenBy: string };

/** Returns the rules of one test. @param needing test file, or 'test file > pattern of titles' */
function neededBy(needing: string, entries: Readonly<Record<string, Entry>>): Rule[] {
  const [test = '', only] = needing.split(' > ');
  return Object.entries(entries).map(([id, entry]) => {
    const { rule, hiddenBy } = typeof entry === 'string' ? { rule: entry, hiddenBy: undefined } : entry;
    return { id, sentence: rule, test, only, hiddenBy: hiddenBy === undefined ? [] : [hiddenBy] };
  });
}

/** Authorization rules that `npm run prove` takes out one at a time. Those of a noun with a file noun.ts in its test folder stand there. */
export const RULES: readonly Rule[] = [
  ...NOUNS.flatMap(({ rules = {} }) =>
    Object.entries(rules).flatMap(([test, entries]) => neededBy(test, entries)),
  ),
  ...neededBy('principals.pg.test.ts > background-tasks', {
    'gate-session': 'A call that needs a session answers 401 without one.',
  }),
  ...neededBy('principals.pg.test.ts > GET /api/machine/get/all', {
    'gate-right': 'A call that needs a right answers 403 to a caller who lacks it.',
  }),
  ...neededBy('principals.pg.test.ts > 13.6f', {
    'gate-reauthentication': 'An act that cannot be undone asks a caller to re-authenticate.',
  }),
  ...neededBy('obligatory-factor.long.pg.test.ts > 13.4k', {
    'gate-second-factor': 'A caller who must have a second factor, and has none, can only set one up.',
  }),
  ...neededBy('first-password.pg.test.ts', {
    'gate-generated-password': 'A caller with a generated password can only choose another password.',
  }),
  ...neededBy('unconfirmed.pg.test.ts', {
    'gate-confirmed-address': 'A caller who registered with a code first confirms the e-mail address.',
  }),
  ...neededBy('principals.pg.test.ts', {
    'gate-limited-calls': 'A limited person is served only the calls of the list for limited people.',
  }),
  ...neededBy('principals.pg.test.ts > POST /api/mail/subscribe', {
    'gate-own-page': 'A call that changes something comes from a page of the portal.',
  }),
  ...neededBy('principals.pg.test.ts > tiles/status', {
    'gate-tiles-session': 'Map tiles are served to signed-in people only.',
  }),
  ...neededBy('cross-site.pg.test.ts', {
    'own-page-fetch-site': 'A change from a page of another site is refused by its Sec-Fetch-Site header.',
    'own-page-unproved': 'A change with a cookie and without proof of its origin is refused.',
  }),
  ...neededBy('lost-rights.long.pg.test.ts', {
    'change-checks-caller': 'Each transaction of a change checks its caller again.',
    'change-keeps-session': 'The session of a change cannot end before the change is committed.',
    'change-session-ended': 'A change is refused when its session has ended meanwhile.',
    'change-passes-gate': 'A change passes the gate again inside its transaction.',
    'change-same-rights': 'A change is refused when the rights of its caller have changed meanwhile.',
  }),
  ...neededBy('access.test.ts', {
    'scope-organizations':
      "A scope holds the caller's own organization, or all of them for an administrator.",
    'scope-covers': 'A scope covers the organizations that it holds, and no other.',
    'scope-role-of-kind': 'A role of the other kind of organization has no rights.',
    'limited-no-organization': 'A limited person sees no organization as a whole.',
    'limited-manages-nothing': 'A limited person has no right to manage.',
  }),
  ...neededBy('auth.pg.test.ts', {
    'session-age': 'A session ends at its maximum age.',
    'session-organization-disabled':
      'The sessions of an organization end when it is disabled, and do not come back.',
    'session-change-notice': 'A process forgets what it remembers of sessions when one changes.',
    'session-token-hash': 'The database holds the hash of a session token, not the token.',
    'sign-in-disabled-organization': 'Nobody signs in to a disabled organization.',
    'sign-in-password-replaced': 'A sign-in fails when the password was replaced while it was checked.',
    'sign-out-ends-session': 'Signing out ends the session on the server.',
    'cookie-http-only': 'No script can read the session cookie.',
    'cookie-same-site': 'No other site can send the session cookie.',
  }),
  ...neededBy('cache-age.long.pg.test.ts', {
    'session-disabled-organization': 'A session of a disabled organization is not valid.',
    'session-cache-age': 'A process remembers the account of a session for at most 5 s.',
  }),
  ...neededBy('live.external.pg.test.ts > a session that ends', {
    'session-sign-out-at-once': {
      rule: 'Signing out ends the session at once in the process that served it.',
      hiddenBy: 'session-change-notice',
    },
  }),
  ...neededBy('account.pg.test.ts', {
    'session-idle': 'A session ends when it is not used.',
    'session-end-own': 'A person can end only their own sessions.',
    'reauthentication-age': 'A re-authentication is valid for ten minutes.',
  }),
  ...neededBy('second-factor.long.pg.test.ts > 13.4d', {
    'session-second-factor': 'No session starts without the second factor of an account that has one.',
  }),
  ...neededBy('users.pg.test.ts', {
    'session-account-moved': 'The sessions of an account end when it moves to another organization.',
    'users-scope': 'A caller sees and changes the people of the scope only.',
  }),
  ...neededBy('password-reset.long.pg.test.ts', {
    'session-new-password': 'The sessions of an account end when its password changes.',
  }),
  ...neededBy('limits.pg.test.ts', {
    'session-limit-changed': 'The sessions of an account end when its limit changes.',
  }),
  ...neededBy('obligatory-factor.long.pg.test.ts > 13.4l', {
    'factor-reset-scope': 'A caller resets the second factor of people of the scope only.',
  }),
  ...neededBy('invitations.pg.test.ts', {
    'invitations-scope': 'A caller sees and revokes the invitations of the scope only.',
  }),
  ...neededBy('applicants.pg.test.ts', {
    'applicants-scope': 'A caller sees and admits the applicants of the scope only.',
  }),
  ...neededBy('principals.pg.test.ts > GET /api/organization/get', {
    'organizations-scope': 'A caller sees the organizations of the scope only.',
  }),
  ...neededBy('registration-modes.long.pg.test.ts', {
    'organization-registration-scope':
      'A caller changes the registration of the organizations of the scope only.',
  }),
  ...neededBy('oidc-settings.pg.test.ts', {
    'oidc-settings-scope': 'A caller changes the sign-in provider of the organizations of the scope only.',
  }),
  ...neededBy('moved-stream.pg.test.ts', {
    'stream-present-owner': 'A stream is seen by its present owner, not by a former one.',
    'stream-kind': 'A stream of a kind that the caller may not see does not exist for the caller.',
  }),
  ...neededBy('history-calls.external.pg.test.ts', {
    'stream-organization': 'A stream is seen by its own organization only.',
    'stream-deleted': 'A deleted stream does not exist for anybody.',
    'history-organization': 'A history holds the times at which the organization owned the stream.',
    'history-own-time': 'A range of history is cut to the times that the caller may see.',
    'path-own-time': 'A path on a screen covers only the time that the caller owned the stream.',
    'sums-own-time': 'Hours, power and energy count only the time that the caller owned the stream.',
  }),
  ...neededBy('charging-sessions.pg.test.ts > are of the scope', {
    'fleet-history-scope': 'Figures of a fleet count machines of the scope only.',
  }),
  ...neededBy('principals.pg.test.ts > GET /api/influx', {
    'path-scope': 'A path is read for a stream of the scope only.',
    'charging-sessions-scope': 'Charging sessions are read for a machine of the scope only.',
    'days-scope': 'Day figures are read for a machine of the scope only.',
  }),
  ...neededBy('principals.pg.test.ts > GET /api/machine/get', {
    'machine-scope': 'A machine is found inside the scope only.',
  }),
  ...neededBy('whose-files.long.pg.test.ts', {
    'machine-files-scope': 'A photo and a manual are read for a machine of the scope only.',
  }),
  ...neededBy('principals.pg.test.ts > GET /api/berend/get', {
    'lmb-logger-scope': 'An LMB logger is found inside the scope only.',
  }),
  ...neededBy('live.external.pg.test.ts', {
    'live-scope': 'Live data hold streams of the scope only.',
    'live-own-time': 'Live data hold no value from before the present owner.',
  }),
  ...neededBy('subscriptions.pg.test.ts', {
    'subscription-scope': 'A person subscribes to a machine of the scope only.',
    'subscriptions-end-with-sale': 'A sale ends the subscriptions of the people of the former owner.',
  }),
  ...neededBy('privacy.pg.test.ts', {
    'positions-working-hours': 'A viewer limited to positions of working hours sees no other position.',
  }),
  ...neededBy('reports.pg.test.ts > positions in a route', {
    'places-see-routes': 'Only a caller who sees routes sees the place of a past event.',
  }),
  ...neededBy('charging-sessions.pg.test.ts', {
    'days-organization': 'Day figures are of days on which the organization owned the machine.',
  }),
  ...neededBy('logbook.pg.test.ts', {
    'log-scope': 'A beheerder reads the log of its own organization only.',
  }),
  ...neededBy('known-people.test.ts', {
    'people-known': 'An organization sees the names of its own people only.',
  }),
  ...neededBy('projects.pg.test.ts > 14.1d', {
    'projects-scope': 'A list of projects holds those of the scope only.',
  }),
  ...neededBy('reports.pg.test.ts > a report has the machines', {
    'report-scope': 'A report holds machines that the organizations of the scope owned.',
    'report-project-scope': 'A report holds projects of the scope only.',
  }),
  ...neededBy('alerts.pg.test.ts > 16.3k', {
    'alerts-scope': 'A list of alerts holds those of the scope only.',
    'rules-scope': 'A list of alert rules holds organizations of the scope only.',
  }),
  ...neededBy('alerts.pg.test.ts > 16.3i', {
    'alerts-seen-machine': 'An alert is listed while the caller sees its machine.',
  }),
  ...neededBy('alerts.pg.test.ts > 16.4k', {
    'notification-organization': 'An alert is sent to people who still belong to its organization.',
  }),
  ...neededBy('limited-people.long.pg.test.ts', {
    'limited-machines': 'A machine outside the limit does not exist for a limited person.',
    'limited-history': 'A limited person reads the history of the times of the limit only.',
    'limited-alerts': 'Alerts of several machines are not for limited people.',
    'limited-report': 'A report for a limited person covers the times of the limit only.',
  }),
  ...neededBy('upload-endpoint.pg.test.ts', {
    'upload-signature-required': 'A request to the upload endpoint without a signature is refused.',
    'upload-own-folder': 'A logger reads and writes its own folder only.',
    'upload-no-delete': 'A logger deletes nothing.',
    'upload-own-list': 'A logger lists its own objects only.',
    'key-ends-with-binding': 'The keys of a logger end with its binding.',
    'key-replaces-older': 'The first use of a new key ends the older keys.',
  }),
  ...neededBy('upload-endpoint.test.ts', {
    'upload-known-key': 'A request with an unknown access key is refused.',
    'upload-signature': 'A request to the upload endpoint is signed with the secret of its key.',
    'upload-signature-age': 'A signature is valid for 15 minutes.',
  }),
  ...neededBy('aws-chunked-signatures.test.ts', {
    'upload-chunk-signature': 'Every chunk of a signed upload has a valid signature.',
  }),
  ...neededBy('object-key.test.ts', {
    'upload-exact-folder': 'A folder belongs to the logger whose exact serial number its name ends with.',
  }),
  ...neededBy('stored-objects.pg.test.ts', {
    'upload-present-binding': 'A logger sees no object from before its present binding.',
  }),
  ...neededBy('plain-http.pg.test.ts', {
    'upload-plain-http': 'Over plain HTTP the signature covers the body.',
  }),
  ...neededBy('upload-keys.pg.test.ts', {
    'key-withdrawn': 'A withdrawn key opens nothing.',
  }),
  ...neededBy('moving-loggers.external.pg.test.ts', {
    'reading-binding-of-its-time': 'A reading goes to the machine that its logger was bound to at that time.',
  }),
  ...neededBy('quarantined-readings.pg.test.ts', {
    'reading-of-former-owner': 'A reading from the time of another organization is quarantined.',
  }),
  ...neededBy('sold-logger.long.pg.test.ts', {
    'reading-before-sale': 'A key issued after a sale writes no reading from before the sale.',
    'objects-former-owner': 'A logger lists no objects from the time of a former owner.',
    'key-renewal-after-sale': 'A sale requires a new key for the logger.',
    'key-overdue': 'Readings signed with an overdue key are quarantined.',
  }),
  ...neededBy('delete-machine.external.pg.test.ts', {
    'reading-of-deleted-machine': 'Readings of the time of a deleted machine go to no other machine.',
  }),
  ...neededBy('decode-again.long.pg.test.ts > 43.5', {
    'log-files-own-loggers': 'Log files of a machine are of its own loggers.',
    'log-files-present-owner': 'Log files of a machine are from the time of its present owner.',
  }),
  ...neededBy('closed-week-files.pg.test.ts', {
    'closed-week-owner': 'The file of a closed week has readings of the time of one owner only.',
  }),
  ...neededBy('upload-log.pg.test.ts > 43.5', {
    'log-file-upload-bound': 'A log file is uploaded for a machine that its logger was bound to.',
  }),
];
