import { expect, test } from 'vitest';
import { AscLine } from './asc/asc-line.ts';
import { CandumpLine } from './candump.ts';
import { CandumpLog } from './candump-log.ts';
import { convertLog, hasCanUtils } from './test/can-utils.ts';
import { randomTestFrames } from './test/given-frames.ts';
import { readLines } from './test/read-lines.ts';

/** A log as candump -L writes it. */
const log = randomTestFrames(9, 2000, { remote: true })
  .map(({ kind, us, bus, id, extended, data }) => {
    const hex = id.toString(16).padStart(extended ? 8 : 3, '0');
    return `(${(us / 1e6).toFixed(6)}) can${bus} ${hex}#${kind === 'remote' ? 'R' : data.toString('hex')}\n`;
  })
  .join('')
  .toUpperCase()
  .replaceAll('CAN', 'can');

test.skipIf(!hasCanUtils).each([
  ['log2long', () => new CandumpLog()],
  ['log2asc', () => new AscLine()],
] as const)(
  'a log that %s of can-utils converted is read like the log that candump -L wrote (43.1)',
  (program, line) => {
    const { rows } = readLines(new CandumpLine(), Buffer.from(log));
    expect(rows).toHaveLength(2000);
    expect(readLines(line(), convertLog(program, log))).toEqual({ rows, bad: [] });
  },
);
