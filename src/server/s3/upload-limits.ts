import { MAX_LOG_BYTES } from '#shared/domain/file-limits.ts';

/** Limits of the upload endpoint, per logger and in total. */
export type UploadLimits = {
  /** Maximum size of a snapshot or Status.json (docs/design.md section 7). */
  readonly documentBytes: number;
  /** Maximum size of a log file (docs/design.md section 7). */
  readonly logBytes: number;
  /** Smallest size of a part except the last, in bytes (Amazon S3 User Guide, "Multipart upload limits"). */
  readonly partBytes: number;
  /** Token bucket per access key, not per address, because the loggers of a site share an address. */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /**
   * Connections with a request in progress. A logger uses one or two, rclone a dozen. A hundred loggers may share the address
   * of a site; when its network recovers, the requests that broke off still count until `stallMs` has passed.
   */
  readonly connections: { readonly perKey: number; readonly perAddress: number };
  /** Number of log files that are received at the same time. A part of a multipart upload counts as its share of the largest log file. */
  readonly spools: { readonly perKey: number; readonly total: number };
  /** Maximum memory, in bytes, for documents that are not committed yet. Each counts with its declared size, else with the maximum size. */
  readonly memory: { readonly perKey: number; readonly total: number };
  /** Longest silence in a body, in ms. */
  readonly stallMs: number;
  /** Minimum speed of a body after the first `stallMs`; a slower body is refused. Mobile data of 9.6 kbit/s is fast enough. */
  readonly slowestBytesPerSecond: number;
  /**
   * How long the rest of a refused body is read and dropped, in ms, so that the client reads the answer before the connection
   * closes.
   */
  readonly lingerMs: number;
};

const MIB = 1024 * 1024;

export const UPLOAD_LIMITS: UploadLimits = {
  documentBytes: MIB,
  logBytes: MAX_LOG_BYTES,
  partBytes: 5 * MIB,
  requestsPerSecond: 200,
  requestBurst: 2000,
  connections: { perKey: 16, perAddress: 400 },
  spools: { perKey: 4, total: 32 },
  memory: { perKey: 16 * MIB, total: 256 * MIB },
  stallMs: 30_000,
  slowestBytesPerSecond: 256,
  lingerMs: 5_000,
};

type Tokens = { left: number; at: number };

/** A token bucket per key: `perSecond` on average, `burst` at once. Only authenticated keys have a bucket, so there are few buckets. */
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

  /**
   * Returns whether the key may make a request now.
   * @param now the present time in ms; after the clock was set back, requests are earned from the new time on
   */
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

/** Limits a resource (open spool files, bytes in memory) per key and in total. */
export class Quota {
  readonly #perKey: number;
  readonly #total: number;
  readonly #taken = new Map<string, number>();
  #takenTotal = 0;

  constructor(limits: { readonly perKey: number; readonly total: number }) {
    this.#perKey = limits.perKey;
    this.#total = limits.total;
  }

  /** Reserves an amount; returns false, without reserving, when there is not enough left. */
  take(key: string, amount: number): boolean {
    const mine = (this.#taken.get(key) ?? 0) + amount;
    if (mine > this.#perKey || this.#takenTotal + amount > this.#total) return false;
    this.#taken.set(key, mine);
    this.#takenTotal += amount;
    return true;
  }

  release(key: string, amount: number): void {
    const mine = (this.#taken.get(key) ?? 0) - amount;
    if (mine > 0) this.#taken.set(key, mine);
    else this.#taken.delete(key);
    this.#takenTotal -= amount;
  }
}
