/** What one logger, and all of them together, may ask of the door at most. */
export type DoorLimits = {
  /** Bytes of a snapshot or Status.json (docs/design.md section 7). */
  readonly documentBytes: number;
  /** Bytes of a log file (docs/design.md section 7). */
  readonly logBytes: number;
  /** Token bucket per access key, never per address (docs/design.md section 9). */
  readonly requestsPerSecond: number;
  readonly requestBurst: number;
  /** Log files being received at the same moment. */
  readonly spools: { readonly perKey: number; readonly total: number };
  /** Bytes of documents between their arrival and their commit. */
  readonly memory: { readonly perKey: number; readonly total: number };
  /** Longest silence in a body, ms. */
  readonly stallMs: number;
  /** A body slower than this, after the first `stallMs`, gives up its place: 9.6 kbit/s mobile data passes. */
  readonly slowestBytesPerSecond: number;
  /** How long a refused body is still read and dropped, so that the client sees our answer before the close, ms. */
  readonly lingerMs: number;
};

const MIB = 1024 * 1024;

export const DOOR_LIMITS: DoorLimits = {
  documentBytes: MIB,
  logBytes: 128 * MIB,
  requestsPerSecond: 200,
  requestBurst: 2000,
  spools: { perKey: 4, total: 32 },
  memory: { perKey: 16 * MIB, total: 256 * MIB },
  stallMs: 30_000,
  slowestBytesPerSecond: 256,
  lingerMs: 5_000,
};
