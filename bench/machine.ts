import { execFile } from 'node:child_process';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { packagedPrograms, program } from '#server/platform/postgres/programs.ts';

/** What the numbers were measured on. */
export type Machine = {
  readonly cores: number;
  readonly cpuModel: string;
  readonly memoryGib: number;
  /** Of the last minute, before anything was started. */
  readonly loadAverage: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  readonly date: Date;
};

/** Above this, somebody else is working on the machine too. */
export const QUIET_LOAD = 1;

export async function describeMachine(now: Date): Promise<Machine> {
  const { stdout } = await promisify(execFile)(program(packagedPrograms(), 'postgres'), ['--version']);
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
