/**
 * `npm run prove`: takes out each authorization rule, one at a time, and shows that a test fails without it. `-- upload- session-age`
 * proves only the rules whose id contains one of these words; `-- --today` proves a seventh of them, chosen by the date. Ends with 1 when a
 * rule is not proved, or when a test fails with every rule in place.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { databaseUrlOf } from '#server/test/postgres.ts';
import { proveRule, type RuleProof } from './prove.ts';
import { RULES, type Rule } from './rules.ts';
import { runTests, type TestSandbox } from './tests.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Number of copies of the working tree that run tests at the same time: tests often wait for the database or an expiring session. */
const WORKSHOPS = 2;

async function openWorkshop(place: string, n: number): Promise<TestSandbox & { close(): Promise<void> }> {
  const folder = join(place, `copy-${n}`);
  await copyTree(folder);
  const database = await startEmbedded({ dataDir: join(place, `database-${n}`), log: () => {} });
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query('alter role current_user set synchronous_commit = off');
  await client.end();
  return { folder, databaseUrl: databaseUrlOf(database.connection), close: () => database.stop() };
}

/** Copies the working tree, uncommitted files included, and links its packages. */
async function copyTree(to: string): Promise<void> {
  const list = ['ls-files', '-z', '-co', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  for (const file of new Set(stdout.split('\0').filter(Boolean))) {
    await mkdir(join(to, dirname(file)), { recursive: true });
    // A deleted file stays listed until the deletion is committed.
    await cp(join(ROOT, file), join(to, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await symlink(join(ROOT, 'node_modules'), join(to, 'node_modules'));
}

/** Returns one row of the printed table: id, what was proved by which test, or why not. */
function lineOf({ rule: { id, sentence }, failed, why }: RuleProof): string {
  const first = failed[0]?.replace(/^.*?([^/]+) > /, '$1 > ').slice(0, 120);
  const result = failed.length > 0 ? `${failed.length} failed, the first: ${first}` : `NOT PROVED: ${why}`;
  return `${id.padEnd(34)} ${sentence}\n${' '.repeat(35)}${result}`;
}

const words = process.argv.slice(3);
const today = Math.floor(Date.now() / 86_400_000);
const isAsked = ({ id }: Rule, n: number): boolean =>
  words[0] === '--today'
    ? Math.floor((n * 7) / RULES.length) === today % 7
    : words.length === 0 || words.some((word) => id.includes(word));
const asked = RULES.filter(isAsked);
const since = performance.now();
const place = await mkdtemp(join(tmpdir(), 'werkstroom-prove-'));
const workshops: Awaited<ReturnType<typeof openWorkshop>>[] = [];
const proofs: RuleProof[] = [];
let stopped = false;
process.once('SIGINT', () => {
  stopped = true;
});
try {
  for (let n = 0; n < WORKSHOPS; n++) workshops.push(await openWorkshop(place, n));
  const first = workshops[0] as TestSandbox;
  const files = [...new Set(asked.map(({ test }) => test))];
  console.log(`${asked.length} rules, ${files.length} test files, which must pass first`);
  const passing = await runTests(first, files);
  for (const test of [...passing.failed, ...passing.broken]) console.log(`FAILS ALREADY ${test}`);
  if (passing.failed.size + passing.broken.length > 0) process.exitCode = 1;

  const waiting = asked.values();
  await Promise.all(
    workshops.map(async (workshop) => {
      for (const rule of waiting) {
        if (stopped) return;
        const proof = await proveRule(workshop, rule, passing);
        proofs.push(proof);
        console.log(lineOf(proof));
      }
    }),
  );
} finally {
  for (const workshop of workshops) await workshop.close();
  await rm(place, { recursive: true, force: true });
}
const unproved = proofs.filter(({ failed }) => failed.length === 0);
const minutes = ((performance.now() - since) / 60_000).toFixed(1);
console.log(`\n${proofs.length - unproved.length} of ${proofs.length} proved, in ${minutes} minutes`);
for (const proof of unproved) console.log(lineOf(proof));
if (unproved.length > 0 || stopped) process.exitCode = 1;
