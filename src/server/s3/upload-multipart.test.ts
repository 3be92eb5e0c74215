import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOGGER_CREDENTIAL, OTHER_LOGGER } from './test/memory-backend.ts';
import { formatAmzDate, sha256, signChunks, signNaively } from './test/naive-signer.ts';
import { openSocket, uploadHead } from './test/raw-socket.ts';
import {
  type EndpointAnswer,
  errorCodeOfAnswer,
  type RunningEndpoint,
  runUploadEndpoint,
  sendRawRequest,
  sendSigned,
  signRequest,
} from './test/running-endpoint.ts';
import { EndpointUnavailable } from './upload-backend.ts';

const LOG = '/telemetry/BM_SN0000001/7/a.log';
const DOCUMENT = '/telemetry/BM_SN0000001/snapshot.json';

let endpoint: RunningEndpoint;
beforeEach(async () => {
  endpoint = await runUploadEndpoint({ partBytes: 10, logBytes: 100, documentBytes: 50 });
});
afterEach(async () => {
  expect(endpoint.backend.problems).toEqual([]);
  await expect.poll(() => endpoint.spooled()).toEqual([]);
  await endpoint.close();
});

type Options = Parameters<typeof signRequest>[2];
const md5 = (data: string | Buffer) => createHash('md5').update(data).digest();

async function begin(path = LOG, headers: Record<string, string> = {}): Promise<string> {
  const answer = await sendSigned(endpoint, { method: 'POST', path: `${path}?uploads=`, headers });
  expect([answer.status, errorCodeOfAnswer(answer)]).toEqual([200, undefined]);
  return /<UploadId>(.*)<\/UploadId>/.exec(answer.body)?.[1] ?? '';
}
const partPath = (id: string, number: number | string, path = LOG) =>
  `${path}?partNumber=${number}&uploadId=${id}`;
const putPart = (id: string, number: number | string, body: string, path = LOG, options?: Options) =>
  sendSigned(endpoint, { method: 'PUT', path: partPath(id, number, path), body }, options);
