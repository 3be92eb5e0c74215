/**
 * `npm run bench`: runs every benchmark beside its reference, prints the table of results, and writes the results into a JSON file in
 * bench/results. A run of all benchmarks also writes bench/results.md. `npm run bench -- uploads live` runs only the benchmarks
 * `uploads` and `live`; with `--record` it also replaces their rows in bench/results.md.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { alerts } from './alerts.bench.ts';
import { namesFromCommandLine, openRunner } from './context.ts';
import { dayFigures } from './day-figures.bench.ts';
import { decodeBench } from './decode.bench.ts';
import { history } from './history.bench.ts';
import { homePageBench } from './home.bench.ts';
import { busyHostWarning, describeHost, hostText } from './host.ts';
import { ingestBench } from './ingest.bench.ts';
import { liveDataBench } from './live.bench.ts';
import { loggerBench } from './logger.bench.ts';
import { overview } from './overview.bench.ts';
import { previews } from './previews.bench.ts';
import { type Bench, type BenchRow, resultsPage, textTable, wholeNumber } from './report.ts';
import { reports } from './reports.bench.ts';
import { steadyLoadBench } from './steady.bench.ts';
import { uploads } from './uploads.bench.ts';

const BENCHES: Readonly<Record<string, Bench>> = {
  uploads,
  ingest: ingestBench,
  'day-figures': dayFigures,
  decode: decodeBench,
  history,
  live: liveDataBench,
  home: homePageBench,
  overview,
  reports,
  logger: loggerBench,
  alerts,
  previews,
  steady: steadyLoadBench,
};
const NAMES = Object.keys(BENCHES);
/** Limit for one benchmark: closing the weeks of a hundred machines takes a quarter of an hour. */
const LIMIT_MS = 45 * 60_000;

const words = process.argv.slice(3);
const names = namesFromCommandLine(
  NAMES,
  words.filter((word) => word !== '--record'),
);
const isRecorded = names.length === NAMES.length || words.includes('--record');
const host = await describeHost(new Date());
const warning = busyHostWarning(host);
if (warning) console.warn(warning);

const { run, isInterrupted } = openRunner();
const measured = new Map<string, readonly BenchRow[]>();
for (const name of names) {
  if (isInterrupted()) break;
  const began = performance.now();
  const rows = await run(
    name,
    (context) => Promise.race([(BENCHES[name] as Bench)(context), tooLong()]),
    // A benchmark that fails or hangs does not stop the other benchmarks.
    (error): BenchRow[] => [{ what: 'failed', measured: String(error), toReach: '–', reached: false }],
  );
  console.log(`  ${name} took ${wholeNumber((performance.now() - began) / 1000)} s`);
  measured.set(name, rows);
}

async function tooLong(): Promise<never> {
  await wait(LIMIT_MS, undefined, { ref: false });
  throw new Error(`It took longer than ${LIMIT_MS / 60_000} minutes.`);
}

console.log(`\n${hostText(host)}\n\n${textTable(measured)}\n`);
if (!isInterrupted()) {
  const folder = new URL('results/', import.meta.url);
  const file = new URL(`${host.date.toISOString().slice(0, 19).replaceAll(':', '-')}.json`, folder);
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${JSON.stringify({ host, measured: Object.fromEntries(measured) }, null, 2)}\n`);
  console.log(`The value of each round is in ${file.pathname}`);
  if (isRecorded) {
    const table = new URL('results.md', import.meta.url);
    await writeFile(table, resultsPage(await readFile(table, 'utf8'), NAMES, host.date, measured));
  }
}
if (warning) console.warn(`\n${warning}`);
