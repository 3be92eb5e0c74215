import { expect, test } from 'vitest';
import { type ChainPart, runChain } from './creation-chain.ts';

const parts = (failing?: string): ChainPart[] =>
  (['record', 'writer', 'config', 'download'] as const).map((step) => ({
    step,
    run: async () => {
      if (step === failing) throw new Error(step);
      return step === 'config' ? 'Gemaakt.' : undefined;
    },
  }));

test('MEDIT-05 all steps run in their order, and what the server said is kept', async () => {
  const begun: string[] = [];
  const outcome = await runChain(parts(), (step) => begun.push(step));
  expect(begun).toEqual(['record', 'writer', 'config', 'download']);
  expect(outcome).toEqual({ done: begun, said: ['Gemaakt.'] });
});

test.each([
  ['record', []],
  ['writer', ['record']],
  ['config', ['record', 'writer']],
  ['download', ['record', 'writer', 'config']],
] as const)('MEDIT-05 the chain stops at %s when it fails, and says so', async (failing, done) => {
  const begun: string[] = [];
  const outcome = await runChain(parts(failing), (step) => begun.push(step));
  expect(begun).toEqual([...done, failing]);
  expect(outcome.done).toEqual(done);
  expect(outcome.failed).toEqual({ step: failing, error: new Error(failing) });
});
