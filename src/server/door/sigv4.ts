import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Authorization } from './authorization.ts';
import { canonicalRequest, type SignedMessage } from './canonical-request.ts';
import type { Credential } from './door-world.ts';
import { S3Error } from './s3-error.ts';
import type { Target } from './s3-request.ts';
import { hmac, type SigningKey, type SigningKeys, signingKey } from './signing-key.ts';

/** A request whose header signature is right; the chunk signatures continue from it. */
export type VerifiedRequest = {
  readonly key: SigningKey;
  /** yyyyMMddTHHmmssZ */
  readonly timestamp: string;
  readonly scope: string;
  /** The header signature: the seed of the chunk chain. */
  readonly signature: string;
};

/** S3's own rule for the difference between a request's time and ours. */
const LARGEST_SKEW_MS = 15 * 60 * 1000;
const BASIC_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/**
 * Verifies the header signature of a request (AWS Signature V4, service `s3`). The clock is looked at after the
 * signature, so that "clock wrong" is only ever said of a logger that holds the secret.
 * @param now milliseconds since 1970
 * @throws S3Error AuthorizationHeaderMalformed, InvalidRequest, AccessDenied, SignatureDoesNotMatch,
 *   RequestTimeTooSkewed
 */
export function verifyRequest(
  message: SignedMessage,
  target: Target,
  authorization: Authorization,
  credential: Credential,
  keys: SigningKeys,
  now: number,
): VerifiedRequest {
  const { headers } = message;
  const { scope, date, region } = authorization;
  const time = requestTime(headers);
  if (authorization.service !== 's3') {
    throw new S3Error('AuthorizationHeaderMalformed', 'The credential scope is not of service s3.');
  }
  if (!time.timestamp.startsWith(date)) {
    throw new S3Error('AuthorizationHeaderMalformed', 'The credential date is not the date of the request.');
  }
  const payloadHash = headers['x-amz-content-sha256'];
  if (typeof payloadHash !== 'string') {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  requireSigned(headers, authorization.signedHeaders);

  const { accessKey, secret } = credential;
  const known = keys.find(accessKey, secret, date, region);
  const key = known ?? signingKey(secret, date, region);
  const { signedHeaders, signedHeaderList, signature } = authorization;
  const canonical = canonicalRequest(message, target, signedHeaders, signedHeaderList, payloadHash);
  const text = `AWS4-HMAC-SHA256\n${time.timestamp}\n${scope}\n${hash('sha256', canonical)}`;
  if (!isSignature(key, text, signature)) throw new S3Error('SignatureDoesNotMatch');
  if (!known) keys.remember(accessKey, secret, date, region, key);

  if (Math.abs(now - time.ms) > LARGEST_SKEW_MS) throw new S3Error('RequestTimeTooSkewed');
  return { key, timestamp: time.timestamp, scope, signature };
}

/** Compares in constant time. `signature`: 64 hexadecimal digits. */
export function isSignature(key: SigningKey, text: string, signature: string): boolean {
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
}

/** `x-amz-date`, else `Date`. @throws S3Error AccessDenied when there is none that can be read */
function requestTime(headers: IncomingHttpHeaders): { ms: number; timestamp: string } {
  const timestamp = headers['x-amz-date'];
  if (typeof timestamp === 'string') {
    const parts = BASIC_TIME.exec(timestamp);
    if (parts) {
      const [, year, month, day, hour, minute, second] = parts;
      return { ms: Date.UTC(+year!, +month! - 1, +day!, +hour!, +minute!, +second!), timestamp };
    }
  } else if (headers.date) {
    const ms = Date.parse(headers.date);
    const iso = Number.isFinite(ms) ? new Date(ms).toISOString() : '';
    // A year beyond 9999 has a sign and six digits.
    if (iso.length === 24) return { ms, timestamp: `${iso.slice(0, 19).replace(/[-:]/g, '')}Z` };
  }
  throw new S3Error('AccessDenied', 'AWS authentication requires a valid Date or x-amz-date header.');
}

/**
 * Host and every `x-amz-*` header must be signed, as S3 demands: else whoever stands between could add one.
 * x-amz-date and x-amz-content-sha256 are covered by the text to sign itself.
 */
function requireSigned(headers: IncomingHttpHeaders, signedHeaders: readonly string[]): void {
  let complete = signedHeaders.includes('host');
  for (const name in headers) {
    if (!name.startsWith('x-amz-') || name === 'x-amz-date' || name === 'x-amz-content-sha256') continue;
    if (!signedHeaders.includes(name)) complete = false;
  }
  if (!complete)
    throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed.');
}
