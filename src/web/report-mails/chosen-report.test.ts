import { expect, test } from 'vitest';
import type { ReportSubscription } from '#shared/contract/report-mails.ts';
import { matchesChoice } from './chosen-report.ts';

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
  ['the same report', {}, true],
  ['another report', { report: 'dagstaten' }, false],
  ['other minutes', { minutes: 1 }, false],
  ['fewer projects', { projects: [{ _id: 9, projectName: 'Sluis' }] }, false],
  ['all projects', { projects: null }, false],
  ['deleted machines only', { machines: [] }, false],
  ['a label', { labels: [{ _id: 3, labelName: 'Huur' }] }, false],
  ['a machine', { machines: [{ serialNumber: 'K-1', alias: '' }] }, false],
])(
  'a subscription to %s matches the chosen report only if report and limits are equal (14.5j)',
  (_, changed, expected) => {
    expect(matchesChoice({ ...MAIL, ...changed }, CHOSEN)).toBe(expected);
  },
);

test('a report subscription for projects that are all deleted does not count as a subscription for all projects (14.5j)', () => {
  expect(matchesChoice({ ...MAIL, projects: [] }, { ...CHOSEN, projects: [] })).toBe(false);
  expect(matchesChoice({ ...MAIL, projects: null }, { ...CHOSEN, projects: [] })).toBe(true);
});
