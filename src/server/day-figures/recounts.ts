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
/** The database reads of one while another one is counted here. */
const AT_ONCE = 2;

/** Two machines at a time, and the organizations in turn: ten thousand machines of one do not keep another waiting. */
export function openRecounts(pool: Pool, warn: Warn): Recounts {
  const waiting = new Map<number, Recount[]>();
  let closed = false;
  let atWork = 0;
  let ended: Promise<unknown> = Promise.resolve();

  const count = async ({ streamId, isTouched }: Recount): Promise<void> => {
    if (isTouched && !(await isTouched())) return;
    for (let part = 0; part < MOST_PARTS && !closed && (await countDays(pool, streamId)); part += 1);
  };
  const next = (): Recount | undefined => {
    const [[organizationId, machines] = [0, []]] = waiting;
    const machine = machines.shift();
    waiting.delete(organizationId);
    // Behind the other organizations.
    if (machines.length > 0) waiting.set(organizationId, machines);
    return closed ? undefined : machine;
  };
  const work = async (): Promise<void> => {
    for (let machine = next(); machine; machine = next()) {
      const one = machine;
      // Once more where the worker counted it meanwhile.
      await count(one)
        .catch(() => count(one))
        .catch((error: Error) => warn(`The days of stream ${one.streamId} are counted later`, error.message));
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
