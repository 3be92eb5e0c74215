import { ProblemError } from '#server/platform/problem.ts';

/** For whom a password is hashed. */
export type Hasher = {
  /** An address, or a browser that has signed in before: who has one name waits behind each other. */
  readonly name: string;
  readonly isKnown: boolean;
  /** The client left. */
  readonly isGone: () => boolean;
};

export type HashTurns = {
  /**
   * Hashes when the turn of this one comes.
   * @throws ProblemError 429 when this one has too many waiting or the turn did not come in time; 408 when the client left
   */
  take<T>(hasher: Hasher, hash: () => Promise<T>): Promise<T>;
};

type Waiting = {
  readonly hasher: Hasher;
  readonly since: number;
  readonly begin: () => void;
  readonly refuse: (error: ProblemError) => void;
};

/** Of one name: an office that comes in at eight. */
const MOST_WAITING = 50;
/** ms; who waits longer has left, or tries again. */
const PATIENCE_MS = 10_000;
/** ms; who had no turn for so long comes before who had one. */
const RECENT_MS = 60_000;

/**
 * Turns for what costs 19 MiB and some 15 ms of a processor, whoever asks for it. First comes whose last turn is longest ago:
 * one sign-in is not behind the hundreds of a guesser. Of those who had none lately a known browser comes first, so that not
 * even guesses from a new address each keep it waiting.
 * @param most hashes at once
 */
export function openHashTurns(most: number, now: () => number = () => performance.now()): HashTurns {
  /** In the order in which they came. */
  const waiting: Waiting[] = [];
  /** When each name had its last turn; the longest ago is first. */
  const served = new Map<string, number>();
  let running = 0;

  function forget(): void {
    for (const [name, at] of served) {
      if (now() - at < RECENT_MS) return;
      served.delete(name);
    }
  }

  const isBefore = (one: Hasher, other: Hasher): boolean => {
    const [had, otherHad] = [served.get(one.name) ?? 0, served.get(other.name) ?? 0];
    return had === otherHad ? one.isKnown && !other.isKnown : had < otherHad;
  };

  function next(): void {
    forget();
    while (waiting[0] && now() - waiting[0].since > PATIENCE_MS)
      waiting.shift()?.refuse(busy('Er melden zich nu erg veel mensen aan. Probeer het zo weer.'));
    while (running < most && waiting.length > 0) {
      let place = 0;
      for (let at = 1; at < waiting.length; at++)
        if (isBefore((waiting[at] as Waiting).hasher, (waiting[place] as Waiting).hasher)) place = at;
      const [first] = waiting.splice(place, 1) as [Waiting];
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
    async take(hasher, hash) {
      if (waiting.filter((other) => other.hasher.name === hasher.name).length >= MOST_WAITING)
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
