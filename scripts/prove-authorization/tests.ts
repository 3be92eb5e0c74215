import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A copy of the working tree, and a database server for its tests. */
export type TestSandbox = { readonly folder: string; readonly databaseUrl: string };

/** Result of a run of test files. */
export type TestOutcome = {
  /** 'file > title' of each test that failed. */
  readonly failed: ReadonlySet<string>;
  /** Files that failed before their tests ran, with the message. */
  readonly broken: readonly string[];
};

type Report = {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
};

/** Longer than a file takes on a busy machine; files run two at a time. */
const TIMEOUT_MS = 300_000;
const MORE_PER_FILE_MS = 30_000;

/**
 * Runs the test files in the copy.
 * @param files their names without folder
 * @param only a pattern for the titles; undefined: all
 */
export async function runTests(
  { folder, databaseUrl }: TestSandbox,
  files: readonly string[],
  only?: string,
): Promise<TestOutcome> {
  const output = join(folder, 'prove-report.json');
  await rm(output, { force: true });
  const options = [
    '--project=unit',
    '--project=server',
    '--project=long-server',
    '--reporter=json',
    `--outputFile=${output}`,
  ];
  const filters = [...files.map((file) => `/${file}`), ...(only === undefined ? [] : ['-t', only])];
  const finished = await promisify(execFile)(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...options, ...filters],
    {
      cwd: folder,
      env: { ...process.env, TEST_DATABASE_URL: databaseUrl },
      timeout: TIMEOUT_MS + files.length * MORE_PER_FILE_MS,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 1024 * 1024,
    },
  ).catch((error: { stdout?: string; stderr?: string }) => error);
  const text = await readFile(output, 'utf8').catch(() => undefined);
  if (text === undefined)
    return { failed: new Set(), broken: [`${finished.stdout}${finished.stderr}`.slice(-500)] };
  const failed = new Set<string>();
  const broken: string[] = [];
  for (const { name, message, assertionResults } of (JSON.parse(text) as Report).testResults) {
    const file = name.slice(folder.length + 1);
    const titles = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => fullName);
    for (const title of titles) failed.add(`${file} > ${title}`);
    if (titles.length === 0 && message !== '') broken.push(`${file}: ${message.slice(0, 300)}`);
  }
  return { failed, broken };
}
