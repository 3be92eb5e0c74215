import type { FastifyReply } from 'fastify';
import { ProblemError } from './problem.ts';

/** Who asks for something costly, and whether they are still there. */
export type Asker = { readonly account: number; readonly isGone: () => boolean };

export type Turns = {
  /**
   * Does the work when its turn comes.
   * @throws ProblemError 429 when this account has too many waiting; 408 when the client left before its turn, which
   *   nobody reads
   */
  take<T>(asker: Asker, work: () => Promise<T>): Promise<T>;
};

/** @param most answers at once, @param mostOfOne of one account, @param mostWaiting of one account behind those */
export function openTurns(most: number, mostOfOne: number, mostWaiting: number): Turns {
  const waiting: { readonly account: number; readonly begin: () => void }[] = [];
  const running = new Map<number, number>();
  let all = 0;
  const runningOf = (account: number): number => running.get(account) ?? 0;

  /** Whoever waits longest, among those whose account has a turn left. */
  function next(): void {
    while (all < most) {
      const place = waiting.findIndex(({ account }) => runningOf(account) < mostOfOne);
      const [first] = place < 0 ? [] : waiting.splice(place, 1);
      if (!first) return;
      all += 1;
      running.set(first.account, runningOf(first.account) + 1);
      first.begin();
    }
  }
  function done(account: number): void {
    all -= 1;
    const left = runningOf(account) - 1;
    if (left > 0) running.set(account, left);
    else running.delete(account);
    next();
  }

  return {
    async take({ account, isGone }, work) {
      if (waiting.filter((other) => other.account === account).length >= mostWaiting)
        throw new ProblemError('too_many_requests', 'Te veel vragen tegelijk. Probeer het zo weer.');
      await new Promise<void>((begin) => {
        waiting.push({ account, begin });
        next();
      });
      try {
        if (isGone()) throw new ProblemError('too_slow', 'De aanvraag is afgebroken.');
        return await work();
      } finally {
        done(account);
      }
    },
  };
}

/**
 * For answers that take as long as their client likes, a piece at a time: how many accounts have one is not bounded, or
 * a few slow clients would keep all others from it.
 */
export const openStreamTurns = (mostOfOne: number, mostWaiting: number): Turns =>
  openTurns(Number.POSITIVE_INFINITY, mostOfOne, mostWaiting);

/** Of a call. */
export const askerOf = (call: {
  readonly caller: { readonly accountId: number };
  readonly reply: FastifyReply;
}): Asker => ({ account: call.caller.accountId, isGone: () => call.reply.raw.destroyed });
