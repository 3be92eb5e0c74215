import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSettings } from './settings.ts';
import { COMPILE_CACHE_ENVIRONMENT } from './test/running-portal.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-settings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a settings file and returns its absolute path. */
async function fileOf(text: string): Promise<string> {
  const file = join(folder, 'portal.env');
  await writeFile(file, text);
  return file;
}

/** Runs a command in the folder, as a person with a shell there does. */
function run(words: readonly string[], environment: Record<string, string> = {}) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ...COMPILE_CACHE_ENVIRONMENT,
    ...environment,
  };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((done) =>
    execFile(
      process.execPath,
      [resolve('werkstroom.js'), ...words],
      { env, cwd: folder },
      (error, stdout, stderr) => done({ code: error ? error.code : 0, stdout, stderr }),
    ),
  );
}

describe('the settings file', () => {
  test('--env-file is removed from the command’s arguments, wherever it stands (55.1)', async () => {
    const file = await fileOf('# comment\nPORT=4123\n\nLOGGER_APN="in ternet"\n');
    try {
      for (const words of [
        ['--env-file', file, '--machine', 'M'],
        ['--machine', 'M', `--env-file=${file}`],
      ]) {
        const settings = readSettings(words);
        expect(settings.words).toEqual(['--machine', 'M']);
        expect(settings.config).toMatchObject({ PORT: 4123, LOGGER_APN: 'in ternet' });
        expect(settings.source).toBe(`Settings: ${file}. DATA_DIR: ${settings.config.DATA_DIR}.`);
      }
    } finally {
      for (const name of ['PORT', 'LOGGER_APN']) delete process.env[name];
    }
  });

  test.each([
    [['--env-file', '/no/such.env'], /^The settings file \/no\/such\.env cannot be read: ENOENT/],
    [['--env-file'], /^--env-file needs the name of a file\.$/],
    [['--env-file='], /^--env-file needs the name of a file\.$/],
  ])('the arguments %j are refused with a sentence (55.1)', (words, sentence) => {
    expect(() => readSettings(words)).toThrow(sentence);
  });
});

const NONE = (dataDir: string) =>
  `There is no Werkstroom in DATA_DIR (${dataDir}): set DATA_DIR or DATABASE_URL to the portal's, or name its settings file with --env-file. Nothing was made.\n`;

test('a command reads .env of its folder, reports it, and creates no database (55.1)', async () => {
  await writeFile(join(folder, '.env'), 'DATA_DIR=from-the-file\n');
  await writeFile(join(folder, 'a.csv'), 'time,Soc1\n');
  const before = (await readdir(folder)).sort();
  const [byFile, byEnvironment] = ['from-the-file', 'from-the-environment'].map((name) => join(folder, name));
  const commands = [
    ['import', '--machine', 'M', '--log', 'a.csv'],
    ['backup', 'x.backup'],
    ['reset-factor', 'a@b.nl'],
  ];
  for (const words of commands)
    expect([words, await run(words)]).toEqual([
      words,
      {
        code: 1,
        stdout: '',
        stderr: `Settings: ${join(folder, '.env')}. DATA_DIR: ${byFile}.\n${NONE(byFile as string)}`,
      },
    ]);
  const { stderr } = await run(['import', '--machine', 'M', '--log', 'a.csv'], {
    DATA_DIR: 'from-the-environment',
  });
  expect(stderr).toContain(NONE(byEnvironment as string));
  expect((await readdir(folder)).sort()).toEqual(before);
});
