import { execFileSync, spawnSync } from 'node:child_process';

/** Whether Debian's can-utils are installed, which convert logs of candump -L to other formats independently of the portal's code. */
export const hasCanUtils = spawnSync('log2long', { input: '' }).status === 0;

/** Lets a program of can-utils convert a log, with the time zone Europe/Amsterdam. */
export const convertLog = (program: 'log2long' | 'log2asc', log: string): Buffer =>
  execFileSync(program, program === 'log2asc' ? ['can0', 'can1'] : [], {
    input: log,
    env: { PATH: process.env.PATH, TZ: 'Europe/Amsterdam' },
  });
