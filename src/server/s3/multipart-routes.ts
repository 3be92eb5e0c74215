import { buffer } from 'node:stream/consumers';
import { answerXml, type RequestExchange, sendAnswer } from './exchange.ts';
import { requireFolderInKey } from './object-key.ts';
import {
  type EndpointContext,
  parseObjectKey,
  readObjectHeaders,
  receiveVerifiedBody,
  refuseUnsupportedHeaders,
} from './object-routes.ts';
import { etagOfParts, readPartList, selectListedParts, totalSizeBytes } from './part-list.ts';
import { isChecksum } from './payload.ts';
import { S3Error } from './s3-error.ts';
import { awsEncode, queryValue, type RequestTarget } from './s3-request.ts';
import { partsXml, uploadXml } from './s3-xml.ts';
import type { VerifiedRequest } from './sigv4.ts';
import type { Credential, Delivery, MultipartUpload, SpooledBody, StoredPart } from './upload-backend.ts';

/** Highest part number (Amazon S3 User Guide, "Multipart upload limits"). */
const LAST_NUMBER = 10_000;
/** Maximum number of parts in an answer of ListParts, the same as S3's. The largest object has fewer parts. */
const PARTS_PER_PAGE = 1_000;
/** Maximum size of the body of CompleteMultipartUpload. The largest object needs 10 kB, at 400 bytes for each part. */
const LIST_BYTES = 64 * 1024;
const UPLOAD_ID = /^[\w-]{1,100}$/;

type Asked = {
  readonly context: EndpointContext;
  readonly exchange: RequestExchange;
  readonly credential: Credential;
  readonly target: RequestTarget;
  readonly verified: VerifiedRequest;
};

/**
 * Handles CreateMultipartUpload, UploadPart, CompleteMultipartUpload, AbortMultipartUpload and ListParts
 * (docs/decisions/0049-uploads-in-parts.md).
 * @returns undefined for other requests
 * @throws S3Error, ClientDisconnected, EndpointUnavailable, KeyWithdrawn; synchronously or as a rejection
 */
export function multipartRoute(
  context: EndpointContext,
  exchange: RequestExchange,
  credential: Credential,
  target: RequestTarget,
  verified: VerifiedRequest,
): Promise<void> | undefined {
  const { method, headers } = exchange.request;
  const asked = { context, exchange, credential, target, verified };
  const id = queryValue(target.query, 'uploadId');
  if (id === undefined) {
    if (method !== 'POST' || queryValue(target.query, 'uploads') === undefined) return undefined;
    refuseUnsupportedHeaders(headers);
    return create(asked);
  }
  const work = { PUT: uploadPart, POST: complete, DELETE: abort, GET: listParts }[method ?? ''];
  if (!work) return undefined;
  refuseUnsupportedHeaders(headers);
  return ofUpload(asked, id, work);
}

type Work = (asked: Asked, upload: MultipartUpload) => Promise<void>;

async function ofUpload(asked: Asked, id: string, work: Work): Promise<void> {
  const { context, credential, target } = asked;
  const upload = UPLOAD_ID.test(id)
    ? await context.backend.multipart.find(credential, target.key, id)
    : undefined;
  // After an upload is completed, only a repeated CompleteMultipartUpload is accepted, and gets the same answer as the first one.
  if (!upload || (upload.etag !== undefined && work !== complete)) throw new S3Error('NoSuchUpload');
  await work(asked, upload);
}

async function create({ context, exchange, credential, target }: Asked): Promise<void> {
  const { backend } = context;
  const { bucket, key } = target;
  requireFolderInKey(key);
  parseObjectKey(context, key);
  const id = await backend.multipart.begin(credential, key, readObjectHeaders(exchange.request.headers));
  answerXml(
    exchange,
    uploadXml('InitiateMultipartUploadResult', [
      ['Bucket', bucket],
      ['Key', key],
      ['UploadId', id],
    ]),
  );
}

/** Returns the maximum size in bytes of an object of this kind (document or log file). */
const mostBytes = ({ limits }: EndpointContext, kind: Delivery['kind']): number =>
  kind === 'log' ? limits.logBytes : limits.documentBytes;

