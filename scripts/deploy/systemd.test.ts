import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Of `npm start`. */
const START: string = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).scripts.start;
const unit = readFileSync(`${ROOT}deploy/werkstroom.service`, 'utf8');
const valuesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);

/** systemd-analyze checks unit files without a running systemd. */
const present = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!present)
  process.stderr.write(
    'skipped: systemd-analyze is not here, so deploy/werkstroom.service is not verified\n',
  );

function analyze(text: string, ...command: string[]): { status: number | null; said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'werkstroom-unit-'));
  const file = join(folder, 'werkstroom.service');
  // systemd looks whether the program is there: here it is the project's own.
  writeFileSync(file, text.replaceAll('/opt/werkstroom', ROOT.replace(/\/$/, '')));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...command, file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return { status, said: command[0] === 'verify' ? stderr : stdout };
}

describe.skipIf(!present)('systemd-analyze', () => {
  test('finds no fault in the unit', () => {
    expect(analyze(unit, 'verify')).toEqual({ status: 0, said: '' });
  });

  test.each<[string, string, string]>([
    ['a word that means nothing', 'Restart=on-failure', 'Restart=sometimes'],
    ['a setting that does not exist', 'ProtectHome=yes', 'ProtectHouse=yes'],
    [
      'a program that is not there',
      'ExecStart=/opt/werkstroom/node_modules/.bin/node',
      'ExecStart=/opt/werkstroom/nowhere',
    ],
  ])('finds %s', (_what, good, bad) => {
    expect(unit).toContain(good);
    expect(analyze(unit.replace(good, bad), 'verify').said).not.toBe('');
  });

  test('says that the unit is well protected', () => {
    // From 0 (nothing allowed) to 100.
    expect(analyze(unit, 'security', '--offline=true', '--threshold=20', '--no-pager').status).toBe(0);
  });
});

test('the unit stops the portal alone, and gives it the time that it takes', () => {
  expect(valuesOf('KillMode')).toEqual(['mixed']);
  expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(10);
  expect(valuesOf('Restart')).toEqual(['on-failure']);
  expect(Number(valuesOf('LimitNOFILE')[0])).toBeGreaterThan(20_000);
  expect(valuesOf('User')).toEqual(['werkstroom']);
  // V8 compiles into memory that it then runs.
  expect(valuesOf('MemoryDenyWriteExecute')).toEqual([]);
});

test('the program of the unit is the Node that npm ci brings, started as npm start does (17.6)', () => {
  const [program = '', ...args] = (valuesOf('ExecStart')[0] ?? '').split(' ');
  expect(program).toBe('/opt/werkstroom/node_modules/.bin/node');
  expect(['node', ...args].join(' ')).toBe(START);
  expect(args).toContain('--max-semi-space-size=32'); // MiB: the young generation
  const node = program.replace('/opt/werkstroom/', ROOT);
  expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(/^v24\./);
});
