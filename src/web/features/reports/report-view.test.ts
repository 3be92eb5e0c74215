import { expect, test } from 'vitest';
import {
  missingChoiceText,
  type ReportView,
  reportDaysOf,
  reportFileAddress,
  reportQueryOf,
  reportSearchOf,
  reportViewOf,
} from './report-view.ts';

const TODAY = { today: '2026-11-23', night: { fromTime: '17:00', toTime: '07:30' } };
const FULL: ReportView = {
  period: { from: '2026-10-01', to: '2026-10-31' },
  projects: [3, 12],
  machines: ['EX 1&2', 'K,7'],
  labels: [4, 9],
  minutes: 30,
  signals: ['Oliedruk', 'Speed'],
  step: 60,
};
const ADDRESS =
  '?van=2026-10-01&tot=2026-10-31&project=3&project=12&machine=EX+1%262&machine=K%2C7&label=4&label=9&minuten=30&signaal=Oliedruk&signaal=Speed&stap=60';

test('the choices of a report are written to and read from the address (14.4e)', () => {
  expect(reportSearchOf(FULL, 'inzet')).toBe(ADDRESS);
  expect(reportViewOf(new URLSearchParams(ADDRESS), 'inzet')).toEqual(FULL);
  const usual = reportViewOf(new URLSearchParams(''), 'inzet');
  expect([usual.period, reportSearchOf(usual, 'inzet')]).toEqual(['vorige-maand', '']);
  expect(reportDaysOf(usual, TODAY)).toEqual(FULL.period);
  expect(reportViewOf(new URLSearchParams(''), 'route').period).toBe('deze-week');
  expect(reportViewOf(new URLSearchParams('label=4'), 'route').labels).toEqual([]);
});

test('invalid values in the address are ignored (14.4e)', () => {
  const wrong = '?periode=ooit&van=gisteren&tot=2026-10-31&project=x&machine=&minuten=0&stap=7';
  expect(reportSearchOf(reportViewOf(new URLSearchParams(wrong), 'inzet'), 'inzet')).toBe('');
});

test('the address of a report’s file has the period and the choices of its page (14.4e)', () => {
  expect(reportFileAddress('inzet', reportViewOf(new URLSearchParams(''), 'inzet'), TODAY, 'xlsx')).toBe(
    '/api/report/inzet/file?from=2026-10-01&to=2026-10-31&format=xlsx',
  );
  expect(reportQueryOf(FULL, TODAY)).toEqual({
    from: '2026-10-01',
    to: '2026-10-31',
    projects: '[3,12]',
    machines: '["EX 1&2","K,7"]',
    labels: '[4,9]',
    minutes: 30,
    signals: '["Oliedruk","Speed"]',
    step: '60',
  });
});

test('missingChoiceText returns which choice is missing (14.4e)', () => {
  const of = (machines: string[], signals: string[] = []) => ({ ...FULL, machines, signals });
  expect(missingChoiceText('inzet', of([]))).toBeUndefined();
  expect(missingChoiceText('route', of([]))).toBe('Kies een of meer machines.');
  expect(missingChoiceText('metingen', of(['A', 'B']))).toBe('Kies één machine.');
  expect(missingChoiceText('metingen', of(['A']))).toBe('Kies een of meer signalen.');
  expect(missingChoiceText('metingen', of(['A'], ['Speed']))).toBeUndefined();
});

test('the address of a report that takes hours has the hours of the period, and other reports ignore them (53.33)', () => {
  const address = '?van=2026-11-20&tot=2026-11-21&vanuur=18%3A00&totuur=05%3A30';
  const route = reportViewOf(new URLSearchParams(address), 'route');
  expect(route.period).toEqual({ from: '2026-11-20', to: '2026-11-21', fromTime: '18:00', toTime: '05:30' });
  expect(reportSearchOf(route, 'route')).toBe(address);
  expect(reportQueryOf(route, TODAY)).toMatchObject({ fromTime: '18:00', toTime: '05:30' });
  expect(reportViewOf(new URLSearchParams(address), 'inzet').period).toEqual({
    from: '2026-11-20',
    to: '2026-11-21',
  });
  const wrong = '?van=2026-11-20&tot=2026-11-21&vanuur=24%3A00&totuur=x';
  expect(reportViewOf(new URLSearchParams(wrong), 'route').period).toEqual({
    from: '2026-11-20',
    to: '2026-11-21',
  });
});

test('a report whose period has times of day offers the period last night, with the hours of the night (53.33)', () => {
  const night = reportViewOf(new URLSearchParams('periode=afgelopen-nacht'), 'laadbeurten');
  expect(reportQueryOf(night, TODAY)).toEqual({
    from: '2026-11-22',
    to: '2026-11-23',
    fromTime: '17:00',
    toTime: '07:30',
  });
  expect(reportViewOf(new URLSearchParams('periode=afgelopen-nacht'), 'dagstaten').period).toBe(
    'vorige-maand',
  );
  expect(reportViewOf(new URLSearchParams('periode=gisteren'), 'dagstaten').period).toBe('gisteren');
});
