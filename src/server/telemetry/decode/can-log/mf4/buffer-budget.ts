import { LogError } from '#server/telemetry/decode/log-outcome.ts';

const MAX_SIZE_BYTES = 64 * 1024 ** 2;
const FIRST_BYTES = 1024;

/** Limits the memory that one MF4 reader uses for records whose data have not arrived, and for data whose records have not arrived. */
export class BufferBudget {
  #bytes = 0;

  /**
   * Returns a new empty buffer, which the caller uses instead of the smaller `buffer`.
   * @throws LogError 'too large' when all buffers together exceed the limit
   */
  larger(buffer: Uint8Array, bytes: number): Uint8Array {
    const next = Math.max(bytes, FIRST_BYTES);
    this.#bytes += next - buffer.length;
    if (this.#bytes > MAX_SIZE_BYTES) throw new LogError('too large', { kind: 'mf4-frames-far-apart' });
    return new Uint8Array(next);
  }
}
