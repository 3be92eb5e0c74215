import type { SelectedSource } from './bus-report.ts';

/** Maximum silence of the selected source; after a longer silence another source is selected. */
const MAX_SILENCE_MS = 5 * 60_000;
const NONE = -1;

/**
 * Selects the source for mappings without a source: the first source that sends a value, until it is silent for 5 minutes. So
 * values of two packs that send the same message never mix in one signal.
 */
export class SelectedSources {
  readonly #names: readonly string[];
  readonly #sources: Int16Array;
  readonly #lastMs: Float64Array;
  readonly #earlier: ReadonlyMap<string, readonly SelectedSource[]>;

  /**
   * Creates the selection.
   * @param names slot -> name of the signal
   * @param earlier the sources selected when other logs ended; a log that follows one of these within 5 minutes keeps using its source
   */
  constructor(names: readonly string[], earlier: readonly SelectedSource[]) {
    this.#names = names;
    this.#sources = new Int16Array(names.length).fill(NONE);
    this.#lastMs = new Float64Array(names.length);
    this.#earlier = Map.groupBy(earlier, ({ name }) => name);
  }

  /** Returns whether the signal uses a value from this source at this time. */
  accepts(slot: number, source: number, timeMs: number): boolean {
    if (this.#sources[slot] === NONE) this.#resume(slot, timeMs);
    const isOther = this.#sources[slot] !== NONE && this.#sources[slot] !== source;
    return !isOther || Math.abs(timeMs - (this.#lastMs[slot] as number)) > MAX_SILENCE_MS;
  }

  /** Selects a source after it sent a valid value. */
  select(slot: number, source: number, timeMs: number): void {
    this.#sources[slot] = source;
    this.#lastMs[slot] = timeMs;
  }

  #resume(slot: number, timeMs: number): void {
    const near = (this.#earlier.get(this.#names[slot] as string) ?? [])
      .filter(({ at }) => at <= timeMs && timeMs - at <= MAX_SILENCE_MS)
      .sort((a, b) => b.at - a.at);
    const [last] = near;
    if (last === undefined) return;
    this.#sources[slot] = last.source;
    this.#lastMs[slot] = last.at;
  }

  /** The selected sources of all signals that have one. */
  get all(): SelectedSource[] {
    return this.#names.flatMap((name, slot) => {
      const source = this.#sources[slot] as number;
      return source === NONE ? [] : [{ name, source, at: this.#lastMs[slot] as number }];
    });
  }
}
