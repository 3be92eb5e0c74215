import type { Reading } from '#shared/domain/signal.ts';

/** A place in a log at which reading can begin again. */
export type LogPlace = {
  /** In the text, after decompression. */
  readonly byteOffset: number;
  /** Lines before that place. */
  readonly line: number;
};

/**
 * Makes one reading of each second: the last value of each signal that was seen in it, at the time of the
 * whole second (an instant in UTC, rounded down). Signals of earlier seconds are not repeated. When a log
 * jumps back, a second may come out twice; the store merges the two.
 */
export class SecondReadings {
  readonly #names: readonly string[];
  readonly #values: Float64Array;
  /** Whether a slot was seen in this second, and the slots that were, in order. */
  readonly #seen: Uint8Array;
  readonly #slots: number[] = [];
  #second: number | undefined;
  #secondBegan: LogPlace | undefined;
  #finished: Reading[] = [];

  /** @param names slot -> name of the signal */
  constructor(names: readonly string[]) {
    this.#names = names;
    this.#values = new Float64Array(names.length);
    this.#seen = new Uint8Array(names.length);
  }

  /** What follows belongs to this time; `byteOffset` and `line` are where the log says so. */
  at(timeMs: number, byteOffset: number, line: number): void {
    const second = Math.floor(timeMs / 1000);
    if (second === this.#second) return;
    this.finish();
    this.#second = second;
    this.#secondBegan = { byteOffset, line };
  }

  set(slot: number, value: number): void {
    this.#values[slot] = value;
    if (this.#seen[slot] === 1) return;
    this.#seen[slot] = 1;
    this.#slots.push(slot);
  }

  /** Ends the second that is being gathered. */
  finish(): void {
    if (this.#second !== undefined && this.#slots.length > 0) {
      const signals: Record<string, number> = {};
      for (const slot of this.#slots) {
        signals[this.#names[slot] as string] = this.#values[slot] as number;
        this.#seen[slot] = 0;
      }
      this.#slots.length = 0;
      this.#finished.push({ time: this.#second * 1000, signals });
    }
    this.#second = undefined;
    this.#secondBegan = undefined;
  }

  get finishedCount(): number {
    return this.#finished.length;
  }

  /** The finished readings, each handed out once. */
  take(): Reading[] {
    const taken = this.#finished;
    this.#finished = [];
    return taken;
  }

  /** Where the second began that is not finished; undefined when there is none. */
  get unfinishedFrom(): LogPlace | undefined {
    return this.#secondBegan;
  }
}
