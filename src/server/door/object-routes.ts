import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BodySink, MemorySink, spoolSink } from './body-sink.ts';
import type { DoorLimits, Quota } from './door-limits.ts';
import { answer, ClientGone, commonHeaders, type Exchange, sendContinue } from './exchange.ts';
import { type Payload, readPayload } from './payload.ts';
import { digestsNeeded, receiveBody } from './receive.ts';
import { S3Error } from './s3-error.ts';
import { readRange } from './s3-request.ts';
import type { VerifiedRequest } from './sigv4.ts';
import type { Credential, Delivery, DeliveryKind, StoredObject, UploadBackend } from './upload-backend.ts';

/** What the object routes share between requests. */
export type DoorContext = {
  readonly backend: UploadBackend;
  readonly limits: DoorLimits;
  readonly kindOf: (fileName: string) => DeliveryKind;
  readonly spoolDirectory: string;
  readonly spools: Quota;
  readonly memory: Quota;
  readonly cameOverHttps: (request: IncomingMessage) => boolean;
};

const META_PREFIX = 'x-amz-meta-';
/** Amazon S3 User Guide, "User-defined object metadata". */
const LARGEST_METADATA_BYTES = 2048;

/** PutObject: answers 200 after the delivery is committed. @throws S3Error, ClientGone, DoorUnavailable */
export async function putObject(
  context: DoorContext,
  exchange: Exchange,
  credential: Credential,
  key: string,
  verified: VerifiedRequest,
): Promise<void> {
  const { headers } = exchange.request;
  refuseConditions(headers);
  const metadata = readMetadata(headers);
  const payload = readPayload(headers, context.cameOverHttps(exchange.request), verified.signedHeaders);
  const fileName = key.slice(key.lastIndexOf('/') + 1);
  const kind = context.kindOf(fileName);
  const isLog = kind === 'log';
  const bytes = isLog ? context.limits.logBytes : context.limits.documentBytes;
  if ((payload.size ?? 0) > bytes) throw new S3Error('EntityTooLarge');

  const quota = isLog ? context.spools : context.memory;
  const share = isLog ? 1 : Math.min(bytes, payload.most ?? bytes);
  if (!quota.take(credential.accessKey, share)) throw new S3Error('SlowDown');
  let sink: BodySink | undefined;
  try {
    if (isLog) await context.backend.admitLog(credential, payload.size ?? bytes);
    sink = isLog ? await openSpool(context, payload) : new MemorySink(share);
    sendContinue(exchange);
    const { stallMs, slowestBytesPerSecond } = context.limits;
    const limits = { bytes, stallMs, slowestBytesPerSecond };
    const etag = await receiveBody(exchange.request, verified, payload, sink, limits);
    const delivery: Delivery = {
      credential,
      key,
      folder: key.slice(0, key.indexOf('/')),
      fileName,
      kind,
      size: sink.size,
      etag,
      contentType: headers['content-type'] ?? 'binary/octet-stream',
      metadata,
      body: await sink.body(),
    };
    await context.backend.deliver(delivery);
    answer(exchange, 200, { etag: `"${etag}"` });
  } finally {
    quota.release(credential.accessKey, share);
    await sink?.discard().catch((err) => context.backend.log.warn({ err, key }, 'A spool file stays behind'));
  }
}

const openSpool = (context: DoorContext, payload: Payload): Promise<BodySink> =>
  spoolSink(context.spoolDirectory, digestsNeeded(payload));

/** HeadObject. @throws S3Error NoSuchKey */
export async function headObject(
  context: DoorContext,
  exchange: Exchange,
  credential: Credential,
  key: string,
): Promise<void> {
  const object = await context.backend.objects.head(credential.loggerSerial, key);
  if (!object) throw new S3Error('NoSuchKey');
  answer(exchange, 200, { ...objectHeaders(object), 'content-length': object.size });
}

/** GetObject; a single range of a body that is in memory, else all of it. @throws S3Error NoSuchKey, InvalidRange */
export async function getObject(
  context: DoorContext,
  exchange: Exchange,
  credential: Credential,
  key: string,
): Promise<void> {
  const object = await context.backend.objects.get(credential.loggerSerial, key);
  if (!object) throw new S3Error('NoSuchKey');
  const headers = objectHeaders(object);
  const { request, response } = exchange;
  if (Buffer.isBuffer(object.body)) {
    const range = readRange(request.headers.range, object.body.length);
    if (!range) return answer(exchange, 200, headers, object.body);
    headers['content-range'] = `bytes ${range.first}-${range.last}/${object.body.length}`;
    return answer(exchange, 206, headers, object.body.subarray(range.first, range.last + 1));
  }
  headers['content-length'] = object.size;
  response.writeHead(200, { ...headers, ...commonHeaders(exchange) });
  await pipeline(Readable.from(object.body), response).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? new ClientGone() : error;
  });
}

function objectHeaders(object: StoredObject): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    'accept-ranges': 'bytes',
    'content-type': object.contentType ?? 'binary/octet-stream',
    etag: `"${object.etag}"`,
    'last-modified': new Date(object.lastModified).toUTCString(),
  };
  for (const name in object.metadata) headers[META_PREFIX + name] = object.metadata[name];
  return headers;
}

/** What would change the meaning of the upload, and is not built. */
function refuseConditions(headers: IncomingHttpHeaders): void {
  if (headers['x-amz-copy-source'] ?? headers['if-match'] ?? headers['if-none-match']) {
    throw new S3Error('NotImplemented');
  }
}

function readMetadata(headers: IncomingHttpHeaders): Record<string, string> {
  const metadata: Record<string, string> = {};
  let size = 0;
  for (const header in headers) {
    if (!header.startsWith(META_PREFIX)) continue;
    const name = header.slice(META_PREFIX.length);
    const value = String(headers[header]);
    metadata[name] = value;
    size += name.length + value.length;
  }
  if (size > LARGEST_METADATA_BYTES) throw new S3Error('MetadataTooLarge');
  return metadata;
}
