import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http';
import type { RouteMeter, TrafficMeter } from '#server/metrics/traffic.ts';
import type { UploadEndpoint } from '#server/s3/upload-endpoint.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export type HttpServer = {
  readonly server: Server;
  /** Makes every answer end its connection; closes idle connections at once, and all after 5 s. */
  beginClosing(): void;
};

/** Allows for a log file over a mobile network; the upload endpoint has its own limits for stalled bodies. */
const MAX_UPLOAD_MS = 3_600_000;
/** Creating and editing a machine are GETs (API-01) whose URL holds up to 200 accessories. Node counts the URL and headers together. */
const MAX_HEAD_BYTES = 128 * 1024;
/** Maximum size of all header lines without the URL: cookies, signatures and headers of proxies take about 4 kB. */
const MAX_HEADER_BYTES = 16 * 1024;
/**
 * Keeps an idle connection longer than proxies do (60 s): with Node's default of 5 s a proxy sometimes uses a connection that is being
 * closed, and answers 502.
 */
const MAX_IDLE_MS = 72_000;
/** Ten thousand loggers and as many browsers; further connections are refused, to limit memory. */
const MAX_CONNECTIONS = 20_000;
/** Time that a request in progress may take when the server closes. */
const CLOSING_MS = 5_000;
const LOOK_AGAIN_MS = 50;
/** Route of the upload endpoint in the metrics. */
const ENDPOINT_ROUTE = '/{bucket}/{key}';

/**
 * Creates the server of the only port. The upload endpoint speaks S3 and gets requests first; `rest` is Fastify.
 * @param refuseHeaders answers a request whose header lines take more than 16 kB
 */
export function createHttpServer(
  endpoint: UploadEndpoint,
  isUpload: (request: IncomingMessage) => boolean,
  rest: Handler,
  traffic: TrafficMeter,
  refuseHeaders: (response: ServerResponse) => void,
  closingMs = CLOSING_MS,
): HttpServer {
  let closing = false;
  const endpoints = traffic.meterOf(ENDPOINT_ROUTE);
  class Answer<R extends IncomingMessage> extends ServerResponse<R> {
    meter: RouteMeter = traffic.unrouted;
    readonly began = performance.now();
    // Three parameters instead of a rest parameter, which would take a twentieth of the time of a small answer.
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
    // Fastify sets the route by which the metrics count the request.
    rest(request, response);
  });
  server.requestTimeout = MAX_UPLOAD_MS;
  server.keepAliveTimeout = MAX_IDLE_MS;
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
      // Connections become idle one by one, as the answers in progress are sent.
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
