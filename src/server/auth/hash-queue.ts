import { ProblemError } from '#server/platform/problem.ts';

/** The client on whose behalf a password is hashed. */
export type HashClient = {
  /** A network address, or a browser that signed in before; requests of one name queue behind each other. */
  readonly name: string;
  readonly isKnown: boolean;
  readonly isGone: () => boolean;
};

export type HashQueue = {
  /**
   * Runs `hash` when this client is next in the queue.
   * @throws ProblemError 429 when the client has too many requests waiting or waits too long; 408 when it disconnected
   */
  run<T>(hasher: HashClient, hash: () => Promise<T>): Promise<T>;
};

type Waiting = {
  readonly hasher: HashClient;
  readonly since: number;
  readonly begin: () => void;
  readonly refuse: (error: ProblemError) => void;
};

/** Maximum number of waiting requests per client; enough for an office that signs in at eight o'clock. */
const MAX_WAITING = 50;
/** Maximum waiting time. Clients that wait longer have disconnected, or try again. */
const PATIENCE_MS = 10_000;
/** Clients idle for this long get priority over recent ones. */
const RECENT_MS = 60_000;

/**
 * Queues password hashing, which costs 19 MiB and some 15 ms of a processor each time, fairly between clients. The client that was
 * served longest ago comes first, so that one sign-in does not wait behind hundreds of guesses. Among clients that were not served
 * within RECENT_MS, a known browser comes first, so that guesses of which each comes from a new address do not delay it.
 * @param most maximum number of concurrent hashes
 */
export function openHashQueue(most: number, now: () => number = () => performance.now()): HashQueue {
  /** Waiting requests, in order of arrival. */
  const waiting: Waiting[] = [];
  /** Time at which each client was last served, oldest first. */
  const served = new Map<string, number>();
  let running = 0;

  function forget(): void {
    for (const [name, at] of served) {
      if (now() - at < RECENT_MS) return;
      served.delete(name);
    }
  }

  const isBefore = (one: HashClient, other: HashClient): boolean => {
    const [had, otherHad] = [served.get(one.name) ?? 0, served.get(other.name) ?? 0];
    return had === otherHad ? one.isKnown && !other.isKnown : had < otherHad;
  };

  function next(): void {
    forget();
    while (waiting[0] && now() - waiting[0].since > PATIENCE_MS)
      waiting.shift()?.refuse(busy('Er melden zich nu erg veel mensen aan. Probeer het zo weer.'));
    while (running < most && waiting.length > 0) {
      let best = 0;
      for (let at = 1; at < waiting.length; at++)
        if (isBefore((waiting[at] as Waiting).hasher, (waiting[best] as Waiting).hasher)) best = at;
      const [first] = waiting.splice(best, 1) as [Waiting];
      if (first.hasher.isGone()) {
        first.refuse(new ProblemError('too_slow', 'De aanvraag is afgebroken.'));
        continue;
      }
      running += 1;
      served.delete(first.hasher.name);
      served.set(first.hasher.name, now());
      first.begin();
    }
  }

  return {
    async run(hasher, hash) {
      if (waiting.filter((other) => other.hasher.name === hasher.name).length >= MAX_WAITING)
        throw busy('Te veel aanmeldingen tegelijk. Probeer het zo weer.');
      await new Promise<void>((begin, refuse) => {
        waiting.push({ hasher, since: now(), begin, refuse });
        next();
      });
      try {
        return await hash();
      } finally {
        running -= 1;
        next();
      }
    },
  };
}

const busy = (message: string): ProblemError => new ProblemError('too_many_requests', message);
