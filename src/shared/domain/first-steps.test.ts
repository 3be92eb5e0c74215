import { expect, test } from 'vitest';
import { doneFirstSteps, furthestSetUpMachine, type NewMachine, needsFirstSteps } from './first-steps.ts';

const seenAt = (...times: number[]) => times.map((GMT_UNIX) => ({ liveData: { GMT_UNIX } }));

test.each<[string, number[], boolean]>([
  ['no machine', [], true],
  ['a machine that never reported', [0], true],
  ['several that never reported', [0, 0], true],
  ['one of them that reported once', [0, 1], false],
])('the first steps are shown until the first upload of the portal: %s (54.5a)', (_, times, expected) => {
  expect(needsFirstSteps(seenAt(...times))).toBe(expected);
});

const ADMIN = { name: 'admin' };
const NEW: NewMachine = { serial: 'A', hasDbc: false, hasMapping: false, hasLogger: false };

test.each<[string, { name: string }[], NewMachine[], string]>([
  ['nothing', [ADMIN], [], ''],
  ['no answer yet', [], [], ''],
  ['a customer', [ADMIN, { name: 'jansen' }], [], 'organization'],
  ['a machine of the administrator', [ADMIN], [NEW], 'machine'],
  ['a DBC file without a mapping', [ADMIN], [{ ...NEW, hasDbc: true }], 'machine'],
  ['a mapping whose DBC file is gone', [ADMIN], [{ ...NEW, hasMapping: true }], 'machine'],
  ['a logger before the definition', [ADMIN], [{ ...NEW, hasLogger: true }], 'machine,logger'],
  [
    'a definition and a logger, of two machines',
    [ADMIN, { name: 'jansen' }],
    [
      { ...NEW, hasDbc: true, hasMapping: true },
      { ...NEW, hasLogger: true },
    ],
    'organization,machine,definition,logger',
  ],
])('the steps that are done with %s are ticked (54.5a)', (_, organizations, machines, expected) => {
  expect([...doneFirstSteps(organizations, machines)].join()).toBe(expected);
});

test.each<[string, NewMachine[], string | undefined]>([
  ['no machine', [], undefined],
  ['the first of equals', [NEW, { ...NEW, serial: 'B' }], 'A'],
  ['one with a logger before one without', [NEW, { ...NEW, serial: 'B', hasLogger: true }], 'B'],
  [
    'one with a DBC file before one with a logger',
    [
      { ...NEW, hasLogger: true },
      { ...NEW, serial: 'B', hasDbc: true },
    ],
    'B',
  ],
  [
    'one with a whole definition before all others',
    [
      { ...NEW, hasDbc: true, hasLogger: true },
      { ...NEW, serial: 'B', hasDbc: true, hasMapping: true },
    ],
    'B',
  ],
])('the steps lead to the machine whose set-up is furthest: %s (54.5a)', (_, machines, expected) => {
  expect(furthestSetUpMachine(machines)?.serial).toBe(expected);
});
