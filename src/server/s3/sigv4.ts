import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Authorization } from './authorization.ts';
import { HostHeaderReplacedError, S3Error } from './s3-error.ts';
import { awsEncode, type QueryPair, type RequestTarget } from './s3-request.ts';
import { hmac, type SigningKey, type SigningKeys, signingKey } from './signing-key.ts';
import type { Credential } from './upload-backend.ts';

/** A request with a valid header signature, from which the chain of chunk signatures continues. */
export type VerifiedRequest = {
  readonly key: SigningKey;
  /** Format yyyyMMddTHHmmssZ. */
  readonly timestamp: string;
  readonly scope: string;
  /** The header signature: the seed of the chunk chain. */
  readonly signature: string;
  /** Names of the headers that the signature covers. */
  readonly signedHeaders: readonly string[];
};

/** S3's limit for the difference between a request's time and the server's. */
const MAX_SKEW_MS = 15 * 60 * 1000;
const BASIC_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/**
 * Verifies the header signature of a request (AWS Signature V4, service `s3`). Checks the clock after the signature, so that "clock
 * wrong" is only reported to a logger that has the secret.
 * @param now milliseconds since 1970
 * @param publicHosts Hosts that a client may have signed; used to tell a proxy that replaces the Host from a wrong secret
 * @throws HostHeaderReplacedError
 * @throws S3Error AuthorizationHeaderMalformed, InvalidRequest, AccessDenied, SignatureDoesNotMatch, RequestTimeTooSkewed
 */
export function verifyRequest(
  message: SignedMessage,
  target: RequestTarget,
  authorization: Authorization,
  credential: Credential,
  keys: SigningKeys,
  now: number,
  publicHosts: readonly string[] = [],
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
  const isSigned = (sent: SignedMessage): boolean => {
    const canonical = canonicalRequest(sent, target, signedHeaders, signedHeaderList, payloadHash);
    const text = `AWS4-HMAC-SHA256\n${time.timestamp}\n${scope}\n${hash('sha256', canonical)}`;
    return signatureMatches(key, text, signature);
  };
  const isInTime = Math.abs(now - time.ms) <= MAX_SKEW_MS;
  // Reports a proxy only within the allowed clock skew, because a recorded upload that is replayed says nothing about the proxy.
  const wrongSignature = (): S3Error =>
    isInTime && publicHosts.some((host) => isSigned(withHost(message, host)))
      ? new HostHeaderReplacedError(headers.host ?? '')
      : new S3Error('SignatureDoesNotMatch');
  if (/*rule:upload-signature*/ !isSigned(message) /*=false*/) throw wrongSignature();
  if (!known) keys.remember(accessKey, secret, date, region, key);

  if (/*rule:upload-signature-age*/ !isInTime /*=false*/) throw new S3Error('RequestTimeTooSkewed');
  return { key, timestamp: time.timestamp, scope, signature, signedHeaders };
}

/** Returns whether `signature` (64 hexadecimal digits) is the signature of the text; compares in constant time. */
export function signatureMatches(key: SigningKey, text: string, signature: string): boolean {
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
}

/** Returns the time of `x-amz-date`, otherwise of `Date`. @throws S3Error AccessDenied when neither is readable */
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
    // toISOString() gives a year beyond 9999 a sign and six digits.
    if (iso.length === 24) return { ms, timestamp: `${iso.slice(0, 19).replace(/[-:]/g, '')}Z` };
  }
  throw new S3Error('AccessDenied', 'AWS authentication requires a valid Date or x-amz-date header.');
}

/**
 * Requires that Host and every `x-amz-*` header are signed, as S3 does: otherwise a man in the middle could add a header. The
 * signed text itself covers x-amz-date and x-amz-content-sha256.
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

/** The part of a request that a signature covers. */
export type SignedMessage = Pick<IncomingMessage, 'method' | 'headers' | 'headersDistinct' | 'rawHeaders'>;

const withHost = (
  { method, headers, headersDistinct, rawHeaders }: SignedMessage,
  host: string,
): SignedMessage => ({
  method,
  headers: { ...headers, host },
  headersDistinct: { ...headersDistinct, host: [host] },
  rawHeaders,
});

const UNRESERVED_PATH = /^[A-Za-z0-9\-._~/]*$/;

/**
 * Returns the canonical request of Signature V4 for S3: path encoded once, query sorted, only the signed headers. Source: AWS,
 * "Authenticating Requests: Using the Authorization Header", Task 1.
 */
function canonicalRequest(
  message: SignedMessage,
  target: RequestTarget,
  signedHeaders: readonly string[],
  signedHeaderList: string,
  payloadHash: string,
): string {
  const repeated = hasRepeatedHeader(message);
  let headers = '';
  for (const name of signedHeaders) headers += `${name}:${canonicalValue(message, name, repeated)}\n`;
  const path = canonicalPath(target.path);
  const query = canonicalQuery(target.query);
  return `${message.method}\n${path}\n${query}\n${headers}\n${signedHeaderList}\n${payloadHash}`;
}

/** Encodes every byte except unreserved ones and the slash as `%XX`. */
function canonicalPath(path: string): string {
  return UNRESERVED_PATH.test(path) ? path : awsEncode(path).replaceAll('%2F', '/');
}

/** Returns the query with its parameters sorted by encoded name, then by encoded value; a parameter without a value gets `=`. */
function canonicalQuery(query: readonly QueryPair[]): string {
  if (query.length === 0) return '';
  const encoded = query.map(([name, value]) => [awsEncode(name), awsEncode(value)] as const);
  encoded.sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB));
  return encoded.map(([name, value]) => `${name}=${value}`).join('&');
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns whether a header occurs more than once: Node joins or drops its values, but the signature covers all of them. */
function hasRepeatedHeader(message: SignedMessage): boolean {
  let names = 0;
  for (const _ in message.headers) names++;
  return names * 2 !== message.rawHeaders.length;
}

function canonicalValue(message: SignedMessage, name: string, repeated: boolean): string {
  const value = repeated ? message.headersDistinct[name] : message.headers[name];
  // The sender chooses the header's name. A name such as `constructor` finds a function of the object's prototype, not a header.
  const text = Array.isArray(value) ? value.join(',') : value;
  if (typeof text !== 'string') return '';
  return text.includes('  ') ? text.replace(/ +/g, ' ') : text;
}
