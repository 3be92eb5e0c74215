/**
 * `npm run faults`: breaks a portal in every way we know, and says what held, as a table here and in
 * docs/reliability.md. `-- kill disk` runs only these, and leaves the document as it is.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { describeMachine } from '../machine.ts';
import { openWorkplace, type Workplace } from '../workplace.ts';
import { clusterFaults } from './cluster.ts';
import { databaseGone } from './database-gone.ts';
import { diskFull } from './disk-full.ts';
import { type Fault, type Outcome, Skipped } from './fault.ts';
import { kill } from './kill.ts';
import { neighbours } from './neighbour.ts';
import { documentTable, terminalTable, withTable } from './report.ts';
import { brokenPartition, clockJumps, networkLoss, smtpGone, upgrade } from './tested.ts';
import { twoProcesses } from './two-processes.ts';

const FAULTS: Readonly<Record<string, readonly Fault[]>> = {
  kill: [kill],
  disk: diskFull,
  database: databaseGone,
  smtp: [smtpGone],
  partition: [brokenPartition],
  clock: [clockJumps],
  browser: [networkLoss],
  processes: [twoProcesses],
  upgrade: [upgrade],
  neighbour: neighbours,
  cluster: clusterFaults,
};
const DOCUMENT = new URL('../../docs/reliability.md', import.meta.url);

let place: Workplace | undefined;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupted = true;
    void Promise.resolve(place?.close()).then(() => process.exit(130));
  });
}

/** A fault whose promise breaks takes no other with it; its row says so. */
async function inflict(fault: Fault): Promise<Outcome> {
  const { name, done, holds } = fault;
  console.log(`\n${name}`);
  const began = performance.now();
  const row = (rounds: number, result: Outcome['result'], notes: readonly string[]): Outcome => ({
    name,
    rounds,
    done,
    holds,
    result,
    seconds: (performance.now() - began) / 1000,
    notes,
  });
  place = openWorkplace((line) => console.log(`  ${line}`));
  try {
    const { rounds, notes } = await fault.run(place);
    return row(rounds, 'ok', notes);
  } catch (error) {
    if (error instanceof Skipped) return row(0, 'skipped', [error.message]);
    if (!interrupted) console.error(error);
    process.exitCode = 1;
    return row(1, 'NO', [error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)]);
  } finally {
    await place.close();
  }
}

const asked = process.argv.slice(3);
const unknown = asked.filter((name) => !Object.hasOwn(FAULTS, name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There is: ${Object.keys(FAULTS).join(', ')}.`);
  process.exit(1);
}

const machine = await describeMachine(new Date());
const outcomes: Outcome[] = [];
for (const [name, faults] of Object.entries(FAULTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (const fault of faults) if (!interrupted) outcomes.push(await inflict(fault));
}
console.log(`\n${terminalTable(outcomes)}\n`);
if (asked.length === 0 && !interrupted) {
  await writeFile(DOCUMENT, withTable(await readFile(DOCUMENT, 'utf8'), documentTable(machine, outcomes)));
}
