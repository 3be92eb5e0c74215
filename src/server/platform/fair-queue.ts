import type { FastifyReply } from 'fastify';
import { ProblemError } from './problem.ts';

/** The account behind a costly request, and whether its client is still connected. */
export type QueuedCaller = { readonly account: number; readonly isGone: () => boolean };

export type FairQueue = {
  /**
   * Runs the work when it is next in the queue.
   * @throws ProblemError 429 when the account has too many waiting requests; 408 when the client disconnected while waiting
   */
  run<T>(caller: QueuedCaller, work: () => Promise<T>): Promise<T>;
};

/**
 * Opens a queue that serves accounts fairly: next runs the longest waiting request of an account that has fewer than `mostOfOne` running.
 * @param most maximum number of requests that run at the same time
 * @param mostOfOne maximum number that run for one account
 * @param mostWaiting maximum number that wait for one account
 */
export function openFairQueue(most: number, mostOfOne: number, mostWaiting: number): FairQueue {
  const waiting: { readonly account: number; readonly begin: () => void }[] = [];
  const running = new Map<number, number>();
  let all = 0;
  const runningOf = (account: number): number => running.get(account) ?? 0;

  /** Starts the longest waiting requests of accounts that have fewer than `mostOfOne` running. */
  function next(): void {
    while (all < most) {
      const index = waiting.findIndex(({ account }) => runningOf(account) < mostOfOne);
      const [first] = index < 0 ? [] : waiting.splice(index, 1);
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
    async run({ account, isGone }, work) {
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
 * Opens a queue for answers that are sent in chunks, as fast as their client reads them. Limits only the requests per account,
 * because with a limit for all accounts together a few slow clients would block all others.
 */
export const openStreamingQueue = (mostOfOne: number, mostWaiting: number): FairQueue =>
  openFairQueue(Number.POSITIVE_INFINITY, mostOfOne, mostWaiting);

export const queuedCallerOf = (call: {
  readonly caller: { readonly accountId: number };
  readonly reply: FastifyReply;
}): QueuedCaller => ({ account: call.caller.accountId, isGone: () => call.reply.raw.destroyed });
