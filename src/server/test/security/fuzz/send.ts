import { Agent, request as httpRequest } from 'node:http';
import type { FuzzAnswer, FuzzRequest } from './request.ts';

/**
 * Time limit of an answer, in ms. An answer that is slower twice in a row breaks a rule; a single slow answer may be due to other load on
 * the computer.
 */
export const MAX_FUZZ_ANSWER_MS = 5_000;
/**
 * The smallest body size limit of any call. The portal answers 413 to a larger body and closes the connection, possibly before the client
 * can read the answer.
 */
const MIN_BODY_LIMIT_BYTES = 16 * 1024;
/** Time in ms after which a request counts as unanswered. */
const MAX_FUZZ_WAIT_MS = 20_000;

export type Sender = {
  /** Sends a request. @returns the answer, or why there is none; undefined if the portal closed the connection during a long body */
  send(request: FuzzRequest, cookie: string | undefined): Promise<FuzzAnswer | string | undefined>;
  close(): void;
};

/** Returns a sender that keeps its connections open, as browsers do. */
export function openSender(address: string, connections: number): Sender {
  const { hostname, port } = new URL(address);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  function attempt(
    given: FuzzRequest,
    cookie: string | undefined,
  ): Promise<FuzzAnswer | { error: string; stale: boolean } | undefined> {
    const began = performance.now();
    return new Promise((resolve) => {
      const sent = httpRequest(
        {
          agent,
          hostname,
          port,
          method: given.method,
          path: given.target,
          setHost: given.headers.host === undefined,
          headers: {
            ...given.headers,
            ...(cookie !== undefined && { cookie }),
            // Without this header Node sends the body of a HEAD, GET or DELETE without a length, as garbage after the request.
            ...(given.body !== undefined && { 'content-length': String(Buffer.byteLength(given.body)) }),
          },
        },
        (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('error', (error) => resolve({ error: `cut: ${error.message}`, stale: false }));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(pieces).toString('utf8'),
              ms: performance.now() - began,
            }),
          );
        },
      );
      sent.setTimeout(MAX_FUZZ_WAIT_MS, () =>
        sent.destroy(new Error(`no answer within ${MAX_FUZZ_WAIT_MS} ms`)),
      );
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isRefusedBody =
          Buffer.byteLength(given.body ?? '') > MIN_BODY_LIMIT_BYTES && error.code === 'EPIPE';
        if (isRefusedBody) return resolve(undefined);
        // `stale`: the server closed an idle connection just when the client used it again.
        resolve({ error: error.message, stale: sent.reusedSocket && error.code === 'ECONNRESET' });
      });
      sent.end(given.body);
    });
  }

  return {
    async send(request, cookie) {
      let answer = await attempt(request, cookie);
      if (answer && 'error' in answer && answer.stale) answer = await attempt(request, cookie);
      if (!answer) return undefined;
      if ('error' in answer) return answer.error;
      if (answer.ms <= MAX_FUZZ_ANSWER_MS) return answer;
      const again = await attempt(request, cookie);
      return { ...answer, ms: !again || 'error' in again ? answer.ms : Math.min(answer.ms, again.ms) };
    },
    close: () => agent.destroy(),
  };
}
