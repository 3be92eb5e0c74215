import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findRuleMarkers, readSources, removeRules } from './markers.ts';
import { RULES } from './rules.ts';

const sources = readSources('.');

test('every marker of an authorization rule in the source names a rule, and every rule has a marker (API-02, 11.11)', () => {
  const marked = new Set(findRuleMarkers(sources).map(({ id }) => id));
  const named = RULES.flatMap(({ id, hiddenBy }) => [id, ...hiddenBy]);
  expect([...marked].filter((id) => !named.includes(id))).toEqual([]);
  expect(named.filter((id) => !marked.has(id))).toEqual([]);
});

test('the test file of each authorization rule exists and has the titles that the rule names (API-02)', () => {
  const files = globSync('src/**/*.test.ts');
  const nouns = globSync('src/server/*/test/noun.ts');
  const missing = RULES.filter(({ test: name, only }) => {
    const found = files.filter((file) => basename(file) === name);
    if (found.length !== 1) return true;
    // A title may come from a table in a file beside the test, or for the table of permissions from a noun.ts file.
    const beside = globSync(join(dirname(found[0] as string), '*.ts'));
    const texts = [...beside, ...(name === 'principals.pg.test.ts' ? nouns : [])].map((file) =>
      readFileSync(file, 'utf8'),
    );
    return only !== undefined && !texts.some((text) => text.includes(only.replace(/^[A-Z]+ /, '')));
  });
  expect(missing).toEqual([]);
});

test('each authorization rule has its own id and its own sentence (API-02)', () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  expect(new Set(RULES.map(({ sentence }) => sentence)).size).toBe(RULES.length);
});

/** Matches SQL that reads streams or their owners, and SQL that is limited to the organizations that the caller may see. */
const USES_A_SCOPE =
  /\bvisibleStreamsParameters\(|\bfindHistory\(|\breadHistories\(|integer\[\] is null or|\b(?:from|join) (?:stream|ownership)\b/;

/** Files and folders of src/server with such a query and without a marker, by the reason why they need none. */
const WITHOUT_MARKER: Readonly<Record<string, readonly string[]>> = {
  'Background work and caches cover the streams of every organization; calls filter what they return.': [
    'alerts/evaluate-timer-rules.ts',
    'alerts/cursors.store.ts',
    'alerts/last-known.ts',
    'alerts/portal-state.store.ts',
    'alerts/places.ts',
    'alerts/presences.store.ts',
    'alerts/record-alerts.ts',
    'alerts/active-rules.store.ts',
    'charging-sessions/charge-forecasts.ts',
    'charging-sessions/stored-sessions.ts',
    'day-figures/day-figures.store.ts',
    'live/live.store.ts',
    'telemetry/upload-metrics.store.ts',
    'platform/audit.ts',
    'projects/note-changes.ts',
    'redecoding/erasures.store.ts',
    'redecoding/redecoding.store.ts',
    'streams/purge.ts',
    'telemetry/empty-logs.store.ts',
    'telemetry/old-positions.ts',
    'telemetry/adopt-readings.ts',
    'terreinen/on-terreinen.ts',
    'work-weeks/calendars.store.ts',
    'writers/log-quotas.ts',
  ],
  'Only administrators, who see every organization, may make the calls; the table of principals checks the right.':
    [
      'closed-weeks/owners.store.ts',
      'definitions/definitions.store.ts',
      'demo/',
      'leaving/',
      'organizations/belongings.ts',
      'streams/find-stream.ts',
      'streams/streams.store.ts',
      'writers/',
    ],
  'The file passes the scope of its caller on, or filters like a marked file; the table of principals and its own tests check the calls.':
    [
      'account/own-subscriptions.ts',
      'alerts/preferences.store.ts',
      'alerts/preview.ts',
      'alerts/rule-changes.ts',
      'compare/',
      'contacts/module.ts',
      'day-figures/silent-days.ts',
      'fault-codes/module.ts',
      'fleet-figures/',
      'fleet-maintenance/',
      'history/lmb-data.ts',
      'history/path-views.ts',
      'labels/lock-machine.ts',
      'maintenance/module.ts',
      'maintenance/templates.store.ts',
      'organizations/factor-rule.ts',
      'organizations/privacy.store.ts',
      'projects/lock-project-and-machine.ts',
      'projects/limited-scope.ts',
      'projects/present.ts',
      'projects/project-page.ts',
      'report-mails/report-files.ts',
      'reports/report-labels.ts',
      'reports/module.ts',
      'streams/place-names.ts',
      'users/hand-over.ts',
    ],
};

test('a server file that queries streams or their owners has an authorization marker, or is in the list of files that need none (API-02)', () => {
  const marked = new Set(findRuleMarkers(sources).map(({ file }) => file));
  const unmarked = [...sources]
    .filter(([file, text]) => file.startsWith('src/server/') && USES_A_SCOPE.test(text) && !marked.has(file))
    .map(([file]) => file.replace('src/server/', ''));
  const listed = Object.values(WITHOUT_MARKER).flat();
  expect(unmarked.filter((file) => !listed.some((one) => file.startsWith(one)))).toEqual([]);
  expect(listed.filter((one) => !unmarked.some((file) => file.startsWith(one)))).toEqual([]);
});

test('removing an authorization rule replaces the text between its markers, in every file that has these markers (API-02)', () => {
  const made = new Map([
    ['a.ts', 'if (known && /*rule:age*/ at <\n end /*=true*/) /*rule:other*/ return; /*=*/'],
    ['b.sql', 'where /*rule:age*/ a = 1 /*=false*/ or b'],
    ['c.ts', 'x(1);'],
  ]);
  expect([...removeRules(made, ['age'])]).toEqual([
    ['a.ts', 'if (known && true) /*rule:other*/ return; /*=*/'],
    ['b.sql', 'where false or b'],
  ]);
  expect(removeRules(made, ['age', 'other']).get('a.ts')).toBe('if (known && true) ');
  expect(() => removeRules(made, ['unknown'])).toThrow('No marker in the source: unknown');
});

test.each([
  ['without an end', '/*rule:a*/ x'],
  ['inside another one', '/*rule:a*/ x /*rule:b*/ y /*=*/ z /*=*/'],
  ['with an end before it', 'x /*=*/ /*rule:a*/'],
  ['with a malformed id', '/*rule:Of a*/ x /*=*/'],
])('findRuleMarkers throws for a marker %s (API-02)', (_kind, text) => {
  expect(() => findRuleMarkers(new Map([['a.ts', text]]))).toThrow('arker');
});
