import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Level of each requirement of OWASP ASVS 5.0.0: one digit per requirement of a section. Requirements of level 3 are not listed. */
const LEVELS: Readonly<Record<string, string>> = {
  '1.1': '22',
  '1.2': '111112222',
  '1.3': '11222222222',
  '1.4': '222',
  '1.5': '12',
  '2.1': '122',
  '2.2': '112',
  '2.3': '1222',
  '2.4': '2',
  '3.2': '11',
  '3.3': '1222',
  '3.4': '112222',
  '3.5': '11122',
  '3.7': '22',
  '4.1': '122',
  '4.2': '2',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112',
  '5.3': '11',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '1122',
  '6.4': '1122',
  '6.5': '22222',
  '6.6': '222',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '22',
  '7.6': '22',
  '8.1': '12',
  '8.2': '112',
  '8.3': '1',
  '8.4': '2',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '22',
  '10.3': '2222',
  '10.4': '11111222222',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '22',
  '11.2': '222',
  '11.3': '112',
  '11.4': '1222',
  '11.5': '2',
  '11.6': '2',
  '12.1': '122',
  '12.2': '11',
  '12.3': '2222',
  '13.1': '2',
  '13.2': '22222',
  '13.3': '22',
  '13.4': '12222',
  '14.1': '22',
  '14.2': '1222',
  '14.3': '122',
  '15.1': '122',
  '15.2': '122',
  '15.3': '1222222',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '222',
  '17.1': '2',
  '17.2': '2222',
  '17.3': '22',
};

const LINES = Object.entries(LEVELS).flatMap(([section, levels]) =>
  [...levels].map((level, n) => ({ line: `${section}.${n + 1}`, level })),
);
/** Values of the third column (what fulfils the requirement) that name no test. For `not held`, the last column gives the reason. */
const NO_TEST = ['does not apply', 'proxy', 'operator', 'not held'];

const rows = readFileSync('docs/asvs.md', 'utf8')
  .split('\n')
  .map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
  .filter(([line = '']) => /^\d+\.\d+\.\d+$/.test(line))
  .map(([line = '', level = '', heldBy = '', how = '']) => ({ line, level, heldBy, how }));

test('docs/asvs.md has each ASVS requirement of levels 1 and 2 once, with its level (13.13a)', () => {
  expect(LINES).toHaveLength(253);
  expect(rows.map(({ line, level }) => ({ line, level }))).toEqual(LINES);
});

test('each ASVS requirement in docs/asvs.md names existing tests, a document or a reason (13.13b)', () => {
  const isHeld = ({ heldBy, how }: (typeof rows)[number]): boolean => {
    if (how.length < 4) return false;
    if (NO_TEST.includes(heldBy)) return true;
    const files = [...heldBy.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    if (files.length === 0) return heldBy.startsWith('docs/') && existsSync(heldBy);
    return files.every((file) => existsSync(file) && /\btest(\.\w+)?[(<]/.test(readFileSync(file, 'utf8')));
  };
  expect(rows.filter((row) => !isHeld(row)).map(({ line, heldBy }) => `${line} ${heldBy}`)).toEqual([]);
});

test('each ASVS requirement of level 1 in docs/asvs.md names a test or document, except TLS, which the proxy terminates (13.13b)', () => {
  const open = rows.filter(({ heldBy }) => ['proxy', 'operator', 'not held'].includes(heldBy));
  expect(open.filter(({ level }) => level === '1').map(({ line }) => line)).toEqual([
    '12.1.1',
    '12.2.1',
    '12.2.2',
  ]);
});
