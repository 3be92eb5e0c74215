/**
 * `npm run faults`: breaks a portal in every way we know, and prints a table of what the portal withstood. A run of all faults also writes
 * the table into docs/reliability.md. `npm run faults -- kill disk` injects only the faults `kill` and `disk`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { type BenchContext, namesFromCommandLine, openRunner } from '../context.ts';
import { describeHost } from '../host.ts';
import { clusterFaults } from './cluster.ts';
import { databaseGone } from './database-gone.ts';
import { diskFull } from './disk-full.ts';
import { type Fault, type FaultOutcome, FaultSkipped } from './fault.ts';
import { killProcessFault } from './kill.ts';
import { noisyNeighbourFaults } from './neighbour.ts';
import { markdownTable, replaceTableInPage, terminalTable } from './report.ts';
import { brokenPartition, clockJumps, databaseUpgrade, networkLoss, smtpGone } from './tested.ts';
import { twoProcesses } from './two-processes.ts';

const FAULTS: Readonly<Record<string, readonly Fault[]>> = {
  kill: [killProcessFault],
  disk: diskFull,
  database: databaseGone,
  smtp: [smtpGone],
  partition: [brokenPartition],
  clock: [clockJumps],
  browser: [networkLoss],
  processes: [twoProcesses],
  upgrade: [databaseUpgrade],
  neighbour: noisyNeighbourFaults,
  cluster: clusterFaults,
};
const DOCUMENT = new URL('../../docs/reliability.md', import.meta.url);

const names = namesFromCommandLine(Object.keys(FAULTS), process.argv.slice(3));
const host = await describeHost(new Date());
const { run, isInterrupted } = openRunner();
const outcomes: FaultOutcome[] = [];
for (const fault of names.flatMap((name) => FAULTS[name] ?? [])) {
  if (isInterrupted()) break;
  const { name, done, holds } = fault;
  const began = performance.now();
  const row = (rounds: number, result: FaultOutcome['result'], notes: readonly string[]): FaultOutcome => ({
    name,
    rounds,
    done,
    holds,
    result,
    seconds: (performance.now() - began) / 1000,
    notes,
  });
  const inflict = async (context: BenchContext): Promise<FaultOutcome> => {
    try {
      const { rounds, notes } = await fault.run(context);
      return row(rounds, 'ok', notes);
    } catch (error) {
      if (error instanceof FaultSkipped) return row(0, 'skipped', [error.message]);
      throw error;
    }
  };
  // A fault that breaks the portal does not stop the other faults.
  outcomes.push(await run(name, inflict, (error) => row(1, 'NO', [`${error}`.split('\n')[0] ?? ''])));
}
console.log(`\n${terminalTable(outcomes)}\n`);
if (names.length === Object.keys(FAULTS).length && !isInterrupted())
  await writeFile(
    DOCUMENT,
    replaceTableInPage(await readFile(DOCUMENT, 'utf8'), markdownTable(host, outcomes)),
  );
