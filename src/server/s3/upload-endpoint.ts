import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { visitorAddress } from '#server/platform/visitor-address.ts';
import { type Authorization, hasAwsAuthorization, parseAuthorization } from './authorization.ts';
import { getSubresource, headBucket, listBuckets, listObjects, refuseSubresource } from './bucket-routes.ts';
import { ConnectionQuota } from './connection-quota.ts';
import { answerError, ClientDisconnected, nextRequestId, type RequestExchange } from './exchange.ts';
import { multipartRoute } from './multipart-routes.ts';
import { checkKey, isInOwnFolder, requireFolderInKey } from './object-key.ts';
import { type EndpointContext, headObject, putObject } from './object-routes.ts';
import { HostHeaderReplacedError, isCountedRefusal, S3Error } from './s3-error.ts';
import { queryValue, type RequestTarget, readTarget } from './s3-request.ts';
import { SigningKeys } from './signing-key.ts';
import { type VerifiedRequest, verifyRequest } from './sigv4.ts';
import { prepareSpool } from './spool.ts';
import {
  type Credential,
  type DeliveryKind,
  EndpointClosed,
  EndpointUnavailable,
  KeyWithdrawn,
  type RefusedRequest,
  type SecretsBlanker,
  type UploadBackend,
} from './upload-backend.ts';
import { Quota, RateLimit, UPLOAD_LIMITS, type UploadLimits } from './upload-limits.ts';

type EndpointSettings = {
  /** Folder for log files that are being received; only this server writes to it. */
  readonly spoolDirectory: string;
  readonly kindOf: (fileName: string) => DeliveryKind;
  readonly cleanerOf: (fileName: string) => SecretsBlanker | undefined;
  readonly limits?: Partial<UploadLimits>;
  /** Whether one trusted proxy reports the visitor's address. */
  readonly trustProxy: boolean;
  readonly cameOverHttps: (request: IncomingMessage) => boolean;
  /** The address to which loggers upload (PUBLIC_URL). */
  readonly publicUrl: string;
};

export type UploadEndpoint = {
  /** Handles the `request` event of a node:http server; never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Handles the `checkContinue` event of that server: a refusal is sent before the body comes. Never throws. */
  handleExpectContinue(request: IncomingMessage, response: ServerResponse): void;
};

/**
 * Returns whether a request is for the upload endpoint, whatever its path: it has an AWS4 authorization, or names the bucket
 * (docs/design.md section 7).
 */
export function isUpload(request: IncomingMessage, bucket: string): boolean {
  if (hasAwsAuthorization(request.headers.authorization)) return true;
  const url = request.url ?? '';
  if (!url.startsWith(bucket, 1)) return false;
  const next = url[bucket.length + 1];
  return next === undefined || next === '/' || next === '?';
}

/**
 * Opens the upload endpoint: S3's protocol for loggers (docs/design.md section 7; INGEST-01, INGEST-03). Fails with the file
 * system's error when the spool directory cannot be created.
 */
