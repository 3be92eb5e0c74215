import { describe, expect, test } from 'vitest';
import { type ListPage, listObjectPage, listObjectsXml, readListQuestion } from './listing.ts';
import type { S3Error } from './s3-error.ts';
import { readTarget } from './s3-request.ts';
import type { StoredObject } from './upload-backend.ts';

const KEYS = [
  'A_SN0000001/1/a.log',
  'A_SN0000001/1/b.log',
  'A_SN0000001/2/c.log',
  'A_SN0000001/Status.json',
  'B_SN0000001/x',
];

/** Lists as the database does: each call returns up to `limit` keys. */
const storeOf =
  (keys: readonly string[]): ListPage =>
  async ({ prefix, startAfter, limit }) =>
    keys
      .filter((key) => key.startsWith(prefix) && key > startAfter)
      .slice(0, limit)
      .map((key): StoredObject => ({ key, size: 1, etag: 'e', lastModified: 0 }));

const question = (query: string) =>
  readListQuestion(readTarget(`/telemetry?${query}`, 'localhost', 'telemetry').query);

const entries = async (query: string, keys: readonly string[] = KEYS) => {
  const { objects, commonPrefixes, next } = await listObjectPage(question(query), storeOf(keys));
  return { keys: objects.map(({ key }) => key), commonPrefixes, next };
};

describe('list', () => {
  test.each<[string, string[], string[]]>([
    ['', KEYS, []],
    ['list-type=2', KEYS, []],
    ['delimiter=%2F', [], ['A_SN0000001/', 'B_SN0000001/']],
    ['prefix=A_SN0000001', KEYS.slice(0, 4), []],
    ['prefix=A_SN0000001&delimiter=/', [], ['A_SN0000001/']],
    ['prefix=A_SN0000001/&delimiter=/', [KEYS[3]!], ['A_SN0000001/1/', 'A_SN0000001/2/']],
    ['prefix=A_SN0000001/1/&delimiter=/', KEYS.slice(0, 2), []],
    ['prefix=A_SN0000001/&delimiter=.log', [KEYS[3]!], KEYS.slice(0, 3)],
    ['prefix=C', [], []],
    ['list-type=2&start-after=A_SN0000001/2/c.log', KEYS.slice(3), []],
    ['marker=A_SN0000001/2/c.log', KEYS.slice(3), []],
    ['marker=A_SN0000001/&delimiter=/', [], ['B_SN0000001/']],
    ['max-keys=0', [], []],
  ])(
    'a list request with the query "%s" returns its keys and common prefixes (INGEST-01)',
    async (query, keys, commonPrefixes) => {
      expect(await entries(query)).toEqual({ keys, commonPrefixes, next: undefined });
    },
  );

  test.each(['', '&delimiter=/', '&delimiter=/&prefix=A_SN0000001/'])(
    'pages of 1 to 5 entries with the parameters "%s" join to the whole list, in versions 1 and 2 (INGEST-01)',
    async (rest) => {
      const whole = await entries(rest.slice(1));
      for (let size = 1; size <= 5; size++) {
        for (const version of [1, 2]) {
          const joined: string[] = [];
          let cursor = '';
          for (let page = 0; page < 10; page++) {
            const asked = question(`list-type=${version}&max-keys=${size}${cursor}${rest}`);
            const listing = await listObjectPage(asked, storeOf(KEYS));
            joined.push(...listing.objects.map(({ key }) => key), ...listing.commonPrefixes);
            if (listing.next === undefined) break;
            const xml = listObjectsXml('telemetry', asked, listing);
            const next = /<Next(?:Marker|ContinuationToken)>(.*)<\/Next/.exec(xml)?.[1] ?? 'missing';
            cursor = version === 1 ? `&marker=${next}` : `&continuation-token=${next}`;
          }
          expect(joined.sort()).toEqual([...whole.keys, ...whole.commonPrefixes].sort());
        }
      }
    },
  );

  test('keys under one prefix become one common prefix, even if they are more than a page (INGEST-01)', async () => {
    const many = Array.from(
      { length: 2500 },
      (_, index) => `A_SN0000001/1/${String(index).padStart(5, '0')}`,
    );
    const found = await entries('delimiter=/&prefix=A_SN0000001/', [...many, 'A_SN0000001/2/x']);
    expect(found.commonPrefixes).toEqual(['A_SN0000001/1/', 'A_SN0000001/2/']);
    const flat = await entries('max-keys=5000', many);
    expect([flat.keys.length, flat.next]).toEqual([1000, many[999]]);
  });
});

describe('listObjectsXml', () => {
  const answer = async (query: string, keys: readonly string[]) => {
    const asked = question(query);
    return listObjectsXml('telemetry', asked, await listObjectPage(asked, storeOf(keys)));
  };

  test('the answer to a list request of version 2 counts its keys and echoes the request (INGEST-01)', async () => {
    const xml = await answer('list-type=2&max-keys=1&prefix=A&start-after=A', KEYS);
    const token = Buffer.from(KEYS[0]!).toString('base64url');
    expect(xml).toContain(
      '<Name>telemetry</Name><Prefix>A</Prefix><MaxKeys>1</MaxKeys><IsTruncated>true</IsTruncated>' +
        `<KeyCount>1</KeyCount><StartAfter>A</StartAfter><NextContinuationToken>${token}</NextContinuationToken>`,
    );
  });

  test('the answer to a list request of version 1 has a marker (INGEST-01)', async () => {
    const xml = await answer('max-keys=1000', ['a']);
    expect(xml).toContain('<IsTruncated>false</IsTruncated><Marker></Marker><Contents><Key>a</Key>');
  });

  test('encoding-type=url encodes keys, prefixes and cursors (INGEST-01)', async () => {
    const xml = await answer('encoding-type=url&prefix=a%20+&max-keys=1', ['a  1/ü&+', 'a  2']);
    expect(xml).toContain('<Prefix>a%20%20</Prefix>');
    expect(xml).toContain('<Key>a%20%201/%C3%BC%26%2B</Key>');
    expect(xml).toContain('<NextMarker>a%20%201/%C3%BC%26%2B</NextMarker>');
    expect(xml).toContain('<EncodingType>url</EncodingType>');
  });
});

test.each([
  'max-keys=x',
  'max-keys=-1',
  'encoding-type=hex',
  'list-type=2&continuation-token=!',
  'list-type=2&continuation-token=',
  'prefix=a%00',
  'marker=%00',
  'list-type=2&start-after=a%00b',
  `list-type=2&continuation-token=${Buffer.from('a\0b').toString('base64url')}`,
])('a list request with the query "%s" is refused (INGEST-03)', (query) => {
  expect(() => question(query)).toThrow(
    expect.objectContaining({ code: 'InvalidArgument' } satisfies Partial<S3Error>),
  );
});
