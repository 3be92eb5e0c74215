import { expect, test } from 'vitest';
import type { Alert } from '#shared/contract/alerts.ts';
import { groupByRule, linkedAlertId, openCountText, urgentFirst } from './alert-list.ts';

const alert = (_id: string, severity: Alert['severity']): Alert => ({
  _id,
  kind: 'low',
  severity,
  machine: null,
  subject: null,
  organization: 'bouw',
  cleanorg: 'Bouw',
  rule: { _id: 1, ruleName: 'Accu laag', isOwn: false },
  words: '',
  since: '2026-11-21T12:00:00Z',
  at: '2026-11-21T12:00:00Z',
  until: null,
  value: 15,
  threshold: 20,
  unit: '%',
  state: 'firing',
  isNew: false,
  taken: null,
  contact: null,
});

test('the list has urgent alerts first, and the newest first among equally severe ones (16.8b)', () => {
  const alerts = [alert('4', 'notice'), alert('3', 'urgent'), alert('2', 'notice'), alert('1', 'urgent')];
  expect(urgentFirst(alerts).map(({ _id }) => _id)).toEqual(['3', '1', '4', '2']);
});

test.each([
  ['melding=17', '17'],
  ['melding=17&dempen=1', '17'],
  ['', undefined],
  ['melding=', undefined],
  ['melding=-1', undefined],
  ['melding=1%20or%202', undefined],
  ['melding=1234567890123456789', undefined],
])('the query ?%s names alert %s (16.8b)', (search, expected) => {
  expect(linkedAlertId(new URLSearchParams(search))).toBe(expected);
});

const many = (count: number, ruleId: number): Alert[] =>
  Array.from({ length: count }, (_, n) => ({
    ...alert(`${ruleId}${n}`, 'notice'),
    rule: { _id: ruleId, ruleName: `Regel ${ruleId}`, isOwn: false },
    machine: { serialNumber: `K-${n}`, alias: `Kraan ${n}` },
  }));
const shownOf = (lines: ReturnType<typeof groupByRule>): string[] =>
  lines.map((line) => ('alert' in line ? line.alert._id : `nog ${line.fold.hidden}`));

test('the list shows three of a thousand open alerts of one rule and a button for more, and all ten alerts of another rule (53.16)', () => {
  const alerts = [...many(1_000, 1), ...many(10, 2)];
  expect(shownOf(groupByRule(alerts, new Map(), undefined))).toEqual([
    '10',
    '11',
    '12',
    'nog 997',
    ...many(10, 2).map(({ _id }) => _id),
  ]);
  expect(groupByRule(alerts, new Map([[1, 50]]), undefined)).toHaveLength(53 + 1 + 10);
  expect(groupByRule(alerts, new Map([[1, 1_000]]), undefined)).toHaveLength(1_010);
});

test('the alert in a notification’s link is shown although most alerts of its rule are hidden (53.16)', () => {
  expect(shownOf(groupByRule(many(100, 1), new Map(), '199'))).toEqual(['10', '11', '12', 'nog 97', '199']);
});

test('the text above the list counts the open alerts and their machines (53.16)', () => {
  expect(openCountText([...many(12, 1), ...many(12, 2)], false)).toBe('24 open meldingen over 12 machines');
  expect(openCountText([alert('1', 'urgent')], false)).toBe('1 open melding');
  expect(openCountText(many(2_000, 1), true)).toBe('Meer dan 2.000 open meldingen over 2.000 machines');
});
