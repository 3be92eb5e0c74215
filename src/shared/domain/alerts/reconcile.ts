/** What readings say now beside what was recorded of them before: nothing twice, nothing lost (docs/alerts.md section 3). */
import type { Episode } from './watch.ts';

/** An alert as it is recorded. ms */
export type Recorded = {
  readonly id: string;
  readonly key: string;
  readonly since: number;
  readonly at: number;
  /** null: it is open. */
  readonly until: number | null;
};

export type Reconciled = {
  readonly begun: readonly Episode[];
  readonly changed: readonly { readonly id: string; readonly now: Episode }[];
  /** Ids of those that never were. */
  readonly withdrawn: readonly string[];
};

/**
 * One of the same rule that overlaps it is the same one.
 * @param recorded those of the machine that were open at `from` or began after it
 * @param found all that were open after `from`, by the readings, in order of time
 * @param from ms; what began earlier is recorded for good
 */
export function reconcile(
  recorded: readonly Recorded[],
  found: readonly Episode[],
  from: number,
): Reconciled {
  const left = new Set([...recorded].sort((a, b) => a.since - b.since));
  const isNew: Episode[] = [];
  const changed: { id: string; now: Episode }[] = [];
  for (const now of found) {
    const same = [...left].find((other) => other.key === now.key && overlaps(other, now));
    if (!same) isNew.push(now);
    else {
      left.delete(same);
      if (same.since !== now.since || same.at !== now.at || same.until !== (now.until ?? null))
        changed.push({ id: same.id, now });
    }
  }
  return {
    begun: isNew,
    changed,
    withdrawn: [...left].filter(({ at }) => at > from).map(({ id }) => id),
  };
}

type Times = { readonly since: number; readonly until?: number | null };
const overlaps = (a: Times, b: Times): boolean =>
  a.since <= (b.until ?? Number.POSITIVE_INFINITY) && b.since <= (a.until ?? Number.POSITIVE_INFINITY);
