import { acceptedValue, type Limits, limitsOf } from '#shared/domain/accepted-values.ts';
import type { Reading } from '#shared/domain/signal.ts';

/** A place in a log at which reading can begin again. */
export type LogPlace = {
  /** In the text, after decompression. In a GPX it counts characters (UTF-16), as its parser does. */
  readonly byteOffset: number;
  /** Lines before that place. */
  readonly line: number;
};

/** The signals seen in one second, by slot, with their last value. */
type OpenSecond = {
  readonly second: number;
  readonly began: LogPlace;
  readonly values: Map<number, number>;
  /** ms; when each value was seen. */
  readonly times: Map<number, number>;
};

/**
 * Makes one reading of each second: of each signal the value with the highest time in it, of equal ones the later in
 * the log, at the time of the whole second (UTC, rounded down; docs/figures.md section 1). Signals of earlier seconds are not repeated. The buses of a log are not in
 * exact order (22 ms apart in a real one), so a second stays open until the one after the next begins. When a
 * log jumps back further, a second may come out twice; the store merges the two.
 */
export class SecondReadings {
  readonly #names: string[];
  readonly #limits: Limits[];
  #timeMs = 0;
  #newest: OpenSecond | undefined;
  /** The second before the newest, while it is open. */
  #previous: OpenSecond | undefined;
  /** The one of the two that values go to now. */
  #current: OpenSecond | undefined;
  #finished: Reading[] = [];
  #finishedValues = 0;
  /** Slots that had a value in a finished second. */
  readonly #found = new Set<number>();

  /** @param names slot -> name of the signal */
  constructor(names: readonly string[]) {
    this.#names = [...names];
    this.#limits = names.map(limitsOf);
  }

  /** Returns the slot of a name, a new one where it has none. */
  slotOf(name: string): number {
    const known = this.#names.indexOf(name);
    if (known >= 0) return known;
    this.#limits.push(limitsOf(name));
    return this.#names.push(name) - 1;
  }

  /** What follows belongs to this time; `byteOffset` and `line` are where the log says so. */
  at(timeMs: number, byteOffset: number, line: number): void {
    this.#timeMs = timeMs;
    const second = Math.floor(timeMs / 1000);
    if (second === this.#current?.second) return;
    if (second === this.#newest?.second) this.#current = this.#newest;
    else if (second === this.#previous?.second) this.#current = this.#previous;
    else this.#open({ second, began: { byteOffset, line }, values: new Map(), times: new Map() });
  }

  #open(opened: OpenSecond): void {
    const step = this.#newest === undefined ? undefined : opened.second - this.#newest.second;
    if (step === -1) {
      this.#previous = opened;
    } else if (step === 1) {
      this.#close(this.#previous);
      this.#previous = this.#newest;
      this.#newest = opened;
    } else {
      this.finish();
      this.#newest = opened;
    }
    this.#current = opened;
  }

  /** @returns false for a value that cannot be */
  set(slot: number, value: number): boolean {
    const accepted = acceptedValue(value, this.#limits[slot] as Limits);
    if (accepted === undefined) return false;
    if (this.#current && this.#timeMs >= (this.#current.times.get(slot) ?? Number.NEGATIVE_INFINITY)) {
      this.#current.values.set(slot, accepted);
      this.#current.times.set(slot, this.#timeMs);
    }
    return true;
  }

  /** Ends what is open. */
  finish(): void {
    this.#close(this.#previous);
    this.#close(this.#newest);
    this.#previous = undefined;
    this.#newest = undefined;
    this.#current = undefined;
  }

  #close(open: OpenSecond | undefined): void {
    if (open === undefined || open.values.size === 0) return;
    const signals: Record<string, number> = {};
    for (const [slot, value] of open.values) {
      signals[this.#names[slot] as string] = value;
      this.#found.add(slot);
    }
    this.#finishedValues += open.values.size;
    this.#finished.push({ time: open.second * 1000, signals });
  }

  get finishedCount(): number {
    return this.#finished.length;
  }

  /** Values of all signals in the finished readings. */
  get finishedValues(): number {
    return this.#finishedValues;
  }

  /** Names of the signals that had a value in a finished second. */
  get found(): readonly string[] {
    return Array.from(this.#found, (slot) => this.#names[slot] as string);
  }

  /** The finished readings, each handed out once. */
  take(): Reading[] {
    const taken = this.#finished;
    this.#finished = [];
    this.#finishedValues = 0;
    return taken;
  }

  /**
   * Where the oldest second began that is not finished; undefined when there is none. Behind that place there
   * may be stray frames of the second before: read again they make a reading of values that it had already,
   * which changes nothing in the store.
   */
  get unfinishedFrom(): LogPlace | undefined {
    const [previous, newest] = [this.#previous?.began, this.#newest?.began];
    if (previous === undefined || newest === undefined) return newest;
    return previous.byteOffset < newest.byteOffset ? previous : newest;
  }
}
