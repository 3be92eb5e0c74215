import type { Pool } from '#server/platform/database.ts';
import type { Warn } from '#server/platform/warn.ts';
import { countDays } from './count-days.ts';

/** One machine of which people changed something. */
export type Recount = {
  readonly streamId: number;
  /** Before it is counted: whether the change touches it at all. */
  readonly isTouched?: () => Promise<boolean>;
};

/** Counts at once what people changed, while they look; whatever is broken off here the worker of day-counting.ts counts later. */
export type Recounts = {
  /** In the background. */
  begin(organizationId: number, machines: readonly Recount[]): void;
  close(): Promise<void>;
};

/** Of 35 days each; a machine whose readings keep coming is never done. */
const MOST_PARTS = 100;

/** One machine at a time, and the organizations in turn: ten thousand machines of one do not keep another waiting. */
export function openRecounts(pool: Pool, warn: Warn): Recounts {
  const waiting = new Map<number, Recount[]>();
  let closed = false;
  let running: Promise<void> | undefined;

  const count = async ({ streamId, isTouched }: Recount): Promise<void> => {
    if (isTouched && !(await isTouched())) return;
    for (let part = 0; part < MOST_PARTS && !closed && (await countDays(pool, streamId)); part += 1);
  };
  const run = async (): Promise<void> => {
    while (waiting.size > 0)
      for (const [organizationId, machines] of waiting) {
        const next = closed ? undefined : machines.shift();
        if (!next) {
          waiting.delete(organizationId);
          continue;
        }
        // Once more where the worker counted it meanwhile.
        await count(next)
          .catch(() => count(next))
          .catch((error: Error) =>
            warn(`The days of stream ${next.streamId} are counted later`, error.message),
          );
      }
    running = undefined;
  };
  return {
    begin(organizationId, machines) {
      if (closed) return;
      waiting.set(organizationId, [...(waiting.get(organizationId) ?? []), ...machines]);
      // Not at once: it ends by saying that it ended.
      running ??= Promise.resolve().then(run);
    },
    async close() {
      closed = true;
      await running;
    },
  };
}
