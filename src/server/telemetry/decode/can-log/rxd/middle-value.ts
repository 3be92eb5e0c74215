const MAX_KEPT_VALUES = 4096;

/** Computes a median in bounded memory: exact up to 4,096 values, then the median of every second, fourth, … value. */
export class BoundedMedian {
  readonly #kept = new Float64Array(MAX_KEPT_VALUES);
  #count = 0;
  #step = 1;
  #passed = 0;

  add(value: number): void {
    this.#passed += 1;
    if (this.#passed < this.#step) return;
    this.#passed = 0;
    if (this.#count === MAX_KEPT_VALUES) this.#thin();
    this.#kept[this.#count] = value;
    this.#count += 1;
  }

  /** The median (the lower one for an even number of values); undefined without values. */
  get median(): number | undefined {
    const sorted = this.#kept.slice(0, this.#count).sort();
    return sorted[(this.#count - 1) >> 1];
  }

  #thin(): void {
    this.#count = MAX_KEPT_VALUES / 2;
    for (let n = 0; n < this.#count; n += 1) this.#kept[n] = this.#kept[2 * n + 1] as number;
    this.#step *= 2;
  }
}
