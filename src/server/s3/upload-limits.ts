import { MAX_LOG_BYTES } from '#shared/domain/file-limits.ts';

/** What one logger, and all of them together, may ask of the upload endpoint at most. */
export type UploadLimits = {
  /** Bytes of a snapshot or Status.json (docs/design.md section 7). */
  readonly documentBytes: number;
  /** Bytes of a log file (docs/design.md section 7). */
  readonly logBytes: number;
  /** Bytes of a part at least, the last one excepted (Amazon S3 User Guide, "Multipart upload limits"). */
  readonly partBytes: number;
  /** Token bucket per access key, never per address: the loggers of a site share one. */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /**
   * Connections with a request under way. A logger uses one or two, and rclone a dozen. A hundred loggers may share the
   * address of a site; when its network comes back, the requests that it broke off are held as long again (`stallMs`).
   */
  readonly connections: { readonly perKey: number; readonly perAddress: number };
  /** Log files being received at the same moment, or as many bytes of parts. */
  readonly spools: { readonly perKey: number; readonly total: number };
  /** Bytes of documents between their arrival and their commit, by the most that may come of each. */
  readonly memory: { readonly perKey: number; readonly total: number };
  /** Longest silence in a body, ms. */
  readonly stallMs: number;
  /** A body slower than this, after the first `stallMs`, gives up its place: 9.6 kbit/s mobile data passes. */
  readonly slowestBytesPerSecond: number;
  /** How long a refused body is still read and dropped, so that the client sees our answer before the close, ms. */
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

/** Something scarce (open spool files, bytes in memory), bounded per key and in total. */
export class Quota {
  readonly #perKey: number;
  readonly #total: number;
  readonly #taken = new Map<string, number>();
  #takenTotal = 0;

  constructor(limits: { readonly perKey: number; readonly total: number }) {
    this.#perKey = limits.perKey;
    this.#total = limits.total;
  }

  /** False when there is not enough left; nothing is taken then. */
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
