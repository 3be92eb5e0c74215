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
  /** From now on every answer ends its connection; the ones without a request are closed, and after 5 s all. */
  beginClosing(): void;
};

/** A log file over a mobile network takes its time; the upload endpoint has limits of its own for bodies that stall. */
const LONGEST_UPLOAD_MS = 3_600_000;
/** Creating and editing a machine are GETs (API-01): the address holds 200 accessories, encoded. Node counts address and headers together. */
const MAX_HEAD_BYTES = 128 * 1024;
/** All header lines together, without the address: cookies, signatures and what proxies add take some 4 kB. */
const MAX_HEADER_BYTES = 16 * 1024;
/**
 * An idle connection is kept longer than proxies keep theirs (60 s): with Node's own 5 s they take up one that is being closed
 * now and then, and answer 502.
 */
const LONGEST_IDLE_MS = 72_000;
/** Ten thousand loggers and as many browsers; what comes beyond is not accepted, and memory stays bounded. */
const MAX_CONNECTIONS = 20_000;
/** How long a request under way may take when the server closes. */
const CLOSING_MS = 5_000;
const LOOK_AGAIN_MS = 50;
/** The upload endpoint's route, as the metrics call it. */
const ENDPOINT_ROUTE = '/{bucket}/{key}';

/**
 * The one port. The upload endpoint speaks S3 on it and is asked first; `rest` is Fastify.
 * @param refuseHeaders answers a request whose header lines take more than 16 kB
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
    // Three plain parameters: a list of them costs a twentieth of a small answer.
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
    // Fastify names the route of what comes to it.
    rest(request, response);
  });
  server.requestTimeout = LONGEST_UPLOAD_MS;
  server.keepAliveTimeout = LONGEST_IDLE_MS;
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
      // Connections become idle one by one, when the answers that were under way are out.
      const idle = setInterval(() => server.closeIdleConnections(), LOOK_AGAIN_MS);
      const forced = setTimeout(() => server.closeAllConnections(), closingMs);
      server.once('close', () => {
        clearInterval(idle);
        clearTimeout(forced);
      });
    },
  };
}

/** Returns the bytes of all header lines, with their separators and line ends. */
function headerBytes({ rawHeaders }: IncomingMessage): number {
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length + 2;
  return bytes;
}
