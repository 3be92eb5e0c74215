import { expect, test } from 'vitest';
import { type RunnableChainStep, runCreationChain } from './creation-chain.ts';

const parts = (failing?: string): RunnableChainStep[] =>
  (['record', 'writer', 'config', 'download'] as const).map((step) => ({
    step,
    run: async () => {
      if (step === failing) throw new Error(step);
      return step === 'config' ? 'Gemaakt.' : undefined;
    },
  }));

test('runCreationChain runs all steps in order, and returns the messages of the server (MEDIT-05)', async () => {
  const started: string[] = [];
  const outcome = await runCreationChain(parts(), (step) => started.push(step));
  expect(started).toEqual(['record', 'writer', 'config', 'download']);
  expect(outcome).toEqual({ done: started, messages: ['Gemaakt.'] });
});

test.each([
  ['record', []],
  ['writer', ['record']],
  ['config', ['record', 'writer']],
  ['download', ['record', 'writer', 'config']],
] as const)(
  'the chain stops when the step %s fails, and returns the error (MEDIT-05)',
  async (failing, done) => {
    const started: string[] = [];
    const outcome = await runCreationChain(parts(failing), (step) => started.push(step));
    expect(started).toEqual([...done, failing]);
    expect(outcome.done).toEqual(done);
    expect(outcome.failed).toEqual({ step: failing, error: new Error(failing) });
  },
);
