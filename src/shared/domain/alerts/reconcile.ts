/**
 * Compares the episodes that all readings give now with the recorded alerts, so that late readings neither record an alert twice nor
 * lose one (docs/alerts.md section 3).
 */
import type { Episode } from './watch.ts';

/** A recorded alert. Times in ms. */
export type RecordedAlert = {
  readonly id: string;
  readonly key: string;
  readonly since: number;
  readonly at: number;
  /** null: the alert is open. */
  readonly until: number | null;
};

export type Reconciliation = {
  readonly opened: readonly Episode[];
  readonly changed: readonly { readonly id: string; readonly now: Episode }[];
  /** Ids of alerts whose episode no longer exists. */
  readonly withdrawn: readonly string[];
};

/**
 * Matches each episode with a recorded alert of the same rule that overlaps it.
 * @param recorded alerts of the machine that were open at `from` or began later
 * @param found all episodes that were open after `from`, in order of time
 * @param from time in ms; alerts that began earlier are never withdrawn
 */
export function reconcileAlerts(
  recorded: readonly RecordedAlert[],
  found: readonly Episode[],
  from: number,
): Reconciliation {
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
    opened: isNew,
    changed,
    withdrawn: [...left].filter(({ at }) => at > from).map(({ id }) => id),
  };
}

type Times = { readonly since: number; readonly until?: number | null };
const overlaps = (a: Times, b: Times): boolean =>
  a.since <= (b.until ?? Number.POSITIVE_INFINITY) && b.since <= (a.until ?? Number.POSITIVE_INFINITY);
