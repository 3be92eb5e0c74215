/**
 * Errors of the upload endpoint: code, HTTP status and a sentence. Source: Amazon S3 API Reference, "Error responses"; clients
 * decide by the code whether to retry.
 */
const ERRORS = {
  AccessDenied: [403, 'Access Denied'],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed.'],
  BadDigest: [400, 'The digest you specified does not match what was received.'],
  BucketAlreadyOwnedByYou: [409, 'The bucket exists already and is yours.'],
  EntityTooLarge: [400, 'Your upload exceeds the maximum allowed size.'],
  EntityTooSmall: [400, 'A part is smaller than the minimum allowed size; only the last one may be.'],
  IncompleteBody: [400, 'The body does not have the number of bytes its headers announced.'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The access key you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid argument.'],
  InvalidChunkSizeError: [403, 'Only the last chunk may be smaller than 8192 bytes.'],
  InvalidDigest: [400, 'The Content-MD5 or checksum value is not valid.'],
  InvalidPart: [400, 'One or more of the specified parts could not be found, or has another entity tag.'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order.'],
  InvalidRequest: [400, 'Invalid request.'],
  InvalidURI: [400, 'The specified URI could not be parsed.'],
  KeyTooLongError: [400, 'Your key is too long.'],
  MalformedTrailerError: [400, 'The trailer is missing or malformed.'],
  MalformedXML: [400, 'The XML you provided was not well-formed, or is no list of parts.'],
  MetadataTooLarge: [400, 'Your metadata headers exceed 2 KB.'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411, 'You must provide the Content-Length header.'],
  NoSuchBucket: [404, 'The specified bucket does not exist.'],
  NoSuchBucketPolicy: [404, 'The bucket policy does not exist.'],
  NoSuchCORSConfiguration: [404, 'The CORS configuration does not exist.'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchLifecycleConfiguration: [404, 'The lifecycle configuration does not exist.'],
  NoSuchTagSet: [404, 'The tag set does not exist.'],
  NoSuchUpload: [404, 'The specified upload does not exist. It may have been aborted or completed.'],
  NotImplemented: [501, 'A header or query you provided implies functionality that is not implemented.'],
  ReplicationConfigurationNotFoundError: [404, 'The replication configuration was not found.'],
  RequestTimeout: [400, 'Nothing was received from you within the timeout period.'],
  RequestTimeTooSkewed: [403, 'The difference between the request time and our time is too large.'],
  ServerSideEncryptionConfigurationNotFoundError: [404, 'The encryption configuration was not found.'],
  SignatureDoesNotMatch: [403, 'The signature we calculated does not match the signature you provided.'],
  SlowDown: [503, 'Please reduce your request rate.'],
  XAmzContentSHA256Mismatch: [400, 'The x-amz-content-sha256 header does not match what was received.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type S3ErrorCode = keyof typeof ERRORS;

/** A refusal in S3's terms; the client gets `message` unchanged. */
export class S3Error extends Error {
  readonly code: S3ErrorCode;
  readonly status: number;

  constructor(code: S3ErrorCode, message: string = ERRORS[code][1]) {
    super(message);
    this.name = 'S3Error';
    this.code = code;
    this.status = ERRORS[code][0];
  }
}

/**
 * The signature is right for the portal's public host, but the request arrived with another Host header, because a proxy replaces this
 * header. The client gets the same answer as for a wrong signature.
 */
export class HostHeaderReplacedError extends S3Error {
  readonly host: string;

  /**
   * Creates the error.
   * @param host the value of the Host header that arrived
   */
  constructor(host: string) {
    super('SignatureDoesNotMatch');
    this.host = host;
  }
}

/** Error codes of answers to a client that probes. Every other code is a refusal that is counted. */
const PLAIN_ANSWERS: ReadonlySet<S3ErrorCode> = new Set<S3ErrorCode>([
  'BucketAlreadyOwnedByYou',
  'NoSuchBucketPolicy',
  'NoSuchCORSConfiguration',
  'NoSuchKey',
  'NoSuchLifecycleConfiguration',
  'NoSuchTagSet',
  'NoSuchUpload',
  'ReplicationConfigurationNotFoundError',
  'ServerSideEncryptionConfigurationNotFoundError',
]);

/** Returns whether a refusal is counted (INGEST-03); probes of a normal client are not. */
export const isCountedRefusal = (code: S3ErrorCode): boolean => !PLAIN_ANSWERS.has(code);
