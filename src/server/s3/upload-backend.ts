import type { S3ErrorCode } from './s3-error.ts';

/** The key pair of one logger. `loggerSerial` is the logger's serial or device id as text. */
export type Credential = {
  readonly accessKey: string;
  readonly secret: string;
  readonly loggerSerial: string;
};

/** Kind of an upload: a document (snapshot, Status.json) is kept in memory; a log file is written to a spool file. */
export type DeliveryKind = 'document' | 'log';

/** Blanks secrets in an upload while it is written. The output is as long as the input. */
export type SecretsBlanker = {
  /** Returns the bytes that can already be written. */
  push(bytes: Buffer): Uint8Array;
  end(): Uint8Array;
};

/** A file on disk; it exists until the call that received it settles. */
export type SpooledBody = {
  /** Reads from the beginning; may be called repeatedly. */
  read(): AsyncIterable<Buffer>;
};

/** An upload whose signature, checksums, length and folder were verified. */
export type Delivery = {
  readonly credential: Credential;
  /** Object key, without the bucket: `{LoggerDir}/{…/}{file}`. */
  readonly key: string;
  /** The key's first segment: it ends in `_SN` and the serial of a ReXgen, or is the device id of a CANedge. */
  readonly folder: string;
  /** The key's last segment. */
  readonly fileName: string;
  readonly kind: DeliveryKind;
  /** Size of the decoded body in bytes. */
  readonly size: number;
  /** MD5 of the decoded body in hexadecimal without quotes; for a multipart upload S3's `{MD5}-{number of parts}`. */
  readonly etag: string;
  /** True for a multipart upload. The quota of the key already counts its parts. */
  readonly cameInParts?: boolean;
  readonly contentType: string;
  /** `x-amz-meta-*` without the prefix, such as rclone's `mtime`. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly body: Buffer | SpooledBody;
};

/** Metadata of an uploaded object, for HEAD and LIST. */
export type StoredObject = {
  readonly key: string;
  readonly size: number;
  /** The ETag that was returned when the object was uploaded. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  readonly contentType?: string;
  readonly metadata?: Readonly<Record<string, string>>;
};

/** The objects of one logger, without their bodies. They must not become visible to another logger or owner. */
export type StoredObjects = {
  head(credential: Credential, key: string): Promise<StoredObject | undefined>;
  /**
   * Returns keys with the prefix and after `startAfter`, in byte order (`collate "C"`), at most `limit`. Returns none for a key
   * pair that a former owner may know.
   */
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
  /** ETag of the whole object once the upload was completed; the parts are deleted then. */
  readonly etag: string | undefined;
};

export type UploadPart = {
  /** The part number that the client chose: 1 to 10,000. */
  readonly number: number;
  readonly size: number;
  /** MD5 of the part, hexadecimal, without quotes. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
};

export type StoredPart = UploadPart & SpooledBody;

/** Multipart uploads. An upload belongs to the binding of the key that began it and to one object key; other keys do not see it. */
export type MultipartUploads = {
  /**
   * Starts an upload. @returns its id: letters, digits, `-` and `_`
   * @throws EndpointUnavailable when the quota is used up
   */
  begin(
    credential: Credential,
    key: string,
    about: Pick<MultipartUpload, 'contentType' | 'metadata'>,
  ): Promise<string>;
  /** Finds an upload; undefined when it does not exist or has expired. */
  find(credential: Credential, key: string, id: string): Promise<MultipartUpload | undefined>;
  /** Returns at most `limit` parts with a number above `after`, in order. */
  parts(
    upload: MultipartUpload,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly StoredPart[]>;
  /**
   * Stores a part, replacing an earlier one of that number; resolves after the commit.
   * @returns false when the upload was completed or aborted meanwhile
   * @throws EndpointUnavailable, KeyWithdrawn
   */
  store(
    credential: Credential,
    upload: MultipartUpload,
    part: Omit<UploadPart, 'lastModified'>,
    body: SpooledBody,
  ): Promise<boolean>;
  /** Deletes the parts after the whole object was stored, and keeps the ETag for clients that did not receive the answer. */
  complete(upload: MultipartUpload, etag: string): Promise<void>;
  abort(upload: MultipartUpload): Promise<void>;
};

/** A refused request, for the counters. Without `loggerSerial` the sender is unknown. */
export type RefusedRequest = {
  readonly code: S3ErrorCode;
  readonly accessKey?: string;
  readonly loggerSerial?: string;
  readonly key?: string;
  /** The received Host header, if the signature is valid only for the portal's public host: a proxy has replaced the header. */
  readonly host?: string;
};

type EndpointLog = {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** Everything that the upload endpoint needs from the rest of the server; it imports no store. */
export type UploadBackend = {
  readonly bucket: string;
  /** Milliseconds since 1970. */
  now(): number;
  /** Returns the key pair of an access key. Called on every request: the backend caches results, also for unknown keys. */
  credentials(accessKey: string): Credential | undefined | Promise<Credential | undefined>;
  /**
   * Called before the body of a log file is read.
   * @param bytes the Content-Length; if the body is chunked, the maximum size of a log file
   * @throws EndpointUnavailable when `bytes` exceeds the logger's quota
   */
  admitLog(credential: Credential, bytes: number): Promise<void>;
  /**
   * Stores a delivery. Resolves after the commit; the upload endpoint then answers 200.
   * @throws EndpointUnavailable if the logger must retry later; KeyWithdrawn if the key was withdrawn meanwhile
   */
  deliver(delivery: Delivery): Promise<unknown>;
  readonly objects: StoredObjects;
  readonly multipart: MultipartUploads;
  refused(refusal: RefusedRequest): void;
  readonly log: EndpointLog;
};

/** The key was withdrawn during the upload. The answer is 403, as for every later request with that key. */
export class KeyWithdrawn extends Error {
  override readonly name = 'KeyWithdrawn';
}

/** Nothing can be stored now (database unreachable, queue full). The answer is 503 SlowDown, and the logger retries. */
export class EndpointUnavailable extends Error {
  override readonly name: string = 'EndpointUnavailable';
}

/** The portal is stopping: the logger retries, and no administrator is notified. */
export class EndpointClosed extends EndpointUnavailable {
  override readonly name = 'EndpointClosed';
}
