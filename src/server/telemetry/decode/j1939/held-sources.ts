import type { HeldSource } from './bus-report.ts';

/** A source that is silent for longer gives its place to another. */
const LONGEST_SILENCE_MS = 5 * 60_000;
const NONE = -1;

/**
 * Keeps a mapping without a source of its own with the first source that answers, until that one is silent for 5 minutes:
 * two packs that send the same message never mix in one signal.
 */
export class HeldSources {
  readonly #names: readonly string[];
  readonly #sources: Int16Array;
  readonly #heardMs: Float64Array;
  readonly #earlier: ReadonlyMap<string, readonly HeldSource[]>;

  /**
   * @param names slot -> name of the signal
   * @param earlier the sources at the ends of other logs: a log that follows one of them begins with its source
   */
  constructor(names: readonly string[], earlier: readonly HeldSource[]) {
    this.#names = names;
    this.#sources = new Int16Array(names.length).fill(NONE);
    this.#heardMs = new Float64Array(names.length);
    this.#earlier = Map.groupBy(earlier, ({ name }) => name);
  }

  /** Tells whether the signal takes a value of this source at this time. */
  takes(slot: number, source: number, timeMs: number): boolean {
    if (this.#sources[slot] === NONE) this.#takeUp(slot, timeMs);
    const isOther = this.#sources[slot] !== NONE && this.#sources[slot] !== source;
    return !isOther || Math.abs(timeMs - (this.#heardMs[slot] as number)) > LONGEST_SILENCE_MS;
  }

  /** Keeps the signal with a source that gave a value that can be. */
  hold(slot: number, source: number, timeMs: number): void {
    this.#sources[slot] = source;
    this.#heardMs[slot] = timeMs;
  }

  #takeUp(slot: number, timeMs: number): void {
    const near = (this.#earlier.get(this.#names[slot] as string) ?? [])
      .filter(({ at }) => at <= timeMs && timeMs - at <= LONGEST_SILENCE_MS)
      .sort((a, b) => b.at - a.at);
    const [last] = near;
    if (last === undefined) return;
    this.#sources[slot] = last.source;
    this.#heardMs[slot] = last.at;
  }

  /** The source of every signal that has one. */
  get all(): HeldSource[] {
    return this.#names.flatMap((name, slot) => {
      const source = this.#sources[slot] as number;
      return source === NONE ? [] : [{ name, source, at: this.#heardMs[slot] as number }];
    });
  }
}
