import { expect, test } from 'vitest';
import type { ReportSubscription } from '#shared/contract/report-mails.ts';
import { isOf } from './report-mail-calls.ts';

const MAIL: ReportSubscription = {
  _id: 1,
  report: 'inzet',
  rhythm: 'week',
  minutes: 30,
  projects: [
    { _id: 10, projectName: 'Kade' },
    { _id: 9, projectName: 'Sluis' },
  ],
  machines: null,
  labels: null,
};
const CHOSEN = { report: 'inzet', minutes: 30, projects: [9, 10], machines: [], labels: [] } as const;

test.each<[string, Partial<ReportSubscription>, boolean]>([
  ['itself', {}, true],
  ['another report', { report: 'dagstaten' }, false],
  ['other minutes', { minutes: 1 }, false],
  ['fewer projects', { projects: [{ _id: 9, projectName: 'Sluis' }] }, false],
  ['all projects', { projects: null }, false],
  ['machines that are gone', { machines: [] }, false],
  ['a label', { labels: [{ _id: 3, labelName: 'Huur' }] }, false],
  ['a machine', { machines: [{ serialNumber: 'K-1', alias: '' }] }, false],
])('14.5j whether a mail is what is chosen: %s', (_, changed, expected) => {
  expect(isOf({ ...MAIL, ...changed }, CHOSEN)).toBe(expected);
});

test('14.5j one of projects that are gone is not one of all', () => {
  expect(isOf({ ...MAIL, projects: [] }, { ...CHOSEN, projects: [] })).toBe(false);
  expect(isOf({ ...MAIL, projects: null }, { ...CHOSEN, projects: [] })).toBe(true);
});