export async function openUploadEndpoint(
  backend: UploadBackend,
  settings: EndpointSettings,
): Promise<UploadEndpoint> {
  await prepareSpool(settings.spoolDirectory);
  const limits = { ...UPLOAD_LIMITS, ...settings.limits };
  const context: EndpointContext = {
    backend,
    limits,
    kindOf: settings.kindOf,
    cleanerOf: settings.cleanerOf,
    spoolDirectory: settings.spoolDirectory,
    spools: new Quota({
      perKey: limits.spools.perKey * limits.logBytes,
      total: limits.spools.total * limits.logBytes,
    }),
    memory: new Quota(limits.memory),
    cameOverHttps: settings.cameOverHttps,
  };
  const admission: Admission = {
    keys: new SigningKeys(),
    rate: new RateLimit(limits.requestsPerSecond, limits.requestBurst),
    connections: new ConnectionQuota(limits.connections),
    addressOf: (request) => visitorAddress(request, settings.trustProxy),
    publicHosts: publicHosts(settings.publicUrl, backend.bucket),
  };
  const start = (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void => {
    const { lingerMs } = limits;
    serve(context, admission, {
      request,
      response,
      requestId: nextRequestId(),
      awaitsContinue,
      lingerMs,
    }).catch((err) => {
      response.destroy();
      backend.log.error({ err }, 'The upload endpoint could not answer');
    });
  };
  return {
    handle: (request, response) => start(request, response, false),
    handleExpectContinue: (request, response) => start(request, response, true),
  };
}

type Admission = {
  readonly keys: SigningKeys;
  readonly rate: RateLimit;
  readonly connections: ConnectionQuota;
  addressOf(request: IncomingMessage): string;
  readonly publicHosts: readonly string[];
};

/**
 * Returns the values of the Host header that clients may sign for PUBLIC_URL: with and without its usual port, in path style and in
 * virtual-host style.
 */
function publicHosts(publicUrl: string, bucket: string): string[] {
  const { host, port } = new URL(publicUrl);
  const hosts = port === '' ? [host, `${host}:443`, `${host}:80`] : [host];
  return [...hosts, ...hosts.map((name) => `${bucket}.${name}`)];
}

/** The facts that are known about a request so far, for the report of a refusal. */
type Progress = { accessKey?: string; credential?: Credential; target?: RequestTarget };

async function serve(
  context: EndpointContext,
  admission: Admission,
  exchange: RequestExchange,
): Promise<void> {
  const progress: Progress = {};
  try {
    const { backend } = context;
    const { request } = exchange;
    const target = readTarget(request.url ?? '', request.headers.host, backend.bucket);
    progress.target = target;
    const authorization = parseAuthorization(request.headers.authorization);
    if (/*rule:upload-signature-required*/ !authorization /*=false*/) throw new S3Error('AccessDenied');
    progress.accessKey = authorization.accessKey;
    const credential = await backend.credentials(authorization.accessKey);
    if (/*rule:upload-known-key*/ !credential /*=false*/) throw new S3Error('InvalidAccessKeyId');
    progress.credential = credential;
    const verified = admit(admission, exchange, target, authorization, credential, backend.now());
    await route(context, exchange, credential, target, verified);
  } catch (error) {
    // If the body came with the headers, it is complete after this turn of the event loop, and the connection can then stay open.
    await setImmediate();
    refuse(context.backend, exchange, progress, error);
  }
}

/** Verifies the sender and its limits before the body is read. @throws S3Error */
function admit(
  { keys, rate, connections, addressOf, publicHosts }: Admission,
  exchange: RequestExchange,
  target: RequestTarget,
  authorization: Authorization,
  credential: Credential,
  now: number,
): VerifiedRequest {
  const { request } = exchange;
  const verified = verifyRequest(request, target, authorization, credential, keys, now, publicHosts);
  // The rate is checked after the signature, because a stranger who knows an access key must not use up its requests.
  if (!rate.take(credential.accessKey, now)) throw new S3Error('SlowDown');
  if (!connections.take(credential.accessKey, addressOf(request), exchange)) throw new S3Error('SlowDown');
  return verified;
}

/** Routes a request. @throws S3Error synchronously or as a rejection */
function route(
  context: EndpointContext,
  exchange: RequestExchange,
  credential: Credential,
  target: RequestTarget,
  verified: VerifiedRequest,
): void | Promise<void> {
  const { backend } = context;
  const { bucket, key, query } = target;
  const { method } = exchange.request;
  const isAbort = method === 'DELETE' && queryValue(query, 'uploadId') !== undefined;
  if ((method === 'DELETE' && !isAbort) || (method === 'POST' && query.some(([name]) => name === 'delete'))) {
    /*rule:upload-no-delete*/ throw new S3Error('AccessDenied', 'Loggers cannot delete.'); /*=*/
  }
  if (bucket === '' && method === 'GET') return listBuckets(backend, exchange, credential);
  if (bucket === '') throw new S3Error('MethodNotAllowed');
  if (bucket !== backend.bucket) throw new S3Error('NoSuchBucket');
  if (method === 'GET' && key === '') {
    if (getSubresource(exchange, credential, query)) return;
    return listObjects(backend, exchange, credential, query);
  }
  if (key !== '') {
    // A key that ends in a slash is a folder marker: clients ask for such markers, but no logger creates them.
    if (key.endsWith('/') && method !== 'PUT') throw new S3Error('NoSuchKey');
    checkKey(key);
    if (/*rule:upload-own-folder*/ !isInOwnFolder(key, credential.loggerSerial) /*=false*/)
      throw new S3Error('AccessDenied');
    const ofParts = multipartRoute(context, exchange, credential, target, verified);
    if (ofParts) return ofParts;
    if (method === 'GET' && getSubresource(exchange, credential, query)) return;
  }
  refuseSubresource(query);
  if (method === 'HEAD') {
    return key === '' ? headBucket(exchange) : headObject(context, exchange, credential, key);
  }
  if (method === 'GET') throw new S3Error('AccessDenied', 'Loggers cannot read what is stored.');
  if (method !== 'PUT') throw new S3Error('MethodNotAllowed');
  if (key === '') throw new S3Error('BucketAlreadyOwnedByYou');
  requireFolderInKey(key);
  return putObject(context, exchange, credential, key, verified);
}

/** Longest key in a report, because a stranger may choose it. */
const MAX_REPORTED_KEY_CHARACTERS = 1024;

function refuse(backend: UploadBackend, exchange: RequestExchange, progress: Progress, error: unknown): void {
  if (error instanceof ClientDisconnected) {
    exchange.response.destroy();
    return;
  }
  const refusal = asS3Error(backend, exchange, error);
  const { accessKey, credential, target } = progress;
  if (isCountedRefusal(refusal.code)) {
    const report: RefusedRequest = {
      code: refusal.code,
      ...(accessKey !== undefined && { accessKey }),
      ...(credential && { loggerSerial: credential.loggerSerial }),
      ...(target?.key && { key: target.key.slice(0, MAX_REPORTED_KEY_CHARACTERS) }),
      ...(refusal instanceof HostHeaderReplacedError && { host: refusal.host }),
    };
    backend.refused(report);
  }
  answerError(exchange, refusal, target?.path ?? '');
}

function asS3Error(backend: UploadBackend, { requestId }: RequestExchange, error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  if (error instanceof KeyWithdrawn) return new S3Error('InvalidAccessKeyId');
  if (error instanceof EndpointUnavailable) {
    if (!(error instanceof EndpointClosed))
      backend.log.warn({ err: error, requestId }, 'An upload was put off');
    return new S3Error('SlowDown');
  }
  backend.log.error({ err: error, requestId }, 'The upload endpoint failed');
  return new S3Error('InternalError');
}
