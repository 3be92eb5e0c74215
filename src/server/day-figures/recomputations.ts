import type { Pool } from '#server/platform/database.ts';
import type { Warn } from '#server/platform/warn.ts';
import { computeDays } from './compute-days.ts';

/** A machine that a person's change may affect. */
export type Recomputation = {
  readonly streamId: number;
  /** Returns whether the change affects the machine at all; called before the machine's days are recomputed. */
  readonly isTouched?: () => Promise<boolean>;
};

/**
 * Recomputes days immediately after a person's change, because the person waits for the result. The background worker of
 * day-computation.ts completes recomputations that are interrupted here.
 */
export type Recomputations = {
  /** Starts the recomputation of these machines in the background. */
  begin(organizationId: number, machines: readonly Recomputation[]): void;
  close(): Promise<void>;
};

/** Maximum number of parts of 35 days that are computed per machine: a machine that keeps sending readings is always outdated. */
const MAX_PARTS = 100;
/** Two machines: the database reads the data of one while this process computes the other. */
const AT_ONCE = 2;

/**
 * Recomputes two machines at a time, alternating between organizations, so that ten thousand machines of one do not
 * delay another.
 */
export function openRecomputations(pool: Pool, warn: Warn): Recomputations {
  const waiting = new Map<number, Recomputation[]>();
  let closed = false;
  let atWork = 0;
  let ended: Promise<unknown> = Promise.resolve();

  const count = async ({ streamId, isTouched }: Recomputation): Promise<void> => {
    if (isTouched && !(await isTouched())) return;
    for (let part = 0; part < MAX_PARTS && !closed && (await computeDays(pool, streamId)); part += 1);
  };
  const next = (): Recomputation | undefined => {
    const [[organizationId, machines] = [0, []]] = waiting;
    const machine = machines.shift();
    waiting.delete(organizationId);
    // Moves the organization to the end of the queue.
    if (machines.length > 0) waiting.set(organizationId, machines);
    return closed ? undefined : machine;
  };
  const work = async (): Promise<void> => {
    for (let machine = next(); machine; machine = next()) {
      const one = machine;
      // Retries once, for a conflict with the background worker.
      await count(one)
        .catch(() => count(one))
        .catch((error: Error) =>
          warn(
            `The days of stream ${one.streamId} could not be computed now; the background worker retries`,
            error.message,
          ),
        );
    }
    atWork -= 1;
  };
  return {
    begin(organizationId, machines) {
      if (closed || machines.length === 0) return;
      waiting.set(organizationId, [...(waiting.get(organizationId) ?? []), ...machines]);
      while (atWork < AT_ONCE && waiting.size > 0) {
        atWork += 1;
        ended = Promise.all([ended, work()]);
      }
    },
    async close() {
      closed = true;
      await ended;
    },
  };
}