/** Returns a body for CompleteMultipartUpload, given the number and the content of each part. */
const listOf = (...parts: readonly (readonly [number: number, content: string])[]): string => {
  const outcomeOf = parts.map(
    ([number, content]) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>"${md5(content).toString('hex')}"</ETag></Part>`,
  );
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${outcomeOf.join('')}</CompleteMultipartUpload>`;
};
const complete = (id: string, body: string, path = LOG, headers: Record<string, string> = {}) =>
  sendSigned(endpoint, { method: 'POST', path: `${path}?uploadId=${id}`, body, headers });
const about = (method: string, id: string, path = LOG, options?: Options) =>
  sendSigned(endpoint, { method, path: `${path}?uploadId=${id}` }, options);
const outcomeOf = (answer: EndpointAnswer): string =>
  `${answer.status} ${errorCodeOfAnswer(answer) ?? ''}`.trim();

describe('a multipart upload (17.7)', () => {
  test('a multipart upload with parts out of order and one sent twice is delivered once, as one file', async () => {
    const id = await begin(LOG, { 'content-type': 'text/plain', 'x-amz-meta-mtime': '12.5' });
    expect(outcomeOf(await putPart(id, 7, 'the end'))).toBe('200');
    expect(outcomeOf(await putPart(id, 2, 'not this one'))).toBe('200');
    const again = await putPart(id, 2, 'the middle;');
    expect(again.headers.etag).toBe(`"${md5('the middle;').toString('hex')}"`);
    expect(outcomeOf(await putPart(id, 1, 'the beginning;'))).toBe('200');
    const parts = await about('GET', id);
    expect(parts.body).toMatch(/<MaxParts>1000<\/MaxParts><IsTruncated>false<\/IsTruncated>/);
    expect(
      [...parts.body.matchAll(/<PartNumber>(\d+)<.*?<Size>(\d+)</g)].map(([, n, size]) => [n, size]),
    ).toEqual([
      ['1', '14'],
      ['2', '11'],
      ['7', '7'],
    ]);
    expect(endpoint.backend.deliveries).toEqual([]);

    const list = listOf([1, 'the beginning;'], [2, 'the middle;'], [7, 'the end']);
    const etag = `${md5(Buffer.concat(['the beginning;', 'the middle;', 'the end'].map(md5))).toString('hex')}-3`;
    const answer = await complete(id, list);
    expect(answer.status).toBe(200);
    expect(answer.body).toContain(
      `<Bucket>telemetry</Bucket><Key>BM_SN0000001/7/a.log</Key><ETag>&quot;${etag}&quot;</ETag>`,
    );
    expect(endpoint.backend.deliveries).toMatchObject([
      {
        key: 'BM_SN0000001/7/a.log',
        folder: 'BM_SN0000001',
        fileName: 'a.log',
        kind: 'log',
        size: 32,
        etag,
        contentType: 'text/plain',
        metadata: { mtime: '12.5' },
      },
    ]);
    expect(endpoint.backend.bodies.map(String)).toEqual(['the beginning;the middle;the end']);

    // The client missed the answer and repeats the request; the object is not stored again.
    expect((await complete(id, list)).body).toBe(answer.body);
    expect(endpoint.backend.deliveries).toHaveLength(1);
    const over = [
      await complete(id, listOf([1, 'the beginning;'])),
      await putPart(id, 3, 'late'),
      await about('GET', id),
      await about('DELETE', id),
    ];
    expect(over.map(outcomeOf)).toEqual(Array(4).fill('404 NoSuchUpload'));
  });

  test('a multipart upload is delivered as a document when its file name is that of a document', async () => {
    const id = await begin(DOCUMENT);
    await putPart(id, 1, '{"RTC_UNIX":17', DOCUMENT);
    await putPart(id, 2, '63690000}', DOCUMENT);
    const list = listOf([1, '{"RTC_UNIX":17'], [2, '63690000}']);
    expect(outcomeOf(await complete(id, list, DOCUMENT))).toBe('200');
    expect(endpoint.backend.deliveries).toMatchObject([{ kind: 'document', size: 23 }]);
    expect(endpoint.backend.deliveries[0]?.body).toEqual(Buffer.from('{"RTC_UNIX":1763690000}'));
  });

  test('a multipart upload does not exist any more after it was aborted', async () => {
    const id = await begin();
    await putPart(id, 1, 'x');
    const answer = await about('DELETE', id);
    expect([answer.status, answer.body, answer.headers['content-length']]).toEqual([204, '', undefined]);
    expect(outcomeOf(await complete(id, listOf([1, 'x'])))).toBe('404 NoSuchUpload');
    expect(outcomeOf(await about('DELETE', id))).toBe('404 NoSuchUpload');
  });

  test('a multipart upload can be completed after a delivery that failed', async () => {
    const id = await begin();
    await putPart(id, 1, 'x');
    endpoint.backend.beforeDelivery = () => {
      throw new EndpointUnavailable('the database is away');
    };
    expect(outcomeOf(await complete(id, listOf([1, 'x'])))).toBe('503 SlowDown');
    expect(endpoint.backend.problems.splice(0)).toHaveLength(1);
    endpoint.backend.beforeDelivery = () => {};
    expect(outcomeOf(await complete(id, listOf([1, 'x'])))).toBe('200');
  });

  test('the parts of a multipart upload are listed in pages', async () => {
    const id = await begin();
    for (const n of [1, 2, 3]) await putPart(id, n, `part ${n}`);
    const page = async (query: string) =>
      (await sendSigned(endpoint, { method: 'GET', path: `${LOG}?${query}uploadId=${id}` })).body;
    const first = await page('max-parts=2&');
    expect(first).toMatch(/<NextPartNumberMarker>2<.*<IsTruncated>true</);
    expect(first.match(/<Part>/g)).toHaveLength(2);
    expect(await page('part-number-marker=2&')).toMatch(/<IsTruncated>false<.*<PartNumber>3</);
  });
});

describe('refusals of a multipart upload (17.7)', () => {
  test.each([
    ['in another order', listOf([2, 'the middle;'], [1, 'the beginning;']), '400 InvalidPartOrder'],
    ['twice the same', listOf([1, 'the beginning;'], [1, 'the beginning;']), '400 InvalidPartOrder'],
    ['one that never came', listOf([1, 'the beginning;'], [4, 'x']), '400 InvalidPart'],
    ['another content', listOf([1, 'the Beginning;']), '400 InvalidPart'],
    [
      'a small one before another',
      listOf([1, 'the beginning;'], [3, 'small'], [9, 'x']),
      '400 EntityTooSmall',
    ],
    ['none', '<CompleteMultipartUpload/>', '400 MalformedXML'],
    ['no XML', '{}', '400 MalformedXML'],
    ['nothing', '', '400 MalformedXML'],
    ['another document', '<Delete><Part/></Delete>', '400 MalformedXML'],
    [
      'a part without a number',
      '<CompleteMultipartUpload><Part><ETag>x</ETag></Part></CompleteMultipartUpload>',
      '400 MalformedXML',
    ],
    ['what breaks off', listOf([1, 'the beginning;']).slice(0, -5), '400 MalformedXML'],
    [
      'entities of its own',
      `<!DOCTYPE a [<!ENTITY b "c">]>${listOf([1, 'the beginning;'])}`,
      '400 MalformedXML',
    ],
    ['too long a list', `<!--${' '.repeat(70_000)}-->${listOf([1, 'the beginning;'])}`, '400 EntityTooLarge'],
  ])('a multipart upload is not completed by a list of parts with %s', async (_, list, expected) => {
    const id = await begin();
    for (const [number, content] of [
      [1, 'the beginning;'],
      [2, 'the middle;'],
      [3, 'small'],
      [9, 'x'],
    ] as const)
      await putPart(id, number, content);
    expect(outcomeOf(await complete(id, list))).toBe(expected);
    expect(endpoint.backend.deliveries).toEqual([]);
    expect(outcomeOf(await complete(id, listOf([1, 'the beginning;'], [9, 'x'])))).toBe('200');
  });

  test('a part is refused if all parts together exceed the limit of a single upload, not counting a part that it replaces', async () => {
    const id = await begin();
    expect(outcomeOf(await putPart(id, 1, 'x'.repeat(101)))).toBe('400 EntityTooLarge');
    expect(outcomeOf(await putPart(id, 1, 'x'.repeat(60)))).toBe('200');
    expect(outcomeOf(await putPart(id, 2, 'x'.repeat(41)))).toBe('400 EntityTooLarge');
    expect(outcomeOf(await putPart(id, 2, 'x'.repeat(40)))).toBe('200');
    expect(outcomeOf(await putPart(id, 2, 'y'.repeat(40)))).toBe('200');
    const unknown = { method: 'PUT', path: partPath(id, 3), headers: { 'transfer-encoding': 'chunked' } };
    expect(outcomeOf(await sendSigned(endpoint, { ...unknown, body: 'x' }))).toBe('400 EntityTooLarge');
    const document = await begin(DOCUMENT);
    expect(outcomeOf(await putPart(document, 1, 'x'.repeat(51), DOCUMENT))).toBe('400 EntityTooLarge');
  });

  test.each(['0', '10001', '-1', '1.5', 'one', '', '1e3'])(
    'a part with the number “%s” is refused',
    async (number) => {
      expect(outcomeOf(await putPart(await begin(), number, 'x'))).toBe('400 InvalidArgument');
    },
  );

  test('an unknown upload id is refused', async () => {
    for (const id of ['', 'x', '%00', 'a%2Fb', 'a'.repeat(1_000)]) {
      expect([id, outcomeOf(await putPart(id, 1, 'x'))]).toEqual([id, '404 NoSuchUpload']);
      expect([id, outcomeOf(await complete(id, listOf([1, 'x'])))]).toEqual([id, '404 NoSuchUpload']);
    }
    expect(endpoint.backend.refusals).toEqual([]);
  });

  test.each([
    ['a copy of another object as a part', 'PUT', 'x-amz-copy-source'],
    ['a condition on the completion', 'POST', 'if-none-match'],
    ['a checksum of the whole', 'POST', 'x-amz-checksum-crc32'],
  ])('a multipart upload with %s is refused', async (_, method, name) => {
    const id = await begin();
    await putPart(id, 1, 'x');
    const path = method === 'PUT' ? partPath(id, 2) : `${LOG}?uploadId=${id}`;
    const answer = await sendSigned(endpoint, {
      method,
      path,
      headers: { [name]: '*' },
      body: listOf([1, 'x']),
    });
    expect(outcomeOf(answer)).toBe('501 NotImplemented');
    expect(endpoint.backend.deliveries).toEqual([]);
  });

  test.each([
    ['GET', '/telemetry/?uploads='],
    ['GET', `${LOG}?uploads=`],
    ['PUT', `${LOG}?partNumber=1`],
    ['HEAD', `${LOG}?uploadId=x`],
  ])('the request %s %s is not supported', async (method, path) => {
    expect((await sendSigned(endpoint, { method, path })).status).toBe(501);
  });
});

describe('the body of a part (17.7)', () => {
  const CONTENT = Buffer.alloc(20_000, 'a part of it;');
  beforeEach(async () => {
    await endpoint.close();
    endpoint = await runUploadEndpoint();
  });

  test('the body of a part is verified like any other: in signed chunks with a trailer, by a checksum, by its hash', async () => {
    const id = await begin();
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(CONTENT));
    const payloadHash = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER';
    const headers = {
      'content-encoding': 'aws-chunked',
      'x-amz-decoded-content-length': String(CONTENT.length),
      'x-amz-trailer': 'x-amz-checksum-crc32',
    };
    const request = { method: 'PUT', path: partPath(id, 1), headers };
    const head = signRequest(endpoint, request, { payloadHash });
    const trailer = { name: 'x-amz-checksum-crc32', value: crc.toString('base64') };
    const chunks = [CONTENT.subarray(0, 8192), CONTENT.subarray(8192)];
    const { body } = signChunks(head, chunks, trailer);
    expect(outcomeOf(await sendRawRequest(endpoint, { ...request, headers: head.headers, body }))).toBe(
      '200',
    );
    const forged = signChunks(head, [chunks[0]!, Buffer.alloc(11_808)], trailer).body;
    forged.set(CONTENT.subarray(8192, 8200), forged.indexOf(Buffer.alloc(100)));
    expect(
      outcomeOf(await sendRawRequest(endpoint, { ...request, headers: head.headers, body: forged })),
    ).toBe('403 SignatureDoesNotMatch');
    const path = partPath(id, 2);
    const checked = { 'x-amz-checksum-sha256': Buffer.from(sha256('other'), 'hex').toString('base64') };
    expect(outcomeOf(await sendSigned(endpoint, { method: 'PUT', path, headers: checked, body: 'x' }))).toBe(
      '400 BadDigest',
    );
    const wrong = { payloadHash: sha256('other') };
    expect(outcomeOf(await putPart(id, 2, 'x', LOG, wrong))).toBe('400 XAmzContentSHA256Mismatch');
    expect((await about('GET', id)).body.match(/<PartNumber>\d+/g)).toEqual(['<PartNumber>1']);
    expect(outcomeOf(await complete(id, listOf([1, CONTENT.toString()])))).toBe('200');
    expect(endpoint.backend.bodies[0]?.equals(CONTENT)).toBe(true);
  });

  test('a part whose body breaks off is not stored', async () => {
    const id = await begin();
    const socket = await openSocket(endpoint);
    socket.write(`${uploadHead(endpoint, partPath(id, 1), 1_000)}only this`);
    socket.socket.end();
    await socket.closed();
    expect((await about('GET', id)).body).not.toContain('<Part>');
  });

  test("a part takes only its declared size of the spool's quota, so that a client may send ten at once", async () => {
    const id = await begin();
    const opened = async (path: string, length: number) => {
      const socket = await openSocket(endpoint);
      socket.write(uploadHead(endpoint, path, length, { expect: '100-continue' }));
      const answer = await socket.until(/100 Continue|<Code>SlowDown/);
      return { socket: socket.socket, isTaken: answer.includes('100 Continue') };
    };
    const parts = Array.from({ length: 10 }, (_, n) => opened(partPath(id, n + 1), 8 * 1024 * 1024));
    // A key may receive four log files of 128 MiB at once.
    const logs = [1, 2, 3, 4].map((n) => async () => opened(`${LOG}${n}`, 4));
    const all = await Promise.all(parts);
    for (const open of logs) all.push(await open());
    expect(all.map(({ isTaken }) => isTaken)).toEqual([...Array(13).fill(true), false]);
    for (const { socket } of all) socket.destroy();
  });
});