/** Receives and stores a part. @throws S3Error InvalidArgument, EntityTooLarge, NoSuchUpload */
async function uploadPart(asked: Asked, upload: MultipartUpload): Promise<void> {
  const { context, exchange, credential, target, verified } = asked;
  const { multipart } = context.backend;
  const number = wholeNumber(target, 'partNumber') ?? 0;
  if (number < 1 || number > LAST_NUMBER) {
    throw new S3Error('InvalidArgument', `Part number must be an integer between 1 and ${LAST_NUMBER}.`);
  }
  const stored = await multipart.parts(upload, { after: 0, limit: PARTS_PER_PAGE });
  const others = totalSizeBytes(stored.filter((part) => part.number !== number));
  const { kind, fileName } = parseObjectKey(context, target.key);
  const bytes = mostBytes(context, kind) - others;
  // The secrets of a log are in its first part; those of a document may be in any part.
  const cleaner = number === 1 || kind === 'document' ? context.cleanerOf(fileName) : undefined;
  const room = { in: 'spool', bytes, leastShare: context.limits.partBytes, cleaner } as const;
  await receiveVerifiedBody(context, exchange, credential, verified, room, async ({ size, etag, body }) => {
    const isStored = await multipart.store(credential, upload, { number, size, etag }, body);
    if (!isStored) throw new S3Error('NoSuchUpload');
    sendAnswer(exchange, 200, { etag: `"${etag}"` });
  });
}

/** Joins the parts and stores them like an object that arrived whole. @throws S3Error MalformedXML, and errors of `selectListedParts` */
async function complete(asked: Asked, upload: MultipartUpload): Promise<void> {
  const { context, exchange, credential, target, verified } = asked;
  const { multipart } = context.backend;
  const { headers } = exchange.request;
  for (const header in headers) {
    if (isChecksum(header)) throw new S3Error('NotImplemented', 'No checksum of a whole object is computed.');
  }
  const room = { in: 'memory', bytes: LIST_BYTES } as const;
  const list = await receiveVerifiedBody(context, exchange, credential, verified, room, async ({ body }) =>
    readPartList(body.toString()),
  );
  const etag = etagOfParts(list);
  if (upload.etag === undefined) {
    const place = parseObjectKey(context, target.key);
    const limits = { most: mostBytes(context, place.kind), least: context.limits.partBytes };
    const stored = await multipart.parts(upload, { after: 0, limit: PARTS_PER_PAGE });
    const parts = selectListedParts(list, stored, limits);
    const { contentType, metadata } = upload;
    const about = { ...place, credential, key: target.key, contentType, metadata, etag, cameInParts: true };
    await deliver(context, { ...about, size: totalSizeBytes(parts) }, parts);
    await multipart.complete(upload, etag);
  } else if (upload.etag !== etag) throw new S3Error('NoSuchUpload');
  answerXml(
    exchange,
    uploadXml('CompleteMultipartUploadResult', [
      ['Location', `/${target.bucket}/${awsEncode(target.key)}`],
      ['Bucket', target.bucket],
      ['Key', target.key],
      ['ETag', `"${etag}"`],
    ]),
  );
}

async function deliver(
  { backend, memory }: EndpointContext,
  delivery: Omit<Delivery, 'body'>,
  parts: readonly StoredPart[],
): Promise<void> {
  const body: SpooledBody = {
    async *read() {
      for (const part of parts) yield* part.read();
    },
  };
  if (delivery.kind === 'log') {
    await backend.deliver({ ...delivery, body });
    return;
  }
  const { accessKey } = delivery.credential;
  if (!memory.take(accessKey, delivery.size)) throw new S3Error('SlowDown');
  try {
    await backend.deliver({ ...delivery, body: await buffer(body.read()) });
  } finally {
    memory.release(accessKey, delivery.size);
  }
}

async function abort({ context, exchange }: Asked, upload: MultipartUpload): Promise<void> {
  await context.backend.multipart.abort(upload);
  sendAnswer(exchange, 204, {});
}

/** Answers ListParts. @throws S3Error InvalidArgument */
async function listParts(asked: Asked, upload: MultipartUpload): Promise<void> {
  const { context, exchange, credential, target } = asked;
  const after = wholeNumber(target, 'part-number-marker') ?? 0;
  const limit = Math.min(wholeNumber(target, 'max-parts') || PARTS_PER_PAGE, PARTS_PER_PAGE);
  const found = await context.backend.multipart.parts(upload, { after, limit: limit + 1 });
  const parts = found.slice(0, limit);
  const isTruncated = found.length > limit;
  const fields = [
    ['Bucket', target.bucket],
    ['Key', target.key],
    ['UploadId', upload.id],
    ['PartNumberMarker', after],
    ['NextPartNumberMarker', isTruncated ? (parts.at(-1)?.number ?? after) : undefined],
    ['MaxParts', limit],
    ['IsTruncated', isTruncated],
  ] as const;
  answerXml(exchange, partsXml(fields, parts, credential.loggerSerial));
}

/** Returns a whole number from the query; undefined when it is absent. @throws S3Error InvalidArgument */
function wholeNumber({ query }: RequestTarget, name: string): number | undefined {
  const value = queryValue(query, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new S3Error('InvalidArgument', `${name} is no whole number.`);
  return Number(value);
}
