import { S3Error } from './s3-error.ts';
import { awsEncode, type QueryPair, queryValue } from './s3-request.ts';
import { listingXml } from './s3-xml.ts';
import type { StoredObject } from './upload-backend.ts';

/** Returns a page of keys in byte order, after `startAfter`. */
export type ListPage = (query: {
  readonly prefix: string;
  readonly startAfter: string;
  readonly limit: number;
}) => Promise<readonly StoredObject[]>;

/** The parameters of ListObjects (version 1) or ListObjectsV2. Source: Amazon S3 API Reference. */
type ListQuestion = {
  readonly version: 1 | 2;
  readonly prefix: string;
  readonly delimiter: string;
  readonly maxKeys: number;
  /** The key after which the page starts. Version 1: `marker`. Version 2: the continuation token, otherwise `start-after`. */
  readonly after: string;
  /** The cursors as sent, which the answer echoes. */
  readonly marker: string | undefined;
  readonly startAfter: string | undefined;
  readonly continuationToken: string | undefined;
  readonly urlEncoded: boolean;
};

type Listing = {
  readonly objects: readonly StoredObject[];
  readonly commonPrefixes: readonly string[];
  /** Last key or common prefix of this page; undefined if there is no next page. */
  readonly next: string | undefined;
};

const MAX_KEYS = 1000;

/** Parses the query of a list request. @throws S3Error InvalidArgument */
export function readListQuestion(query: readonly QueryPair[]): ListQuestion {
  const version = queryValue(query, 'list-type') === '2' ? 2 : 1;
  const marker = version === 1 ? queryValue(query, 'marker') : undefined;
  const startAfter = version === 2 ? queryValue(query, 'start-after') : undefined;
  const continuationToken = version === 2 ? queryValue(query, 'continuation-token') : undefined;
  const encoding = queryValue(query, 'encoding-type') || undefined;
  if (encoding !== undefined && encoding !== 'url')
    throw new S3Error('InvalidArgument', 'encoding-type is url.');
  const prefix = queryValue(query, 'prefix') ?? '';
  const after = continuationToken === undefined ? (startAfter ?? marker ?? '') : readToken(continuationToken);
  // No key contains NUL (s3-request.ts, checkKey), and PostgreSQL does not accept it in a text.
  if (prefix.includes('\0') || after.includes('\0'))
    throw new S3Error('InvalidArgument', 'A key holds no NUL character.');
  return {
    version,
    prefix,
    delimiter: queryValue(query, 'delimiter') ?? '',
    maxKeys: readMaxKeys(queryValue(query, 'max-keys')),
    after,
    marker,
    startAfter,
    continuationToken,
    urlEncoded: encoding === 'url',
  };
}

/**
 * Groups keys by the delimiter into common prefixes, at most `maxKeys` keys and prefixes together. Leaves out a common prefix that
 * equals `after`, because it was on the previous page.
 */
export async function listObjectPage(question: ListQuestion, listPage: ListPage): Promise<Listing> {
  const { prefix, delimiter, maxKeys, after } = question;
  const objects: StoredObject[] = [];
  const commonPrefixes: string[] = [];
  let last = after;
  let cursor = after;
  while (maxKeys > 0) {
    const page = await listPage({ prefix, startAfter: cursor, limit: MAX_KEYS });
    for (const object of page) {
      const end = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length);
      const common = end < 0 ? undefined : object.key.slice(0, end + delimiter.length);
      if (common !== undefined && common === last) continue;
      if (objects.length + commonPrefixes.length === maxKeys) return { objects, commonPrefixes, next: last };
      if (common === undefined) objects.push(object);
      else commonPrefixes.push(common);
      last = common ?? object.key;
    }
    if (page.length < MAX_KEYS) break;
    cursor = page.at(-1)!.key;
  }
  return { objects, commonPrefixes, next: undefined };
}

/** Returns the answer in XML, which echoes the request's parameters as S3 does. */
export function listObjectsXml(bucket: string, question: ListQuestion, listing: Listing): string {
  const { version, prefix, delimiter, maxKeys, urlEncoded } = question;
  const text = (value: string | undefined): string | undefined =>
    value !== undefined && urlEncoded ? awsEncode(value).replaceAll('%2F', '/') : value;
  const truncated = listing.next !== undefined;
  const cursors =
    version === 1
      ? ([
          ['Marker', text(question.marker ?? '')],
          ['NextMarker', truncated ? text(listing.next) : undefined],
        ] as const)
      : ([
          ['KeyCount', listing.objects.length + listing.commonPrefixes.length],
          ['StartAfter', text(question.startAfter)],
          ['ContinuationToken', question.continuationToken],
          ['NextContinuationToken', truncated ? writeToken(listing.next!) : undefined],
        ] as const);
  return listingXml(
    [
      ['Name', bucket],
      ['Prefix', text(prefix)],
      ['Delimiter', delimiter === '' ? undefined : text(delimiter)],
      ['MaxKeys', maxKeys],
      ['EncodingType', urlEncoded ? 'url' : undefined],
      ['IsTruncated', truncated],
      ...cursors,
    ],
    listing.objects.map((object) => ({ ...object, key: text(object.key)! })),
    listing.commonPrefixes.map((common) => text(common)!),
  );
}

function readMaxKeys(value: string | undefined): number {
  if (value === undefined || value === '') return MAX_KEYS;
  if (!/^\d{1,10}$/.test(value)) throw new S3Error('InvalidArgument', 'max-keys is no number.');
  return Math.min(Number(value), MAX_KEYS);
}

/** A continuation token is the last key in base64url. */
const writeToken = (key: string): string => Buffer.from(key).toString('base64url');

function readToken(token: string): string {
  const key = Buffer.from(token, 'base64url').toString();
  if (token === '' || writeToken(key) !== token) {
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect.');
  }
  return key;
}
