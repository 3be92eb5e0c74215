import { matchRoutes } from 'react-router';
import { expect, test } from 'vitest';
import type { LiveEntry, LiveMetadata } from '#shared/contract/live.ts';
import { aLiveEntry } from '#web/test/live-example.ts';
import { loggerPanelPath, loggerPath, machineOrLoggerPath } from './page-path.ts';

const logger = (alias: string, organization: string) => ({ alias, organization });

test('the path of a logger names its organization if another organization has a logger of the same name (LOG-01)', () => {
  const all = [logger('Kar 1', 'spoor'), logger('Kar 1', 'rails'), logger('Één', 'spoor')];
  expect(all.map((one) => loggerPath(one, all))).toEqual([
    '/lmb-logging/Kar%201?organization=spoor',
    '/lmb-logging/Kar%201?organization=rails',
    '/lmb-logging/%C3%89%C3%A9n',
  ]);
});

test('a logger whose name has characters that are special in URLs has a path that leads to its page (52.9)', () => {
  const named = [logger('Krol 1/2 #3 & co', 'spoor')];
  const path = loggerPath(named[0]!, named);
  expect(path).toBe('/lmb-logging/Krol%201%2F2%20%233%20%26%20co');
  const [match] = matchRoutes([{ path: '/lmb-logging/:alias' }], path) ?? [];
  expect(match?.params).toEqual({ alias: 'Krol 1/2 #3 & co' });
});

test('loggerPanelPath returns the edit page of a machine, or the page of an LMB logger with its organization (55.15, 55.51)', () => {
  const named = { ...logger('Één', 'spoor & wissels'), serial: 'M 1' };
  expect(loggerPanelPath({ ...named, kind: 'machine' })).toBe('/machine/edit/M%201');
  expect(loggerPanelPath({ ...named, kind: 'logger' })).toBe(
    '/lmb-logging/%C3%89%C3%A9n?organization=spoor%20%26%20wissels',
  );
});

const entry = (changes: Partial<LiveMetadata>): LiveEntry => {
  const { metadata, liveData } = aLiveEntry('x');
  return { metadata: { ...metadata, ...changes }, liveData };
};
const pathIn = (one: LiveEntry, ...others: LiveEntry[]) =>
  machineOrLoggerPath(one.metadata, [one, ...others]);

test.each([
  ['machine', 'VO-1000', 'Graver', '/machine/VO-1000'],
  ['machine', 'A 1', 'Graver', '/machine/A%201'],
  ['logger', '0012345', 'Krol 6', '/lmb-logging/Krol%206'],
] as const)('the page of a %s %s, %s is %s (APP-09)', (kind, serialNumber, alias, path) => {
  expect(pathIn(entry({ kind, serialNumber, alias }))).toBe(path);
});

test('the link to a logger names its organization if another organization has a logger of the same name (APP-09, MAP-05, MAP-08, 11.R1)', () => {
  const spoor = entry({ kind: 'logger', serialNumber: '1', alias: 'Kar 1', organization: 'spoor' });
  const rails = entry({ kind: 'logger', serialNumber: '2', alias: 'Kar 1', organization: 'rails' });
  expect(pathIn(spoor, rails)).toBe('/lmb-logging/Kar%201?organization=spoor');
  expect(pathIn(rails, spoor)).toBe('/lmb-logging/Kar%201?organization=rails');
  const machine = entry({ alias: 'Kar 1', organization: 'rails' });
  expect(pathIn(spoor, machine)).toBe('/lmb-logging/Kar%201');
});
