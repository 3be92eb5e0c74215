import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Command of `npm start`. */
const START: string = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).scripts.start;
const unit = readFileSync(`${ROOT}deploy/werkstroom.service`, 'utf8');
const valuesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);

/** True if systemd-analyze is installed, which checks unit files without a running systemd. */
const present = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!present)
  process.stderr.write(
    'skipped: systemd-analyze is not here, so deploy/werkstroom.service is not verified\n',
  );

function analyze(text: string, ...command: string[]): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'werkstroom-unit-'));
  const file = join(folder, 'werkstroom.service');
  // systemd-analyze checks that the program exists, so the path of the installation is replaced by that of this repository.
  writeFileSync(file, text.replaceAll('/opt/werkstroom', ROOT.replace(/\/$/, '')));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...command, file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return { status, output: command[0] === 'verify' ? stderr : stdout };
}

describe.skipIf(!present)('systemd-analyze', () => {
  test('systemd-analyze finds no error in the unit', () => {
    expect(analyze(unit, 'verify')).toEqual({ status: 0, output: '' });
  });

  test.each<[string, string, string]>([
    ['a word that means nothing', 'Restart=on-failure', 'Restart=sometimes'],
    ['a setting that does not exist', 'ProtectHome=yes', 'ProtectHouse=yes'],
    [
      'a program that is not there',
      'ExecStart=/opt/werkstroom/node_modules/.bin/node',
      'ExecStart=/opt/werkstroom/nowhere',
    ],
  ])('systemd-analyze finds an error: %s', (_what, good, bad) => {
    expect(unit).toContain(good);
    expect(analyze(unit.replace(good, bad), 'verify').output).not.toBe('');
  });

  test('systemd-analyze rates the unit as well protected', () => {
    // The exposure of a service runs from 0 (nothing allowed) to 100; the command fails above the threshold.
    expect(analyze(unit, 'security', '--offline=true', '--threshold=20', '--no-pager').status).toBe(0);
  });
});

test('the unit sends the stop signal to the portal only, with enough time to stop', () => {
  expect(valuesOf('KillMode')).toEqual(['mixed']);
  expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(10);
  expect(valuesOf('Restart')).toEqual(['on-failure']);
  expect(Number(valuesOf('LimitNOFILE')[0])).toBeGreaterThan(20_000);
  expect(valuesOf('User')).toEqual(['werkstroom']);
  // V8 needs memory that is writable and executable.
  expect(valuesOf('MemoryDenyWriteExecute')).toEqual([]);
});

test('the unit starts the Node that npm ci installs, as npm start does (17.6)', () => {
  const [program = '', ...args] = (valuesOf('ExecStart')[0] ?? '').split(' ');
  expect(program).toBe('/opt/werkstroom/node_modules/.bin/node');
  expect(['node', ...args].join(' ')).toBe(START);
  expect(args).toContain('--max-semi-space-size=32'); // MiB: the young generation
  const node = program.replace('/opt/werkstroom/', ROOT);
  const options = args.filter((arg) => arg.startsWith('--'));
  expect(execFileSync(node, [...options, '--version'], { encoding: 'utf8' })).toMatch(/^v24\./);
});

test('the unit and the image have the same settings for returning memory to the system (45.9)', () => {
  expect(valuesOf('ExecStart')[0]).toContain(' --expose-gc ');
  const allocator = valuesOf('Environment').find((value) => value?.startsWith('MALLOC_'));
  expect(allocator?.split(' ')).toHaveLength(2);
  expect(readFileSync(`${ROOT}deploy/Dockerfile`, 'utf8')).toContain(`\nENV ${allocator}\n`);
});
