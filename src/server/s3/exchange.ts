import { randomBytes } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { S3Error } from './s3-error.ts';
import { errorXml } from './s3-xml.ts';

/** A request and its response. */
export type RequestExchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  awaitsContinue: boolean;
  /** How long a refused body is still read, in ms. */
  readonly lingerMs: number;
};

const processPart = randomBytes(4).toString('hex').toUpperCase();
let count = 0;

/** Returns the id of a request, 16 characters like S3's: some characters identify this process, the others are a counter. */
export function nextRequestId(): string {
  count = (count + 1) % 0x1_0000_0000;
  return processPart + count.toString(16).toUpperCase().padStart(8, '0');
}

/** Sends `100 Continue` if the client waits for it, so that the client sends its body. */
export function sendContinue(exchange: RequestExchange): void {
  if (!exchange.awaitsContinue) return;
  exchange.awaitsContinue = false;
  exchange.response.writeContinue();
}

export function answerXml(exchange: RequestExchange, xml: string): void {
  sendAnswer(exchange, 200, { 'content-type': 'application/xml' }, xml);
}

/** Answers with a refusal in XML; for HEAD with the status alone. */
export function answerError(exchange: RequestExchange, error: S3Error, resource: string): void {
  const headers: OutgoingHttpHeaders = { 'content-type': 'application/xml' };
  if (error.code === 'MethodNotAllowed') headers.allow = 'GET, HEAD, PUT';
  if (error.code === 'SlowDown') headers['retry-after'] = '1';
  sendAnswer(exchange, error.status, headers, errorXml(error, resource, exchange.requestId));
}

/**
 * Headers of every answer, including refusals. The logger chooses the content type of a stored file, so browsers must not act on
 * it.
 */
const commonHeaders = ({ requestId }: RequestExchange): OutgoingHttpHeaders => ({
  'x-amz-request-id': requestId,
  'x-content-type-options': 'nosniff',
});

/** Sends an answer at once. Discards an unread body in a way that lets the client read the answer. */
export function sendAnswer(
  exchange: RequestExchange,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer = '',
): void {
  const { request, response } = exchange;
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  Object.assign(headers, commonHeaders(exchange));
  // A 204 must not have a content-length (RFC 9110 section 8.6).
  if (status !== 204) headers['content-length'] ??= Buffer.byteLength(body);
  if (request.complete) {
    response.writeHead(status, headers).end(body);
    return;
  }
  headers.connection = 'close';
  response.writeHead(status, headers);
  // Closing with unread bytes would reset the connection, and the client would lose the answer. Before `100 Continue` there are none.
  if (exchange.awaitsContinue) response.end(body);
  else linger(exchange, body);
}

function linger({ request, response, lingerMs }: RequestExchange, body: string | Buffer): void {
  response.flushHeaders();
  if (body.length > 0) response.write(body);
  const finish = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(finish, lingerMs);
  request.once('end', finish).once('close', finish).once('error', finish);
  request.resume();
}

/** The client disconnected, so no answer can reach it. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
}

/** How slowly a body may arrive before its connection is closed. */
export type StallLimits = {
  /** Longest silence in ms. It is also the time after which `slowestBytesPerSecond` applies. */
  readonly stallMs: number;
  readonly slowestBytesPerSecond: number;
};

/**
 * Passes the body of a request to `take` in chunks, and resolves at its end. The request is paused while `take` returns a pending
 * promise. After a failure it stays paused, and the rest is not read.
 * @throws S3Error RequestTimeout, ClientDisconnected, and errors of `take`
 */
export function readBody(
  request: IncomingMessage,
  limits: StallLimits,
  take: (bytes: Buffer) => Promise<void> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    let received = 0;
    const timer = setTimeout(() => settle(new S3Error('RequestTimeout')), limits.stallMs);

    const settle = (error?: unknown): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      if (error === undefined) {
        resolve();
        return;
      }
      request.pause();
      request.on('error', () => {}); // an abort after the refusal is expected
      reject(error);
    };
    const onEnd = (): void => settle();
    const onGone = (): void => settle(new ClientDisconnected());
    const onData = (bytes: Buffer): void => {
      try {
        received += bytes.length;
        timer.refresh();
        const tooLongMs = performance.now() - startedMs - limits.stallMs;
        if (tooLongMs > 0 && received < (tooLongMs / 1000) * limits.slowestBytesPerSecond) {
          throw new S3Error('RequestTimeout');
        }
        const wait = take(bytes);
        if (wait === undefined) return;
        request.pause();
        wait.then(() => request.resume(), settle);
      } catch (error) {
        settle(error);
      }
    };
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
    if (request.destroyed) onGone();
  });
}
