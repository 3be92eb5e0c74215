import { createHmac, hash } from 'node:crypto';

/**
 * An HMAC-SHA256 key as its two padded blocks (RFC 2104), ready to hash: two `crypto.hash` calls over them
 * cost a fifth of `createHmac` with a Buffer key (measured).
 */
export type SigningKey = { readonly inner: Buffer; readonly outer: Buffer };

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Room for the longest signed text: that of a chunk, about 330 bytes with the longest region. */
const innerScratch = Buffer.alloc(BLOCK_BYTES + 1024);
const outerScratch = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);

/** Returns the HMAC-SHA256 of an ASCII text of at most 1,024 bytes. @throws RangeError for a longer one */
export function hmac(key: SigningKey, text: string): Buffer {
  if (text.length > innerScratch.length - BLOCK_BYTES) throw new RangeError('text too long to sign');
  key.inner.copy(innerScratch);
  const written = innerScratch.write(text, BLOCK_BYTES, 'latin1');
  const inner = hash('sha256', innerScratch.subarray(0, BLOCK_BYTES + written), 'buffer');
  key.outer.copy(outerScratch);
  inner.copy(outerScratch, BLOCK_BYTES);
  return hash('sha256', outerScratch, 'buffer');
}

/** Returns the signing key of one secret, day and region (AWS, "Task 3: Calculate Signature"). Costs four HMACs, so cache it. */
export function signingKey(secret: string, date: string, region: string): SigningKey {
  let key: Buffer = Buffer.from(`AWS4${secret}`);
  for (const part of [date, region, 's3', 'aws4_request'])
    key = createHmac('sha256', key).update(part).digest();
  const inner = Buffer.alloc(BLOCK_BYTES, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES, 0x5c);
  key.forEach((byte, index) => {
    inner[index] = 0x36 ^ byte;
    outer[index] = 0x5c ^ byte;
  });
  return { inner, outer };
}

type Entry = {
  readonly secret: string;
  readonly date: string;
  readonly region: string;
  readonly key: SigningKey;
};

/** Caches the last signing key that verified a request, per access key. The size is limited; the oldest key is dropped first. */
export class SigningKeys {
  readonly #entries = new Map<string, Entry>();
  readonly #limit: number;

  constructor(limit = 20_000) {
    this.#limit = limit;
  }

  /** Returns the cached key if it was made from this secret, date and region. A logger uses one region, and a new date once a day. */
  find(accessKey: string, secret: string, date: string, region: string): SigningKey | undefined {
    const entry = this.#entries.get(accessKey);
    if (entry?.secret !== secret || entry.date !== date || entry.region !== region) return undefined;
    return entry.key;
  }

  /**
   * Stores a key. Call it only after the signature was found right: otherwise a stranger's invented regions would replace the
   * logger's key.
   */
  remember(accessKey: string, secret: string, date: string, region: string, key: SigningKey): void {
    this.#entries.set(accessKey, { secret, date, region, key });
    if (this.#entries.size <= this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
