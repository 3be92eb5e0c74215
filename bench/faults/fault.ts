import type { BenchContext } from '../context.ts';

/** One row of the table: what was done to the portal, what must hold nevertheless, and whether it did. */
export type FaultOutcome = {
  readonly name: string;
  readonly rounds: number;
  readonly done: string;
  readonly holds: string;
  /** `skipped`: this computer cannot do it; the notes say why. */
  readonly result: 'ok' | 'NO' | 'skipped';
  readonly seconds: number;
  /** Figures, and what went wrong. */
  readonly notes: readonly string[];
};

/** Breaks its own portal in one way. */
export type Fault = {
  readonly name: string;
  readonly done: string;
  readonly holds: string;
  /** @throws Broken, or any error, when what must hold does not */
  run(context: BenchContext): Promise<FaultResult>;
};

export type FaultResult = { readonly rounds: number; readonly notes: readonly string[] };

/** This computer cannot run the fault; the message says why. */
export class FaultSkipped extends Error {}

/** Something that must hold did not hold. */
export class InvariantBroken extends Error {}

/** @throws Broken */
export function mustHold(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new InvariantBroken(otherwise);
}

/** Waits until `look` returns a truthy value, and returns that value. @throws Broken after `ms` */
export async function waitUntil<T>(
  what: string,
  ms: number,
  look: () => Promise<T | false | undefined> | T | false | undefined,
): Promise<T> {
  const began = performance.now();
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    mustHold(performance.now() - began < ms, `Not within ${ms / 1000} s: ${what}.`);
    await sleep(50);
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms));

/** 1.2 s */
export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
