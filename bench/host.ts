import { execFile } from 'node:child_process';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { packagedPrograms, postgresProgramPath } from '#server/platform/postgres/programs.ts';

/** The computer that the numbers were measured on. */
export type Host = {
  readonly cores: number;
  readonly cpuModel: string;
  readonly memoryGib: number;
  /** Load average of the last minute, before anything was started. */
  readonly loadAverage: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  readonly date: Date;
};

/** A load average above 1 means that other programs use the computer too. */
const QUIET_LOAD = 1;

export async function describeHost(now: Date): Promise<Host> {
  const { stdout } = await promisify(execFile)(postgresProgramPath(packagedPrograms(), 'postgres'), [
    '--version',
  ]);
  return {
    cores: availableParallelism(),
    cpuModel: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGib: totalmem() / 1024 ** 3,
    loadAverage: loadavg()[0] ?? 0,
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    postgres: /\d+(\.\d+)*/.exec(stdout)?.[0] ?? stdout.trim(),
    date: now,
  };
}

/** Returns one line: when and on what the numbers were measured. */
export const hostText = ({ date, cores, cpuModel, memoryGib, system, node, postgres, loadAverage }: Host) =>
  `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC. ${cores} cores (${cpuModel}), ${memoryGib.toFixed(0)} GiB, ${system}, Node ${node}, PostgreSQL ${postgres}, load average ${loadAverage.toFixed(2)} at the start.`;

/** Returns a warning when other programs used the computer at the start. */
export const busyHostWarning = ({ loadAverage, cores }: Host): string | undefined =>
  loadAverage > QUIET_LOAD
    ? `Warning: the load average was ${loadAverage.toFixed(2)} at the start, on ${cores} cores. Other programs use the computer, and the numbers are lower than it can do.`
    : undefined;
