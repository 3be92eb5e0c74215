import type { FastifyInstance } from 'fastify';
import { ProblemError } from './problem.ts';

const PATIENCE_MS = 30_000;
/**
 * Maximum body size up to which only the usual time limit applies. A route that accepts larger bodies, such as manuals over a mobile
 * network, gives them more time.
 */
const USUAL_BYTES = 1024 * 1024;
const MIN_BYTES_PER_SECOND = 50_000;

/** Returns the maximum time in ms for a request's body on a route that accepts bodies of up to `bodyLimit` bytes. */
export const maxBodyTimeMs = (bodyLimit: number, patienceMs = PATIENCE_MS): number =>
  patienceMs + (Math.max(0, bodyLimit - USUAL_BYTES) / MIN_BYTES_PER_SECOND) * 1000;

/**
 * Answers 408 to a body that is not complete in time, and closes its connection, because unfinished requests hold memory and
 * connections. Register it after the plugins that set headers.
 */
export function refuseSlowBodies(app: FastifyInstance, patienceMs = PATIENCE_MS): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    if (encoding !== undefined || (length !== undefined && length !== '0')) {
      const limit = request.routeOptions.bodyLimit ?? USUAL_BYTES;
      const timer = setTimeout(
        () => {
          if (raw.complete) return;
          const cut = () => raw.destroy();
          // The request was refused already, and the client is still sending.
          if (reply.sent) return cut();
          reply.raw.once('finish', cut);
          reply
            .header('connection', 'close')
            .send(new ProblemError('too_slow', 'De aanvraag kwam niet op tijd binnen.'));
        },
        maxBodyTimeMs(limit, patienceMs),
      ).unref();
      const arrived = () => clearTimeout(timer);
      raw.once('end', arrived).once('close', arrived);
    }
    done();
  });
}
