import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext } from '../context.ts';
import { assertInvariant, type FaultResult, InvariantBroken } from './fault.ts';

type TestResult = { readonly title: string; readonly ok: boolean; readonly error: string };

/**
 * Runs tests of the repository as a fault-injection test.
 * @param command arguments of node; `REPORT` in them stands for the path of the report file that the test runner writes
 * @param read returns the results of the tests in the parsed report
 * @throws InvariantBroken when a test fails or none runs
 */
async function runTests(
  context: BenchContext,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  read: (report: unknown) => readonly TestResult[],
): Promise<FaultResult> {
  const report = join(await context.folder(), 'report.json');
  const child = spawn(
    process.execPath,
    command.map((word) => word.replace('REPORT', report)),
    {
      env: { ...process.env, ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000);
    });
  const ended = once(child, 'close');
  context.onClose(async () => {
    child.kill('SIGINT');
    await ended;
  });
  await ended;
  const text = await readFile(report, 'utf8').catch(() => {
    throw new InvariantBroken(`The tests did not run: ${output.trim().split('\n').at(-1)}`);
  });
  const results = read(JSON.parse(text));
  const failed = results.filter(({ ok }) => !ok);
  assertInvariant(results.length > 0, `No test ran: ${output.trim().split('\n').at(-1)}`);
  assertInvariant(failed.length === 0, failed.map(({ title, error }) => `${title}: ${error}`).join('; '));
  return { rounds: 1, notes: results.map(({ title }) => title) };
}

type VitestReport = {
  testResults: {
    message: string;
    assertionResults: { title: string; status: string; failureMessages: string[] }[];
  }[];
};

/** Runs a test file of src/server/test/faults with Vitest. */
export const runVitest = (
  context: BenchContext,
  name: string,
  environment: Record<string, string> = {},
): Promise<FaultResult> => {
  const options = ['--config=bench/faults/vitest.config.ts', '--reporter=json', '--outputFile=REPORT'];
  const command = ['node_modules/vitest/vitest.mjs', 'run', ...options, `/faults/${name}`];
  return runTests(context, command, environment, (report) =>
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
};

type PlaywrightReport = {
  errors: { message?: string }[];
  suites: {
    specs: { title: string; ok: boolean; tests: { results: { error?: { message?: string } }[] }[] }[];
  }[];
};

/** Runs a test file of the folder e2e with Playwright: its tests for the desktop, and its long tests. */
export const runPlaywright = (
  context: BenchContext,
  file: string,
  environment: Record<string, string> = {},
): Promise<FaultResult> => {
  const projects = ['--project=desktop', '--project=long', '--reporter=json'];
  const command = ['node_modules/@playwright/test/cli.js', 'test', `e2e/${file}`, ...projects];
  return runTests(context, command, environment, (report) => {
    const { suites, errors } = report as PlaywrightReport;
    const tests = suites.flatMap(({ specs }) => specs);
    return [
      ...errors.map(({ message = '' }) => ({ title: file, ok: false, error: message })),
      ...tests.map(({ title, ok, tests }) => ({
        title,
        ok,
        error: tests[0]?.results.at(-1)?.error?.message?.split('\n')[0] ?? 'did not run',
      })),
    ];
  });
};
