import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSources, removeRules } from './markers.ts';
import type { Rule } from './rules.ts';
import { runTests, type TestOutcome, type TestSandbox } from './tests.ts';

/** Result of taking out one rule. */
export type RuleProof = {
  readonly rule: Rule;
  /** Tests that fail without the rule and pass with it. */
  readonly failed: readonly string[];
  /** Why the rule is not proved; empty when a test failed. */
  readonly why: string;
};

/** Removes the rule from a copy of the working tree, runs the tests that must fail without it, and restores the files. */
export async function proveRule(workshop: TestSandbox, rule: Rule, passing: TestOutcome): Promise<RuleProof> {
  const { id, hiddenBy } = rule;
  try {
    // A test that already fails when only the rules of the second layer (`hiddenBy`) are removed proves nothing about this rule.
    const layer = hiddenBy.length > 0 ? await runWithout(workshop, hiddenBy, rule) : passing;
    const outcome = await runWithout(workshop, [...hiddenBy, id], rule);
    const failed = [...outcome.failed].filter((test) => !layer.failed.has(test) && !passing.failed.has(test));
    return { rule, failed, why: failed.length > 0 ? '' : outcome.broken.join('; ') || 'no test failed' };
  } catch (error) {
    return { rule, failed: [], why: (error as Error).message };
  }
}

async function runWithout(
  { folder, databaseUrl }: TestSandbox,
  ids: readonly string[],
  { test, only }: Rule,
): Promise<TestOutcome> {
  const sources = readSources(folder);
  const changed = removeRules(sources, ids);
  try {
    for (const [file, text] of changed) await writeFile(join(folder, file), text);
    return await runTests({ folder, databaseUrl }, [test], only);
  } finally {
    for (const file of changed.keys()) await writeFile(join(folder, file), sources.get(file) ?? '');
  }
}
