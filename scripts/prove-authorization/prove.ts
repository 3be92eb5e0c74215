import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cut, type Rule, readSources, without } from './rule.ts';
import { type Outcome, runTests, type Workshop } from './tests.ts';

/** What became of taking out one rule. */
export type Proof = {
  readonly rule: Rule;
  /** Where it was taken out. */
  readonly files: readonly string[];
  /** Tests that fail without the rule, and do not fail with all but the rule switched off. */
  readonly failed: readonly string[];
  /** Why it proves nothing, when no test failed. */
  readonly why: string;
};

/** Takes the rule out in the copy, runs its tests, and puts everything back. */
export async function prove(workshop: Workshop, rule: Rule, passing: Outcome): Promise<Proof> {
  const { out, hiding } = rule;
  try {
    const files = [...without(readSources(workshop.folder), out).keys()];
    const hidden = hiding.length > 0 ? await runWithout(workshop, hiding, rule) : passing;
    const outcome = await runWithout(workshop, [...hiding, ...out], rule);
    const failed = [...outcome.failed].filter(
      (test) => !hidden.failed.has(test) && !passing.failed.has(test),
    );
    return {
      rule,
      files,
      failed,
      why: failed.length > 0 ? '' : outcome.broken.join('; ') || 'no test failed',
    };
  } catch (error) {
    return { rule, files: [], failed: [], why: (error as Error).message };
  }
}

async function runWithout(workshop: Workshop, cuts: readonly Cut[], { test, only }: Rule): Promise<Outcome> {
  const sources = readSources(workshop.folder);
  const changed = without(sources, cuts);
  try {
    for (const [file, { text }] of changed) await writeFile(join(workshop.folder, file), text);
    return await runTests(workshop, [test], only);
  } finally {
    for (const file of changed.keys())
      await writeFile(join(workshop.folder, file), sources.get(file)?.text ?? '');
  }
}