describe('the owner of a multipart upload (17.7)', () => {
  const other = { credential: OTHER_LOGGER };
  const IN_ITS_OWN = '/telemetry/BM_SN0000002/7/a.log';

  test("another logger's key cannot add a part to, list, complete or abort a multipart upload, in the owner's folder or in its own folder", async () => {
    const id = await begin();
    await putPart(id, 1, 'x');
    for (const [path, expected] of [
      [LOG, '403 AccessDenied'],
      [IN_ITS_OWN, '404 NoSuchUpload'],
    ] as const) {
      const list = { method: 'POST', path: `${path}?uploadId=${id}`, body: listOf([1, 'x']) };
      const answers = [
        await putPart(id, 1, 'y', path, other),
        await about('GET', id, path, other),
        await about('DELETE', id, path, other),
        await sendSigned(endpoint, list, other),
      ];
      expect(answers.map(outcomeOf)).toEqual(Array(4).fill(expected));
    }
    const theirs = { method: 'POST', path: `${LOG}?uploads=` };
    expect(outcomeOf(await sendSigned(endpoint, theirs, other))).toBe('403 AccessDenied');
    expect(outcomeOf(await complete(id, listOf([1, 'x'])))).toBe('200');
    expect(endpoint.backend.bodies.map(String)).toEqual(['x']);
  });

  test('a multipart upload belongs to one object key', async () => {
    const id = await begin();
    const elsewhere = '/telemetry/BM_SN0000001/7/b.log';
    expect(outcomeOf(await putPart(id, 1, 'x', elsewhere))).toBe('404 NoSuchUpload');
    expect(outcomeOf(await complete(id, listOf([1, 'x']), elsewhere))).toBe('404 NoSuchUpload');
    const bare = await sendSigned(endpoint, { method: 'POST', path: '/telemetry/BM_SN0000001?uploads=' });
    expect(outcomeOf(bare)).toBe('403 AccessDenied');
  });

  test('a part with an old signature, or with a signature in its URL, is refused', async () => {
    const id = await begin();
    const old = { now: Date.now() - 16 * 60_000 };
    expect(outcomeOf(await putPart(id, 1, 'x', LOG, old))).toBe('403 RequestTimeTooSkewed');
    for (const at of [Date.now(), Date.now() - 3600_000]) {
      const timestamp = formatAmzDate(at);
      const query = [
        'X-Amz-Algorithm=AWS4-HMAC-SHA256',
        `X-Amz-Credential=${encodeURIComponent(`${LOGGER_CREDENTIAL.accessKey}/${timestamp.slice(0, 8)}/us-east-1/s3/aws4_request`)}`,
        `X-Amz-Date=${timestamp}`,
        'X-Amz-Expires=900',
        'X-Amz-SignedHeaders=host',
        `partNumber=1&uploadId=${id}`,
      ].join('&');
      const request = { method: 'PUT', path: LOG, query, headers: { host: endpoint.host } };
      const { accessKey, secret } = LOGGER_CREDENTIAL;
      const { signature } = signNaively({
        ...request,
        payloadHash: 'UNSIGNED-PAYLOAD',
        accessKey,
        secret,
        timestamp,
        amzDate: false,
      });
      const path = `${LOG}?${query}&X-Amz-Signature=${signature}`;
      expect(outcomeOf(await sendRawRequest(endpoint, { method: 'PUT', path, body: 'x' }))).toBe(
        '403 AccessDenied',
      );
    }
    expect((await about('GET', id)).body).not.toContain('<Part>');
  });
});
