import { createHash, createHmac } from 'node:crypto';

/**
 * A second implementation of Signature V4, as plain as AWS's documentation, so that the upload endpoint is not tested against
 * itself. The caller passes the path and query as they are sent, encoded and sorted.
 */
type ToSign = {
  readonly method: string;
  readonly path: string;
  /** Encoded, sorted query without `?`. */
  readonly query?: string;
  /** Headers with names in lower case. All are signed; `x-amz-date` and `x-amz-content-sha256` are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payloadHash: string;
  readonly accessKey: string;
  readonly secret: string;
  /** Format yyyyMMddTHHmmssZ. */
  readonly timestamp: string;
  readonly region?: string;
  /** Date of the scope (yyyyMMdd), when it differs from the timestamp's. */
  readonly scopeDate?: string;
  /** False: the headers have their own `date`, and no `x-amz-date`. */
  readonly amzDate?: boolean;
};

export type SignedRequest = {
  readonly headers: Record<string, string>;
  readonly signature: string;
  readonly scope: string;
  readonly key: Buffer;
};

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Uint8Array, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

export function signNaively(request: ToSign): SignedRequest {
  const {
    method,
    path,
    query = '',
    payloadHash,
    accessKey,
    secret,
    timestamp,
    region = 'us-east-1',
  } = request;
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-content-sha256': payloadHash,
    ...(request.amzDate !== false && { 'x-amz-date': timestamp }),
  };
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]!.trim()}\n`).join('');
  const canonical = [method, path, query, lines, names.join(';'), payloadHash].join('\n');

  const date = request.scopeDate ?? timestamp.slice(0, 8);
  const scope = `${date}/${region}/s3/aws4_request`;
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), 's3'), 'aws4_request');
  const text = ['AWS4-HMAC-SHA256', timestamp, scope, sha256(canonical)].join('\n');
  const signature = hmac(key, text).toString('hex');
  headers.authorization =
    `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, ` +
    `SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { headers, signature, scope, key };
}

/** Returns an aws-chunked body with its signature chain, and with a signed trailer when one is given. */
export function signChunks(
  signed: SignedRequest,
  chunks: readonly Uint8Array[],
  trailer?: { readonly name: string; readonly value: string },
): { body: Buffer; signatures: string[]; trailerSignature: string | undefined } {
  const timestamp = signed.headers['x-amz-date']!;
  let previous = signed.signature;
  const signatures: string[] = [];
  const parts: Uint8Array[] = [];
  for (const chunk of [...chunks, new Uint8Array(0)]) {
    const text = ['AWS4-HMAC-SHA256-PAYLOAD', timestamp, signed.scope, previous, sha256(''), sha256(chunk)];
    previous = hmac(signed.key, text.join('\n')).toString('hex');
    signatures.push(previous);
    parts.push(Buffer.from(`${chunk.length.toString(16)};chunk-signature=${previous}\r\n`), chunk);
    if (chunk.length > 0) parts.push(Buffer.from('\r\n'));
  }
  let trailerSignature: string | undefined;
  if (trailer) {
    const content = sha256(`${trailer.name}:${trailer.value}\n`);
    const text = ['AWS4-HMAC-SHA256-TRAILER', timestamp, signed.scope, previous, content].join('\n');
    trailerSignature = hmac(signed.key, text).toString('hex');
    parts.push(
      Buffer.from(`${trailer.name}:${trailer.value}\r\nx-amz-trailer-signature:${trailerSignature}\r\n`),
    );
  }
  parts.push(Buffer.from('\r\n'));
  return { body: Buffer.concat(parts), signatures, trailerSignature };
}

/** Returns the time of a signature: yyyyMMddTHHmmssZ. @param ms milliseconds since 1970 */
export const formatAmzDate = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
