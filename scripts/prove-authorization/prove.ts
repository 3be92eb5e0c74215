import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Edit, edited, type Rule } from './rule.ts';
import { type Outcome, runTests, type Workshop } from './tests.ts';

/** What became of taking out one rule. */
export type Proof = {
  readonly rule: Rule;
  /** Tests that fail without the rule, and do not fail with all but the rule switched off. */
  readonly failed: readonly string[];
  /** Why it proves nothing, when no test failed. */
  readonly why: string;
};

/** Takes the rule out in the copy, runs its tests, and puts everything back. */
export async function prove(workshop: Workshop, rule: Rule, passing: Outcome): Promise<Proof> {
  const { out, hiding = [] } = rule;
  try {
    const without = hiding.length > 0 ? await withEdits(workshop, hiding, rule) : passing;
    const outcome = await withEdits(workshop, [...hiding, ...out], rule);
    const failed = [...outcome.failed].filter(
      (test) => !without.failed.has(test) && !passing.failed.has(test),
    );
    return { rule, failed, why: failed.length > 0 ? '' : outcome.broken.join('; ') || 'no test failed' };
  } catch (error) {
    return { rule, failed: [], why: (error as Error).message };
  }
}

async function withEdits(
  workshop: Workshop,
  edits: readonly Edit[],
  { tests, only }: Rule,
): Promise<Outcome> {
  const kept = new Map<string, string>();
  try {
    for (const edit of edits) {
      const path = join(workshop.folder, edit[0]);
      const text = await readFile(path, 'utf8');
      if (!kept.has(path)) kept.set(path, text);
      await writeFile(path, edited(text, edit));
    }
    return await runTests(workshop, tests, only);
  } finally {
    for (const [path, text] of kept) await writeFile(path, text);
  }
}
