/**
 * `npm run prove`: takes every authorization rule out, one at a time, and shows which tests fail then; the table goes to
 * docs/authorization.md. `-- upload endpoint: keys:`: only rules with one of these words; `-- --oldest 20`: those whose proof is the oldest; the rows
 * of the others stay. Ends with 1 when a rule is not proved, or when a test fails with nothing taken out.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbedded } from '#server/platform/postgres/embedded.ts';
import { urlOf } from '#server/test/postgres.ts';
import { lineOf, oldestOf, pageOf } from './page.ts';
import { type Proof, prove } from './prove.ts';
import { RULES } from './rules.ts';
import { runTests, type Workshop } from './tests.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = join(ROOT, 'docs/authorization.md');
/** At the same time: a run waits much, for the database and for sessions to grow old. */
const WORKSHOPS = 2;

async function openWorkshop(place: string, n: number): Promise<Workshop & { close(): Promise<void> }> {
  const folder = join(place, `copy-${n}`);
  await copyTree(folder);
  const database = await startEmbedded({ dataDir: join(place, `database-${n}`), log: () => {} });
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query('alter role current_user set synchronous_commit = off');
  await client.end();
  return { folder, databaseUrl: urlOf(database.connection), close: () => database.stop() };
}

/** The working tree as it is now, what git does not know yet included, with the same packages. */
async function copyTree(to: string): Promise<void> {
  const list = ['ls-files', '-z', '-co', '--exclude-standard'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  for (const file of new Set(stdout.split('\0').filter(Boolean))) {
    await mkdir(join(to, dirname(file)), { recursive: true });
    // A file that was removed is still listed until that is committed.
    await cp(join(ROOT, file), join(to, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await symlink(join(ROOT, 'node_modules'), join(to, 'node_modules'));
}

const words = process.argv.slice(3);
const asked =
  words[0] === '--oldest'
    ? oldestOf(await readFile(PAGE, 'utf8'), RULES, Number(words[1]))
    : RULES.filter(({ rule }) => words.length === 0 || words.some((word) => rule.includes(word)));
const since = performance.now();
const place = await mkdtemp(join(tmpdir(), 'werkstroom-prove-'));
const workshops: Awaited<ReturnType<typeof openWorkshop>>[] = [];
const proofs: Proof[] = [];
let stopped = false;
process.once('SIGINT', () => {
  stopped = true;
});
try {
  for (let n = 0; n < WORKSHOPS; n++) workshops.push(await openWorkshop(place, n));
  const first = workshops[0] as Workshop;
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
        const proof = await prove(workshop, rule, passing);
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
await writeFile(PAGE, pageOf(RULES, proofs, new Date(), await readFile(PAGE, 'utf8')));
if (unproved.length > 0 || stopped) process.exitCode = 1;
