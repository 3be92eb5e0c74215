/**
 * `npm run bench`: every row beside its reference of the same run, as a table here and in bench/results.md.
 * `-- uploads live` runs only these, and leaves what bench/results.md says of the others as it is.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { alerts } from './alerts.bench.ts';
import { cluster } from './cluster.bench.ts';
import { dayFigures } from './day-figures.bench.ts';
import { decode } from './decode.bench.ts';
import { fuzz } from './fuzz.bench.ts';
import { history } from './history.bench.ts';
import { home } from './home.bench.ts';
import { influx } from './influx.bench.ts';
import { ingest } from './ingest.bench.ts';
import { javascript } from './javascript.bench.ts';
import { largeLog } from './large-log.bench.ts';
import { live } from './live.bench.ts';
import { logger } from './logger.bench.ts';
import { longHistory } from './long-history.bench.ts';
import { describeMachine } from './machine.ts';
import { overview } from './overview.bench.ts';
import { previews } from './previews.bench.ts';
import { loadWarning, resultsPage, textTable } from './report.ts';
import { reports } from './reports.bench.ts';
import { type Bench, type Row, whole } from './row.ts';
import { soak } from './soak.bench.ts';
import { steadyHour } from './steady.bench.ts';
import { uploads } from './uploads.bench.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

const BENCHES: Readonly<Record<string, Bench>> = {
  uploads,
  ingest,
  'day-figures': dayFigures,
  decode,
  history,
  'long-history': longHistory,
  influx,
  live,
  javascript,
  home,
  overview,
  reports,
  logger,
  'large-log': largeLog,
  alerts,
  previews,
  cluster,
  fuzz,
  soak,
  steady: steadyHour,
};

/** Of any one of them, the soak's ten minutes included. */
const LONGEST_MS = 20 * 60_000;
const ABOUT_MINUTES = 85;

let place: Workplace | undefined;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    interrupted = true;
    void Promise.resolve(place?.close()).then(() => process.exit(130));
  });

/** A bench that fails or hangs takes no other with it; its row says so. */
async function measure(name: string, bench: Bench): Promise<readonly Row[]> {
  console.log(`\n${name}`);
  const began = performance.now();
  place = openWorkplace((line) => console.log(`  ${line}`));
  const limit = new AbortController();
  try {
    return await Promise.race([bench(place), tooLong(limit.signal)]);
  } catch (error) {
    if (!interrupted) console.error(error);
    process.exitCode = 1;
    const message = error instanceof Error ? error.message : String(error);
    return [{ what: name, measured: 'failed', reach: '–', reached: false, notes: [message] }];
  } finally {
    limit.abort();
    await place.close();
    console.log(`  ${name} took ${whole((performance.now() - began) / 1000)} s`);
  }
}

/** @throws when LONGEST_MS are over and nobody aborted it */
async function tooLong(signal: AbortSignal): Promise<never> {
  await wait(LONGEST_MS, undefined, { signal, ref: false });
  throw new Error(`It took longer than ${LONGEST_MS / 60_000} minutes.`);
}

const asked = process.argv.slice(3);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There is: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(1);
}

const machine = await describeMachine(new Date());
const warning = loadWarning(machine);
if (warning) console.warn(warning);
if (asked.length === 0) console.log(`All of it takes about ${ABOUT_MINUTES} minutes.`);
const measured = new Map<string, readonly Row[]>();
for (const [name, bench] of Object.entries(BENCHES)) {
  if (interrupted) break;
  if (asked.length === 0 || asked.includes(name)) measured.set(name, await measure(name, bench));
}
const rows = [...measured.values()].flat();
console.log(`\n${textTable(rows)}\n`);
for (const { what, notes } of rows) console.log([what, ...notes].join('\n  '));
if (!interrupted) {
  const results = new URL('results.md', import.meta.url);
  const page = resultsPage(await readFile(results, 'utf8'), Object.keys(BENCHES), machine, measured);
  await writeFile(results, page);
}
if (warning) console.warn(`\n${warning}`);
