/** A request for the next bytes of a stream: as one part, or in pieces as they arrive. */
export type RequestedBytes =
  | {
      readonly kind: 'whole';
      readonly bytes: number;
      /** Bytes that were read before; the part starts with them. */
      readonly begins?: Uint8Array;
      /** Returns the request for the following part. @param whole this part, valid during the call only */
      readonly after: (whole: Uint8Array) => RequestedBytes;
    }
  | {
      readonly kind: 'stream';
      readonly bytes: number;
      readonly each?: ((bytes: Uint8Array) => void) | undefined;
      readonly after: () => RequestedBytes;
    };

const NOTHING = new Uint8Array();

/** Splits a stream into parts; each part determines the next one. Holds at most one part in memory. */
export class StreamPartReader {
  #demand: RequestedBytes;
  /** The current part, if it arrives in several pieces. */
  #gathered: Buffer | undefined;
  #length = 0;
  #offset = 0;

  constructor(first: RequestedBytes) {
    this.#demand = first;
    this.#length = first.kind === 'whole' ? (first.begins ?? NOTHING).length : 0;
  }

  /** Number of bytes in the parts that were read. */
  get offset(): number {
    return this.#offset;
  }

  /** The beginning of an incomplete part. */
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

  #next(demand: RequestedBytes): void {
    this.#demand = demand;
    this.#length = 0;
    if (demand.kind !== 'whole' || demand.begins === undefined) return;
    this.#gathered = Buffer.allocUnsafe(demand.bytes);
    this.#gathered.set(demand.begins);
    this.#length = demand.begins.length;
  }

  #gather(demand: RequestedBytes, taken: Uint8Array): Uint8Array | undefined {
    this.#gathered ??= Buffer.allocUnsafe(demand.bytes);
    this.#gathered.set(taken, this.#length);
    this.#length += taken.length;
    return this.#length === demand.bytes ? this.#gathered : undefined;
  }
}
