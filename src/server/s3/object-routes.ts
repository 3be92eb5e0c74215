import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type BodySink, MemorySink, spoolSink } from './body-sink.ts';
import { type RequestExchange, sendAnswer, sendContinue } from './exchange.ts';
import { type Payload, readPayload } from './payload.ts';
import { digestsNeeded, receiveBody } from './receive.ts';
import { S3Error } from './s3-error.ts';
import type { VerifiedRequest } from './sigv4.ts';
import type {
  Credential,
  Delivery,
  DeliveryKind,
  SecretsBlanker,
  SpooledBody,
  StoredObject,
  UploadBackend,
} from './upload-backend.ts';
import type { Quota, UploadLimits } from './upload-limits.ts';

/** State that the object routes share between requests. */
export type EndpointContext = {
  readonly backend: UploadBackend;
  readonly limits: UploadLimits;
  readonly kindOf: (fileName: string) => DeliveryKind;
  readonly cleanerOf: (fileName: string) => SecretsBlanker | undefined;
  readonly spoolDirectory: string;
  /** Quota of the spool files, in bytes. */
  readonly spools: Quota;
  readonly memory: Quota;
  readonly cameOverHttps: (request: IncomingMessage) => boolean;
};

const META_PREFIX = 'x-amz-meta-';
/** Maximum size of an object's metadata (Amazon S3 User Guide, "User-defined object metadata"). */
const MAX_METADATA_BYTES = 2048;

/** Handles PutObject: answers 200 after the upload was committed. @throws S3Error, ClientDisconnected, EndpointUnavailable */
export function putObject(
  context: EndpointContext,
  exchange: RequestExchange,
  credential: Credential,
  key: string,
  verified: VerifiedRequest,
): Promise<void> {
  const { headers } = exchange.request;
  refuseUnsupportedHeaders(headers);
  const about = readObjectHeaders(headers);
  const place = parseObjectKey(context, key);
  const { limits } = context;
  const cleaner = context.cleanerOf(place.fileName);
  const room: Room =
    place.kind === 'log'
      ? { in: 'spool', bytes: limits.logBytes, leastShare: limits.logBytes, cleaner }
      : { in: 'memory', bytes: limits.documentBytes, cleaner };
  return receiveVerifiedBody(context, exchange, credential, verified, room, async (taken) => {
    await context.backend.deliver({ credential, key, ...place, ...about, ...taken });
    sendAnswer(exchange, 200, { etag: `"${taken.etag}"` });
  });
}

/**
 * Returns folder, file name and kind of an object, from its key.
 * @throws S3Error for a file that is not accepted
 */
export function parseObjectKey(
  context: EndpointContext,
  key: string,
): Pick<Delivery, 'folder' | 'fileName' | 'kind'> {
  const fileName = key.slice(key.lastIndexOf('/') + 1);
  return { folder: key.slice(0, key.indexOf('/')), fileName, kind: context.kindOf(fileName) };
}

/** Returns content type and metadata from the headers of an upload. @throws S3Error MetadataTooLarge */
export const readObjectHeaders = (
  headers: IncomingHttpHeaders,
): Pick<Delivery, 'contentType' | 'metadata'> => ({
  contentType: headers['content-type'] ?? 'binary/octet-stream',
  metadata: readMetadata(headers),
});

/**
 * Destination of a body. `bytes`: the maximum size of the body; `leastShare`: the minimum share of the spool's quota that the body
 * takes.
 */
type Room = { readonly bytes: number; readonly cleaner?: SecretsBlanker | undefined } & (
  | { readonly in: 'memory' }
  | { readonly in: 'spool'; readonly leastShare: number }
);

type Taken<Body> = Pick<Delivery, 'size' | 'etag'> & { readonly body: Body };
type BodyIn<R extends Room> = R extends { readonly in: 'memory' } ? Buffer : SpooledBody;

/**
 * Receives and verifies a body, after reserving room for it. The received body exists until `use` settles.
 * @throws S3Error, ClientDisconnected, EndpointUnavailable, and errors of `use`
 */
export async function receiveVerifiedBody<R extends Room, T>(
  context: EndpointContext,
  exchange: RequestExchange,
  credential: Credential,
  verified: VerifiedRequest,
  room: R,
  use: (taken: Taken<BodyIn<R>>) => Promise<T>,
): Promise<T> {
  const { request } = exchange;
  const payload = readPayload(request.headers, context.cameOverHttps(request), verified.signedHeaders);
  const { bytes } = room;
  if ((payload.size ?? 0) > bytes) throw new S3Error('EntityTooLarge');

  const quota = room.in === 'spool' ? context.spools : context.memory;
  const most = Math.min(bytes, payload.most ?? bytes);
  const share = room.in === 'spool' ? Math.max(most, room.leastShare) : most;
  if (!quota.take(credential.accessKey, share)) throw new S3Error('SlowDown');
  let sink: BodySink | undefined;
  try {
    if (room.in === 'spool') await context.backend.admitLog(credential, payload.size ?? bytes);
    sink =
      room.in === 'spool'
        ? await openSpool(context, payload, room.cleaner)
        : new MemorySink(share, room.cleaner);
    sendContinue(exchange);
    const { stallMs, slowestBytesPerSecond } = context.limits;
    const limits = { bytes, stallMs, slowestBytesPerSecond };
    const etag = await receiveBody(request, verified, payload, sink, limits);
    return await use({ size: sink.size, etag, body: (await sink.body()) as BodyIn<R> });
  } finally {
    quota.release(credential.accessKey, share);
    await sink?.discard().catch((err) => context.backend.log.warn({ err }, 'Could not remove a spool file'));
  }
}

const openSpool = (
  context: EndpointContext,
  payload: Payload,
  cleaner: SecretsBlanker | undefined,
): Promise<BodySink> => spoolSink(context.spoolDirectory, digestsNeeded(payload), cleaner);

/** Handles HeadObject. @throws S3Error NoSuchKey */
export async function headObject(
  context: EndpointContext,
  exchange: RequestExchange,
  credential: Credential,
  key: string,
): Promise<void> {
  const object = await context.backend.objects.head(credential, key);
  if (!object) throw new S3Error('NoSuchKey');
  sendAnswer(exchange, 200, { ...objectHeaders(object), 'content-length': object.size });
}

function objectHeaders(object: StoredObject): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    'content-type': object.contentType ?? 'binary/octet-stream',
    etag: `"${object.etag}"`,
    'last-modified': new Date(object.lastModified).toUTCString(),
  };
  for (const name in object.metadata) headers[META_PREFIX + name] = object.metadata[name];
  return headers;
}

/** Refuses headers that would change the meaning of the upload and are not supported. */
export function refuseUnsupportedHeaders(headers: IncomingHttpHeaders): void {
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
  if (size > MAX_METADATA_BYTES) throw new S3Error('MetadataTooLarge');
  return metadata;
}
