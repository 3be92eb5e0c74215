import type { BenchContext } from '../context.ts';

/** A row of the result table: what was done to the portal, what must hold nevertheless (an invariant), and whether that held. */
export type FaultOutcome = {
  readonly name: string;
  readonly rounds: number;
  readonly done: string;
  readonly holds: string;
  /** `NO`: the invariant did not hold. `skipped`: the fault cannot be injected on this computer; the notes say why. */
  readonly result: 'ok' | 'NO' | 'skipped';
  readonly seconds: number;
  /** Measurements, and the error message if the result is `NO`. */
  readonly notes: readonly string[];
};

/** A fault-injection test: starts a separate portal, breaks it in one way, and checks an invariant. */
export type Fault = {
  readonly name: string;
  readonly done: string;
  readonly holds: string;
  /** @throws InvariantBroken, or another error, if the invariant does not hold */
  run(context: BenchContext): Promise<FaultResult>;
};

export type FaultResult = { readonly rounds: number; readonly notes: readonly string[] };

/** Thrown when the fault cannot be injected on this computer; the message says why. */
export class FaultSkipped extends Error {}

/** Thrown when an invariant does not hold. */
export class InvariantBroken extends Error {}

/** @throws InvariantBroken with the message `otherwise` unless `holds` */
export function assertInvariant(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new InvariantBroken(otherwise);
}

/** Waits until `look` returns a truthy value, and returns that value. @throws InvariantBroken after `ms` */
export async function waitUntil<T>(
  what: string,
  ms: number,
  look: () => Promise<T | false | undefined> | T | false | undefined,
): Promise<T> {
  const began = performance.now();
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    assertInvariant(performance.now() - began < ms, `Not within ${ms / 1000} s: ${what}.`);
    await sleep(50);
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms));

/** Formats milliseconds as '1.2 s'. */
export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
