import { expect, test } from 'vitest';
import type { Alert } from '#shared/contract/alerts.ts';
import { linkedAlert, urgentFirst } from './alert-list.ts';

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
  isWithdrawn: false,
  isNew: false,
  taken: null,
});

test('16.8b urgent ones stand first, and of equals the newest', () => {
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
])('16.8b ?%s names alert %s', (search, expected) => {
  expect(linkedAlert(new URLSearchParams(search))).toBe(expected);
});
