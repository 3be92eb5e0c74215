type Tokens = { left: number; at: number };

/** A token bucket per key: `perSecond` on average, `burst` at once. Keys are authenticated, so few. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #mostKeys: number;
  readonly #buckets = new Map<string, Tokens>();

  constructor(perSecond: number, burst: number, mostKeys = 100_000) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#mostKeys = mostKeys;
  }

  /** Whether the key may go on. @param now milliseconds; a clock set back gives nothing and takes nothing */
  take(key: string, now: number): boolean {
    const bucket = this.#buckets.get(key);
    if (!bucket) {
      this.#buckets.set(key, { left: this.#burst - 1, at: now });
      this.#forgetOldest();
      return true;
    }
    const earned = (Math.max(0, now - bucket.at) / 1000) * this.#perSecond;
    bucket.left = Math.min(this.#burst, bucket.left + earned);
    bucket.at = now;
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  }

  #forgetOldest(): void {
    if (this.#buckets.size <= this.#mostKeys) return;
    for (const oldest of this.#buckets.keys()) {
      this.#buckets.delete(oldest);
      return;
    }
  }
}
