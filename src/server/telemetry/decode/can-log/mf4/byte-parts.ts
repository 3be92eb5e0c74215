/** The next part of a stream: so many bytes as a whole, or as they come. */
export type Demand =
  | {
      readonly kind: 'whole';
      readonly bytes: number;
      /** The part begins with these, which were read before. */
      readonly begins?: Uint8Array;
      /** @param whole valid during the call only */
      readonly after: (whole: Uint8Array) => Demand;
    }
  | {
      readonly kind: 'stream';
      readonly bytes: number;
      readonly each?: ((bytes: Uint8Array) => void) | undefined;
      readonly after: () => Demand;
    };

const NOTHING = new Uint8Array();

/** Cuts a stream into parts, of which each says what the next one is. Holds one part at most. */
export class ByteParts {
  #demand: Demand;
  /** The part that is being gathered, when it does not lie in one piece. */
  #gathered: Buffer | undefined;
  #length = 0;
  #offset = 0;

  constructor(first: Demand) {
    this.#demand = first;
    this.#length = first.kind === 'whole' ? (first.begins ?? NOTHING).length : 0;
  }

  /** Bytes of the stream in the parts that were read. */
  get offset(): number {
    return this.#offset;
  }

  /** The beginning of a part that is not complete. */
  get partial(): Uint8Array {
    return this.#gathered?.subarray(0, this.#length) ?? NOTHING;
  }

  push(piece: Uint8Array): void {
    let at = 0;
    do {
      const demand = this.#demand;
      const bytes = Math.min(demand.bytes - this.#length, piece.length - at);
      const taken = piece.subarray(at, at + bytes);
      at += bytes;
      this.#offset += bytes;
      if (demand.kind === 'stream') {
        if (bytes > 0) demand.each?.(taken);
        this.#length += bytes;
        if (this.#length < demand.bytes) return;
        this.#next(demand.after());
      } else {
        const whole = bytes === demand.bytes ? taken : this.#gather(demand, taken);
        if (whole === undefined) return;
        this.#gathered = undefined;
        this.#next(demand.after(whole));
      }
    } while (at < piece.length || this.#demand.bytes === this.#length);
  }

  #next(demand: Demand): void {
    this.#demand = demand;
    this.#length = 0;
    if (demand.kind !== 'whole' || demand.begins === undefined) return;
    this.#gathered = Buffer.allocUnsafe(demand.bytes);
    this.#gathered.set(demand.begins);
    this.#length = demand.begins.length;
  }

  #gather(demand: Demand, taken: Uint8Array): Uint8Array | undefined {
    this.#gathered ??= Buffer.allocUnsafe(demand.bytes);
    this.#gathered.set(taken, this.#length);
    this.#length += taken.length;
    return this.#length === demand.bytes ? this.#gathered : undefined;
  }
}
