import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A copy of the working tree, and a database server for its tests. */
export type Workshop = { readonly folder: string; readonly databaseUrl: string };

/** What a run of test files came to. */
export type Outcome = {
  /** 'file > title' of each test that failed. */
  readonly failed: ReadonlySet<string>;
  /** Files that did not come to their tests, and why. */
  readonly broken: readonly string[];
};

type Report = {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
};

/** Longer than any of these files takes on a busy machine. */
const PATIENCE_MS = 300_000;

/**
 * @param databaseUrl where the tests may make databases
 * @param only a pattern for the titles; undefined: all
 */
export async function runTests(
  { folder, databaseUrl }: Workshop,
  files: readonly string[],
  only?: string,
): Promise<Outcome> {
  const output = join(folder, 'prove-report.json');
  await rm(output, { force: true });
  const said = await new Promise<string>((done) => {
    const child = spawn(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        ...files,
        '--project=unit',
        '--project=server',
        '--reporter=json',
        `--outputFile=${output}`,
        ...(only === undefined ? [] : ['-t', only]),
      ],
      {
        cwd: folder,
        env: { ...process.env, TEST_DATABASE_URL: databaseUrl },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
    const impatient = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.once('close', () => {
      clearTimeout(impatient);
      done(text);
    });
  });
  const text = await readFile(output, 'utf8').catch(() => undefined);
  if (text === undefined) return { failed: new Set(), broken: [said.slice(-500)] };
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
