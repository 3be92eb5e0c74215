import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http';
import type { RouteMeter, Traffic } from '#server/metrics/traffic.ts';
import type { UploadEndpoint } from '#server/s3/upload-endpoint.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export type HttpServer = {
  readonly server: Server;
  /** Closes idle connections, closes the others after their answer, and cuts the rest after 5 s. */
  beginClosing(): void;
};

/** A log file over a mobile network may take long; the upload endpoint has its own limits for stalled bodies. */
const LONGEST_UPLOAD_MS = 3_600_000;
/** Limit of address and headers together: the address of a GET that edits a machine holds 200 encoded accessories (API-01). */
const MAX_HEAD_BYTES = 128 * 1024;
/** Limit of all header lines without the address; cookies, signatures and proxies' headers take some 4 kB. */
const MAX_HEADER_BYTES = 16 * 1024;
/**
 * Longer than proxies keep idle connections (60 s). With Node's default of 5 s a proxy sometimes reuses a connection that is
 * being closed, and answers 502.
 */
const KEEP_ALIVE_MS = 72_000;
/** Ten thousand loggers and as many browsers; more connections are refused, so that memory stays bounded. */
const MAX_CONNECTIONS = 20_000;
/** Time that a request under way gets when the server closes. */
const CLOSING_MS = 5_000;
const POLL_MS = 50;
/** The upload endpoint's route, as the metrics call it. */
const ENDPOINT_ROUTE = '/{bucket}/{key}';

/**
 * Creates the server of the portal's port. The upload endpoint (S3) handles its own paths; `rest`, which is Fastify, all others.
 * @param refuseHeaders answers a request with more than 16 kB of header lines
 */
export function createHttpServer(
  endpoint: UploadEndpoint,
  isUpload: (request: IncomingMessage) => boolean,
  rest: Handler,
  traffic: Traffic,
  refuseHeaders: (response: ServerResponse) => void,
  closingMs = CLOSING_MS,
): HttpServer {
  let closing = false;
  const endpoints = traffic.meterOf(ENDPOINT_ROUTE);
  class Answer<R extends IncomingMessage> extends ServerResponse<R> {
    meter: RouteMeter = traffic.unrouted;
    readonly began = performance.now();
    // Three parameters instead of a rest parameter, which costs 5 % of a small answer.
    override writeHead(status: number, reason?: unknown, headers?: unknown): this {
      if (closing) this.shouldKeepAlive = false;
      super.writeHead(status, reason as string, headers as OutgoingHttpHeaders);
      this.meter.answered(this.req.method, status, performance.now() - this.began);
      return this;
    }
  }

  const options = { ServerResponse: Answer, maxHeaderSize: MAX_HEAD_BYTES };
  const server = createServer(options, (request, response) => {
    if (headerBytes(request) > MAX_HEADER_BYTES) return refuseHeaders(response);
    if (isUpload(request)) {
      response.meter = endpoints;
      endpoint.handle(request, response);
      return;
    }
    // A hook in app.ts assigns the route to Fastify's requests.
    rest(request, response);
  });
  server.requestTimeout = LONGEST_UPLOAD_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('checkContinue', (request, response) => {
    if (headerBytes(request) > MAX_HEADER_BYTES) return refuseHeaders(response);
    if (isUpload(request)) {
      response.meter = endpoints;
      return endpoint.handleExpectContinue(request, response);
    }
    response.writeContinue();
    rest(request, response);
  });

  return {
    server,
    beginClosing() {
      closing = true;
      // Connections become idle one by one, when their answers have been sent.
      const idle = setInterval(() => server.closeIdleConnections(), POLL_MS);
      const forced = setTimeout(() => server.closeAllConnections(), closingMs);
      server.once('close', () => {
        clearInterval(idle);
        clearTimeout(forced);
      });
    },
  };
}

/** Returns the number of bytes of all header lines, including separators and line ends. */
function headerBytes({ rawHeaders }: IncomingMessage): number {
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length + 2;
  return bytes;
}
