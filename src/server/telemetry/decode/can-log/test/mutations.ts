import { LogError } from '#server/telemetry/decode/log-outcome.ts';
import { randomNumbers } from './random.ts';

/**
 * Yields damaged copies of a file: truncated, with other bytes, with parts that are missing, doubled or zero, or with
 * numbers that are too large.
 */
export function* generateDamagedCopies(file: Uint8Array, count: number, seed: number): Generator<Uint8Array> {
  const random = randomNumbers(seed);
  for (let index = 0; index < count; index++) {
    let bytes = Buffer.from(file);
    for (let change = random(4); change >= 0 && bytes.length > 8; change--) {
      const at = random(bytes.length);
      const length = 1 + random(Math.min(64, bytes.length - at));
      const kind = random(7);
      if (kind === 0) bytes = bytes.subarray(0, at);
      else if (kind === 1) bytes[at] = random(256);
      else if (kind === 2) bytes[at] = (bytes[at] as number) ^ (1 << random(8));
      else if (kind === 3) bytes.fill(0, at, at + length);
      else if (kind === 4) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
      else if (kind === 5) bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
      else bytes.fill(0xff, at, Math.min(bytes.length, at + 1 + random(8)));
    }
    yield bytes;
  }
}

/** Returns the result of a reader, or the kind of its LogError. @throws any other error */
export function readerOutcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof LogError) return error.kind;
    throw error;
  }
}
