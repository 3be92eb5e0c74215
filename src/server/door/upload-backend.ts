import type { S3ErrorCode } from './s3-error.ts';

/** The key pair of one logger. `loggerSerial` is its 7 digits, leading zeros included. */
export type Credential = {
  readonly accessKey: string;
  readonly secret: string;
  readonly loggerSerial: string;
};

/** Documents (snapshot, Status.json) are kept in memory, log files go through a spool file. */
export type DeliveryKind = 'document' | 'log';

/** A log file in the spool; it is gone as soon as `deliver` settles. */
export type SpooledBody = {
  /** The file from its beginning; as often as needed. */
  read(): AsyncIterable<Buffer>;
};

/** One upload, verified: signature, checksums, length, folder. */
export type Delivery = {
  readonly credential: Credential;
  /** Object key, without the bucket: `{LoggerDir}/{…/}{file}`. */
  readonly key: string;
  /** The key's first segment, which ends in `_SN` and the logger's serial. */
  readonly folder: string;
  /** The key's last segment. */
  readonly fileName: string;
  readonly kind: DeliveryKind;
  /** Bytes, decoded. */
  readonly size: number;
  /** MD5 of the decoded body, hexadecimal, without quotes. */
  readonly etag: string;
  readonly contentType: string;
  /** `x-amz-meta-*` without the prefix (rclone's `mtime` among them). */
  readonly metadata: Readonly<Record<string, string>>;
  readonly body: Buffer | SpooledBody;
};

/** What HEAD and LIST tell of a delivered object. */
export type StoredObject = {
  readonly key: string;
  readonly size: number;
  /** MD5, hexadecimal, without quotes. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  readonly contentType?: string;
  readonly metadata?: Readonly<Record<string, string>>;
};

export type StoredContent = StoredObject & { readonly body: Buffer | AsyncIterable<Uint8Array> };

/** The objects of one logger; nothing here may cross to another logger. */
export type StoredObjects = {
  head(loggerSerial: string, key: string): Promise<StoredObject | undefined>;
  get(loggerSerial: string, key: string): Promise<StoredContent | undefined>;
  /** Keys with the prefix and after `startAfter`, in byte order (`collate "C"`), at most `limit`. */
  list(
    loggerSerial: string,
    query: { readonly prefix: string; readonly startAfter: string; readonly limit: number },
  ): Promise<readonly StoredObject[]>;
};

/** A refused request, for the counters. Without `loggerSerial` the sender is unknown. */
export type Refusal = {
  readonly code: S3ErrorCode;
  readonly accessKey?: string;
  readonly loggerSerial?: string;
  readonly key?: string;
};

/** pino's shape. */
type DoorLog = {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** All that the door needs to know; it imports no store. */
export type UploadBackend = {
  readonly bucket: string;
  /** Milliseconds since 1970. */
  now(): number;
  /** Asked on every request: the caller caches, unknown keys included. */
  credentials(accessKey: string): Credential | undefined | Promise<Credential | undefined>;
  /** Asked before the body of a log file comes. @param bytes the most that may come @throws DoorUnavailable when it is too much */
  admitLog(credential: Credential, bytes: number): Promise<void>;
  /** Resolves after the commit; the door answers 200 whatever it resolves to. Throws DoorUnavailable for "later", KeyWithdrawn. */
  deliver(delivery: Delivery): Promise<unknown>;
  readonly objects: StoredObjects;
  refused(refusal: Refusal): void;
  readonly log: DoorLog;
};

/** The key is in force no more: 403, as to whoever comes with it later. */
export class KeyWithdrawn extends Error {
  override readonly name = 'KeyWithdrawn';
}

/** Nothing can be stored now (database gone, queue full): 503 SlowDown, the logger repeats. */
export class DoorUnavailable extends Error {
  override readonly name: string = 'DoorUnavailable';
}

/** The same of a portal that is being stopped: nothing is wrong, and nobody has to be told. */
export class DoorClosed extends DoorUnavailable {
  override readonly name = 'DoorClosed';
}
