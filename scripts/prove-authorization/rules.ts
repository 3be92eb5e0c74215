import { NOUNS } from '#server/test/security/principals/nouns.ts';

/** One authorization rule. Its markers (markers.ts) show where it stands in the source. */
export type Rule = {
  readonly id: string;
  /** The rule in plain English. */
  readonly sentence: string;
  /** Name of the test file in which at least one test must fail without the rule. */
  readonly test: string;
  /** Pattern for the titles of the tests that must fail; undefined: all tests of the file. */
  readonly only: string | undefined;
  /** Rules of a second layer that are also taken out, because they would hide that this rule is missing. */
  readonly hiddenBy: readonly string[];
};

type Entry = string | { readonly rule: string; readonly hiddenBy: string };

/** Returns the rules that one test must prove. @param needing name of the test file, or 'test file > pattern of titles' */
function neededBy(needing: string, entries: Readonly<Record<string, Entry>>): Rule[] {
  const [test = '', only] = needing.split(' > ');
  return Object.entries(entries).map(([id, entry]) => {
    const { rule, hiddenBy } = typeof entry === 'string' ? { rule: entry, hiddenBy: undefined } : entry;
    return { id, sentence: rule, test, only, hiddenBy: hiddenBy === undefined ? [] : [hiddenBy] };
  });
}

/**
 * Authorization rules that `npm run prove` takes out one at a time. Rules about one subject, such as labels, are in the file noun.ts of
 * that subject's test folder.
 */
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
  ...neededBy('principals.pg.test.ts', {
    'gate-limited-calls': 'A limited person is served only the calls of the list for limited people.',
  }),
  ...neededBy('principals.pg.test.ts > POST /api/mail/subscribe', {
    'gate-own-page': 'A call that changes something comes from a page of the portal.',
  }),
  ...neededBy('principals.pg.test.ts > tiles/status', {
    'gate-tiles-session': 'Map tiles are served to signed-in people only.',
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
  ...neededBy('known-people.test.ts', {
    'people-known': 'An organization sees the names of its own people only.',
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
];
