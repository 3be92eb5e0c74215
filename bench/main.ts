/**
 * `npm run bench`: every row beside its reference of the same run, as a table here and in bench/results.md.
 * `-- uploads live` runs only these, and leaves bench/results.md as it is.
 */
import { writeFile } from 'node:fs/promises';
import { decode } from './decode.bench.ts';
import { history } from './history.bench.ts';
import { home } from './home.bench.ts';
import { ingest } from './ingest.bench.ts';
import { javascript } from './javascript.bench.ts';
import { live } from './live.bench.ts';
import { logger } from './logger.bench.ts';
import { describeMachine } from './machine.ts';
import { loadWarning, resultsPage, textTable } from './report.ts';
import type { Bench, Row } from './row.ts';
import { uploads } from './uploads.bench.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

const BENCHES: Readonly<Record<string, Bench>> = {
  uploads,
  ingest,
  decode,
  history,
  live,
  javascript,
  home,
  logger,
};

let place: Workplace | undefined;
let interrupted = false;
process.once('SIGINT', () => {
  interrupted = true;
  void Promise.resolve(place?.close()).then(() => process.exit(130));
});

/** A bench that fails takes no other with it; its row says so. */
async function measure(name: string, bench: Bench): Promise<readonly Row[]> {
  console.log(`\n${name}`);
  place = openWorkplace((line) => console.log(`  ${line}`));
  try {
    return await bench(place);
  } catch (error) {
    if (!interrupted) console.error(error);
    process.exitCode = 1;
    const message = error instanceof Error ? error.message : String(error);
    return [{ what: name, measured: 'failed', reach: '–', reached: false, notes: [message] }];
  } finally {
    await place.close();
  }
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
const rows: Row[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (interrupted) break;
  if (asked.length === 0 || asked.includes(name)) rows.push(...(await measure(name, bench)));
}
console.log(`\n${textTable(rows)}\n`);
for (const { what, notes } of rows) console.log([what, ...notes].join('\n  '));
if (asked.length === 0 && !interrupted)
  await writeFile(new URL('results.md', import.meta.url), resultsPage(machine, rows));
if (warning) console.warn(`\n${warning}`);
