import type { S3ErrorCode } from './s3-error.ts';

/** The key pair of one logger. `loggerSerial` is its 7 digits, leading zeros included. */
export type Credential = {
  readonly accessKey: string;
  readonly secret: string;
  readonly loggerSerial: string;
};

/** Documents (snapshot, Status.json) are kept in memory, log files go through a spool file. */
export type DeliveryKind = 'document' | 'log';

/** Changes what is written of an upload, piece by piece: what comes out is as long as what went in. */
export type Cleaner = {
  /** Returns the bytes that can be written by now. */
  push(bytes: Buffer): Uint8Array;
  /** Returns the rest. */
  end(): Uint8Array;
};

/** A file that is on a disk; one in the spool is gone as soon as the call that was given it settles. */
export type SpooledBody = {
  /** From its beginning; as often as needed. */
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
  /** MD5 of the decoded body, hexadecimal, without quotes; of what came in parts S3's `{MD5}-{number of parts}`. */
  readonly etag: string;
  /** Its parts have counted in the key's quota already. */
  readonly cameInParts?: boolean;
  readonly contentType: string;
  /** `x-amz-meta-*` without the prefix (rclone's `mtime` among them). */
  readonly metadata: Readonly<Record<string, string>>;
  readonly body: Buffer | SpooledBody;
};

/** What HEAD and LIST tell of a delivered object. */
export type StoredObject = {
  readonly key: string;
  readonly size: number;
  /** As it was delivered with. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  readonly contentType?: string;
  readonly metadata?: Readonly<Record<string, string>>;
};

/** The objects of one logger, without their bodies; nothing here may cross to another logger or owner. */
export type StoredObjects = {
  head(credential: Credential, key: string): Promise<StoredObject | undefined>;
  /** Keys with the prefix and after `startAfter`, in byte order (`collate "C"`), at most `limit`; none for a key that a former owner may know. */
  list(
    credential: Credential,
    query: { readonly prefix: string; readonly startAfter: string; readonly limit: number },
  ): Promise<readonly StoredObject[]>;
};

/** An object that is being sent in parts (S3's multipart upload). */
export type MultipartUpload = {
  readonly id: string;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Of the whole, once it was completed; its parts are gone then. */
  readonly etag: string | undefined;
};

export type Part = {
  /** 1 to 10,000. */
  readonly number: number;
  readonly size: number;
  /** MD5, hexadecimal, without quotes. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
};

export type StoredPart = Part & SpooledBody;

/** Each is of the binding of the key that began it and of one object key; to others it is not there. */
export type MultipartUploads = {
  /** @returns its id: letters, digits, `-` and `_` @throws EndpointUnavailable when the quota is used */
  begin(
    credential: Credential,
    key: string,
    about: Pick<MultipartUpload, 'contentType' | 'metadata'>,
  ): Promise<string>;
  /** Undefined: there is none, or no more. */
  find(credential: Credential, key: string, id: string): Promise<MultipartUpload | undefined>;
  /** In the order of their numbers, those above `after`, at most `limit`. */
  parts(
    upload: MultipartUpload,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly StoredPart[]>;
  /**
   * Resolves after the commit; an earlier part of that number is replaced.
   * @returns false when the upload was completed or aborted meanwhile @throws EndpointUnavailable, KeyWithdrawn
   */
  store(
    credential: Credential,
    upload: MultipartUpload,
    part: Omit<Part, 'lastModified'>,
    body: SpooledBody,
  ): Promise<boolean>;
  /** Its content is delivered: the parts go, and its ETag is remembered for whoever did not hear of it. */
  complete(upload: MultipartUpload, etag: string): Promise<void>;
  abort(upload: MultipartUpload): Promise<void>;
};

/** A refused request, for the counters. Without `loggerSerial` the sender is unknown. */
export type Refusal = {
  readonly code: S3ErrorCode;
  readonly accessKey?: string;
  readonly loggerSerial?: string;
  readonly key?: string;
  /** The Host that came, where the signature is right for that of the public address. */
  readonly host?: string;
};

/** pino's shape. */
type EndpointLog = {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** All that the upload endpoint needs to know; it imports no store. */
export type UploadBackend = {
  readonly bucket: string;
  /** Milliseconds since 1970. */
  now(): number;
  /** Asked on every request: the caller caches, unknown keys included. */
  credentials(accessKey: string): Credential | undefined | Promise<Credential | undefined>;
  /** Asked before the body of a log file comes. @param bytes the most that may come @throws EndpointUnavailable when it is too much */
  admitLog(credential: Credential, bytes: number): Promise<void>;
  /** Resolves after the commit; the upload endpoint answers 200 whatever it resolves to. Throws EndpointUnavailable for "later", KeyWithdrawn. */
  deliver(delivery: Delivery): Promise<unknown>;
  readonly objects: StoredObjects;
  readonly multipart: MultipartUploads;
  refused(refusal: Refusal): void;
  readonly log: EndpointLog;
};

/** The key is in force no more: 403, as to whoever comes with it later. */
export class KeyWithdrawn extends Error {
  override readonly name = 'KeyWithdrawn';
}

/** Nothing can be stored now (database gone, queue full): 503 SlowDown, the logger repeats. */
export class EndpointUnavailable extends Error {
  override readonly name: string = 'DoorUnavailable';
}

/** The same of a portal that is being stopped: nothing is wrong, and nobody has to be told. */
export class EndpointClosed extends EndpointUnavailable {
  override readonly name = 'DoorClosed';
}
