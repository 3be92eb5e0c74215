import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workplace } from '../workplace.ts';
import { Broken, mustHold, type Passed } from './fault.ts';

/** What vitest's and Playwright's reports have in common for us. */
export type TestResult = { readonly title: string; readonly ok: boolean; readonly error: string };

/**
 * A fault that is a test of the repository, run as it stands.
 * @param command arguments of node; `REPORT` among them is the file for the report
 * @param read the report -> its tests
 * @throws Broken, when one failed or none ran
 */
export async function runTests(
  place: Workplace,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  read: (report: unknown) => readonly TestResult[],
): Promise<Passed> {
  const report = join(await place.folder(), 'report.json');
  const args = command.map((word) => word.replace('REPORT', report));
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment, REPORT: report, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000);
    });
  const ended = endOf(child);
  place.onClose(async () => {
    child.kill('SIGINT');
    await ended;
  });
  await ended;
  const text = await readFile(report, 'utf8').catch(() => {
    throw new Broken(`The tests did not run: ${said.trim().split('\n').at(-1)}`);
  });
  const results = read(JSON.parse(text));
  const failed = results.filter(({ ok }) => !ok);
  mustHold(results.length > 0, `No test ran: ${said.trim().split('\n').at(-1)}`);
  mustHold(failed.length === 0, failed.map(({ title, error }) => `${title}: ${error}`).join('; '));
  return { rounds: 1, notes: results.map(({ title }) => title) };
}

const endOf = (child: ChildProcess): Promise<void> =>
  new Promise((done) => child.once('close', () => done()));

/** A test of the server under a fault; `name` is the file's. */
export const runVitest = (
  place: Workplace,
  name: string,
  environment: Record<string, string> = {},
): Promise<Passed> =>
  runTests(
    place,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config=bench/faults/vitest.config.ts',
      '--reporter=json',
      '--outputFile=REPORT',
      `/faults/${name}`,
    ],
    environment,
    (report) =>
      (report as VitestReport).testResults.flatMap(({ assertionResults, message }) =>
        assertionResults.length === 0
          ? [{ title: name, ok: false, error: message }]
          : assertionResults.map(({ title, status, failureMessages }) => ({
              title,
              ok: status === 'passed',
              error: failureMessages[0]?.split('\n')[0] ?? status,
            })),
      ),
  );

type VitestReport = {
  testResults: {
    message: string;
    assertionResults: { title: string; status: string; failureMessages: string[] }[];
  }[];
};

/** Of e2e, on the desktop, those of test:long among them. */
export const runPlaywright = (
  place: Workplace,
  file: string,
  environment: Record<string, string> = {},
): Promise<Passed> =>
  runTests(
    place,
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      `e2e/${file}`,
      '--project=desktop',
      '--project=long',
      '--reporter=json',
    ],
    environment,
    (report) => {
      const { suites, errors } = report as PlaywrightReport;
      const broken = errors.map(({ message = '' }) => ({ title: file, ok: false, error: message }));
      const results = suites.flatMap(({ specs }) =>
        specs.map(({ title, ok, tests }) => ({
          title,
          ok,
          error: tests[0]?.results.at(-1)?.error?.message?.split('\n')[0] ?? 'did not run',
        })),
      );
      return [...broken, ...results];
    },
  );

type PlaywrightReport = {
  errors: { message?: string }[];
  suites: {
    specs: { title: string; ok: boolean; tests: { results: { error?: { message?: string } }[] }[] }[];
  }[];
};
