import type { IncomingHttpHeaders } from 'node:http';
import type { DigestName } from './digest.ts';
import { S3Error } from './s3-error.ts';

/** How the body is framed and signed: `x-amz-content-sha256`. */
type Framing =
  | { readonly kind: 'plain'; readonly sha256?: string }
  | { readonly kind: 'chunked'; readonly signed: boolean; readonly trailer: boolean };

export type Checksum = {
  readonly name: DigestName;
  readonly expected: Buffer;
  /** Error code for a body whose digest differs. */
  readonly mismatch: 'BadDigest' | 'XAmzContentSHA256Mismatch';
};

/** The claims of the headers about a body that has not been read yet. */
export type Payload = {
  readonly framing: Framing;
  /** Size of the decoded body in bytes; undefined when the client does not know it (transfer-encoding chunked). */
  readonly size: number | undefined;
  /** Largest number of bytes that can arrive according to all declared lengths; undefined when the client declares none. */
  readonly most: number | undefined;
  /** Content-MD5, checksums and the hash in x-amz-content-sha256. */
  readonly checksums: readonly Checksum[];
  /** The checksum that the trailer will contain. */
  readonly trailerChecksum: DigestName | undefined;
};

const SHA256 = /^[0-9a-f]{64}$/;
const CHECKSUM_PREFIX = 'x-amz-checksum-';
/** Names of the supported checksums, each with the length of its value in bytes (Amazon S3 User Guide, "Checking object integrity"). */
const CHECKSUM_BYTES = new Map<string, number>([
  ['crc32', 4],
  ['crc32c', 4],
  ['crc64nvme', 8],
  ['md5', 16],
  ['sha1', 20],
  ['sha256', 32],
  ['sha512', 64],
] satisfies [DigestName, number][]);
/** Endings of `x-amz-checksum-…` headers that contain no checksum. */
const NO_CHECKSUM = new Set(['algorithm', 'mode', 'type']);

/** Digests for which it is not feasible to construct another body with an equal digest. */
const STRONG: ReadonlySet<DigestName> = new Set(['md5', 'sha1', 'sha256', 'sha512']);

/**
 * Reads the claims of the headers about a body.
 * @param overHttps whether the request came over https. Over plain http a man in the middle could replace the body, so the signature must
 * cover it: by the hash of the body, chunk by chunk, or by a strong digest in a signed header (rclone's Content-MD5)
 * @param signedHeaders the headers that the signature covers
 * @throws S3Error MissingContentLength, InvalidArgument, InvalidDigest, InvalidRequest, NotImplemented
 */
export function readPayload(
  headers: IncomingHttpHeaders,
  overHttps: boolean,
  signedHeaders: readonly string[],
): Payload {
  const framing = readFraming(headers['x-amz-content-sha256']);
  const checksums: Checksum[] = [];
  if (framing.kind === 'plain' && framing.sha256 !== undefined) {
    const expected = Buffer.from(framing.sha256, 'hex');
    checksums.push({ name: 'sha256', expected, mismatch: 'XAmzContentSHA256Mismatch' });
  }
  const md5 = headers['content-md5'];
  if (md5 !== undefined) {
    const expected = base64('InvalidDigest', String(md5), 16);
    checksums.push({ name: 'md5', expected, mismatch: 'BadDigest' });
  }

  let checksumHeaders = 0;
  for (const header in headers) {
    if (!isChecksum(header)) continue;
    checksums.push(readChecksum(header, String(headers[header])));
    if (++checksumHeaders > 1)
      throw new S3Error('InvalidRequest', 'Expecting a single x-amz-checksum- header.');
  }
  // x-amz- headers are always signed (sigv4.ts).
  const isCovered = checksums.some(
    ({ name }) => STRONG.has(name) && (name !== 'md5' || signedHeaders.includes('content-md5')),
  );
  if (/*rule:upload-plain-http*/ !overHttps && !isSigned(framing) && !isCovered /*=false*/) {
    throw new S3Error(
      'InvalidRequest',
      'An unsigned payload is taken over https only: sign it, or have the proxy in front send X-Forwarded-Proto.',
    );
  }
  const trailerChecksum = framing.kind === 'chunked' ? promisedTrailer(headers['x-amz-trailer']) : undefined;
  const size = readSize(headers, framing);
  return { framing, size, most: mostOf(headers, size), checksums, trailerChecksum };
}

/** Returns whether the header is a checksum of content. */
export const isChecksum = (header: string): boolean =>
  header.startsWith(CHECKSUM_PREFIX) && !NO_CHECKSUM.has(header.slice(CHECKSUM_PREFIX.length));

/** Parses a checksum header or trailer line. @throws S3Error InvalidRequest, NotImplemented */
export function readChecksum(header: string, value: string): Checksum {
  const name = checksumName(header);
  const expected = base64('InvalidRequest', value, CHECKSUM_BYTES.get(name)!);
  return { name, expected, mismatch: 'BadDigest' };
}

function readFraming(value: string | string[] | undefined): Framing {
  switch (value) {
    case 'UNSIGNED-PAYLOAD':
      return { kind: 'plain' };
    case 'STREAMING-UNSIGNED-PAYLOAD-TRAILER':
      return { kind: 'chunked', signed: false, trailer: true };
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD':
      return { kind: 'chunked', signed: true, trailer: false };
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER':
      return { kind: 'chunked', signed: true, trailer: true };
  }
  if (typeof value === 'string' && SHA256.test(value)) return { kind: 'plain', sha256: value };
  throw new S3Error(
    'InvalidArgument',
    'x-amz-content-sha256 is neither a SHA-256 nor a payload kind known here.',
  );
}

const isSigned = (framing: Framing): boolean =>
  framing.kind === 'chunked' ? framing.signed : framing.sha256 !== undefined;

function readSize(headers: IncomingHttpHeaders, framing: Framing): number | undefined {
  const header =
    framing.kind === 'chunked' ? headers['x-amz-decoded-content-length'] : headers['content-length'];
  if (header === undefined) {
    if (framing.kind === 'plain' && headers['transfer-encoding'] !== undefined) return undefined;
    throw new S3Error('MissingContentLength');
  }
  const size = /^\d{1,15}$/.test(String(header)) ? Number(header) : Number.NaN;
  if (Number.isNaN(size)) throw new S3Error('InvalidArgument', 'The length of the body is no number.');
  return size;
}

/** Returns the larger declared length; undefined if one is absent: without a content-length, the declared decoded length limits nothing. */
function mostOf(headers: IncomingHttpHeaders, size: number | undefined): number | undefined {
  const length = headers['content-length'];
  return size === undefined || length === undefined ? undefined : Math.max(size, Number(length));
}

function promisedTrailer(value: string | string[] | undefined): DigestName | undefined {
  return value === undefined ? undefined : checksumName(String(value).trim().toLowerCase());
}

function checksumName(header: string): DigestName {
  const name = header.startsWith(CHECKSUM_PREFIX) ? header.slice(CHECKSUM_PREFIX.length) : '';
  if (!CHECKSUM_BYTES.has(name))
    throw new S3Error('NotImplemented', `The checksum ${header} is not known here.`);
  return name as DigestName;
}

function base64(code: 'InvalidDigest' | 'InvalidRequest', text: string, length: number): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== length || bytes.toString('base64') !== text) {
    throw new S3Error(code, 'A digest is not valid base64 of the right length.');
  }
  return bytes;
}
