import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { ProblemCode } from '#shared/contract/problem.ts';
import { type AnyError, statusOf, toProblem } from './problem.ts';
import type { Headers } from './security-headers.ts';

/**
 * Answers a request whose address cannot be decoded (Fastify's frameworkErrors). Such a request has no route, so none of the
 * portal's hooks run.
 */
export function answerUndecodableUrl(error: AnyError, reply: FastifyReply, headers: Headers): void {
  const problem = toProblem(error);
  reply
    .code(statusOf(problem.code))
    .headers({ ...headers, 'cache-control': 'no-store' })
    .send(problem);
}

type Reason = readonly [status: number, code: ProblemCode, message: string];
const TOO_MANY_HEADERS: Reason = [431, 'too_large', 'De aanvraag is te groot.'];
const REASONS: Readonly<Record<string, Reason>> = {
  HPE_HEADER_OVERFLOW: TOO_MANY_HEADERS,
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'too_slow', 'De aanvraag kwam niet op tijd binnen.'],
};
const MALFORMED: Reason = [400, 'invalid', 'De aanvraag is onleesbaar.'];

/** Answers malformed HTTP on its socket (Fastify's clientErrorHandler), because it never becomes a request. */
export function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Socket, headers: Headers): void {
  // Like Node's own handler, this one sends nothing while an answer is in progress.
  const { _httpMessage: underWay } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || underWay?.headersSent) {
    socket.destroy();
    return;
  }
  const [status, code, message] = REASONS[error.code ?? ''] ?? MALFORMED;
  const body = JSON.stringify({ code, message });
  const lines = Object.entries(closingHeaders(headers, body)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  // Closes without reading the rest, so that the client cannot go on sending.
  socket.destroySoon();
}

/** Answers 431 to a request that Node could parse but whose headers are too long, and closes its connection. */
export function answerTooManyHeaders(response: ServerResponse, headers: Headers): void {
  const [status, code, message] = TOO_MANY_HEADERS;
  const body = JSON.stringify({ code, message });
  response.writeHead(status, closingHeaders(headers, body)).end(body);
}

const closingHeaders = (headers: Headers, body: string): Headers => ({
  ...headers,
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  connection: 'close',
});
