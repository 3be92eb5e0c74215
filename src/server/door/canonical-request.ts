import type { IncomingMessage } from 'node:http';
import type { QueryPair, Target } from './s3-request.ts';

/** The part of a request that a signature covers. */
export type SignedMessage = Pick<IncomingMessage, 'method' | 'headers' | 'headersDistinct' | 'rawHeaders'>;

const UNRESERVED_PATH = /^[A-Za-z0-9\-._~/]*$/;

/**
 * The canonical request of Signature V4 for S3: path encoded once, query sorted, only the signed headers.
 * Source: AWS, "Authenticating Requests: Using the Authorization Header", Task 1.
 */
export function canonicalRequest(
  message: SignedMessage,
  target: Target,
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

/** Every byte but the unreserved ones is `%XX`; the slash stays. */
export function canonicalPath(path: string): string {
  return UNRESERVED_PATH.test(path) ? path : awsEncode(path).replaceAll('%2F', '/');
}

/** Sorted by encoded name, then by encoded value; a name alone gets `=`. */
export function canonicalQuery(query: readonly QueryPair[]): string {
  if (query.length === 0) return '';
  const encoded = query.map(([name, value]) => [awsEncode(name), awsEncode(value)] as const);
  encoded.sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB));
  return encoded.map(([name, value]) => `${name}=${value}`).join('&');
}

/** RFC 3986: encodeURIComponent leaves `!'()*` as they are, AWS does not. */
export function awsEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Node joins or drops repeated headers in its own ways; the signature covers all of them. */
function hasRepeatedHeader(message: SignedMessage): boolean {
  let names = 0;
  for (const _ in message.headers) names++;
  return names * 2 !== message.rawHeaders.length;
}

function canonicalValue(message: SignedMessage, name: string, repeated: boolean): string {
  const value = repeated ? message.headersDistinct[name] : message.headers[name];
  // The name is the sender's: `constructor` finds a function, not a header.
  const text = Array.isArray(value) ? value.join(',') : value;
  if (typeof text !== 'string') return '';
  return text.includes('  ') ? text.replace(/ +/g, ' ') : text;
}
