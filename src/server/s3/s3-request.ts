import { S3Error } from './s3-error.ts';

/** Decoded name and value, in the order of the url. */
export type QueryPair = readonly [name: string, value: string];

/** The object that a request addresses. Everything is percent-decoded exactly once. */
export type RequestTarget = {
  /** Decoded path, which starts with `/`: the path that the signature covers. */
  readonly path: string;
  readonly query: readonly QueryPair[];
  /** Empty for the service root (`GET /`, the list of buckets). */
  readonly bucket: string;
  /** Empty if the request is about the bucket itself. */
  readonly key: string;
};

const NO_QUERY: readonly QueryPair[] = [];

/**
 * Parses the raw URL: path style (`/bucket/key`) and virtual-host style (`bucket.anything` as Host). If both name the bucket, the
 * path counts, because the portal itself may be at `bucket.example.nl`.
 * @throws S3Error InvalidURI for a URL that is no path, is not ASCII, or is wrongly percent-encoded
 */
export function readTarget(rawUrl: string, host: string | undefined, ownBucket: string): RequestTarget {
  const mark = rawUrl.indexOf('?');
  const path = decode(mark < 0 ? rawUrl : rawUrl.slice(0, mark));
  if (!path.startsWith('/')) throw new S3Error('InvalidURI');
  const query = mark < 0 ? NO_QUERY : readQuery(rawUrl.slice(mark + 1));

  const slash = path.indexOf('/', 1);
  const first = slash < 0 ? path.slice(1) : path.slice(1, slash);
  if (first !== ownBucket && host?.startsWith(`${ownBucket}.`)) {
    return { path, query, bucket: ownBucket, key: path.slice(1) };
  }
  return { path, query, bucket: first, key: slash < 0 ? '' : path.slice(slash + 1) };
}

/** Returns the value of a query parameter; `''` for `?name`, undefined when absent. */
export function queryValue(query: readonly QueryPair[], name: string): string | undefined {
  for (const pair of query) if (pair[0] === name) return pair[1];
  return undefined;
}

const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;

function decode(text: string): string {
  if (!PRINTABLE_ASCII.test(text)) throw new S3Error('InvalidURI');
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI');
  }
}

function readQuery(raw: string): QueryPair[] {
  const pairs: QueryPair[] = [];
  for (const part of raw.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? '' : part.slice(equals + 1);
    // A query is encoded like a form: `+` is a space, as Go's and Java's clients send it.
    pairs.push([decode(name.replaceAll('+', '%20')), decode(value.replaceAll('+', '%20'))]);
  }
  return pairs;
}

/** Encodes as RFC 3986 requires: encodeURIComponent leaves `!'()*` unencoded, but AWS encodes them. */
export function awsEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
