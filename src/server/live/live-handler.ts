import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { userAgentOf } from '#server/auth/session-use.ts';
import { lacksFactor, type Sessions } from '#server/auth/sessions.ts';
import { isUnavailable } from '#server/platform/database.ts';
import { databaseUnreachable } from '#server/platform/problem.ts';
import { visitorAddress } from '#server/platform/visitor-address.ts';
import { isUnchanged, LIVE_TYPE, LIVE_VARY, takesGzip } from './live-conditions.ts';
import type { LiveAnswer, LiveImage } from './live-image.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * GET /api/live in front of Fastify: every open page asks it every 5 s, and there the way to the route costs more
 * than the answer. It gives only the answers 200 and 304 to a signed-in caller, as live.routes.ts would; everything
 * else, and whatever is unusual about a request, is left to the route.
 */
export type LiveHandler = {
  handle(request: IncomingMessage, response: ServerResponse, rest: Handler): boolean;
  /** The headers of an answer of the route; until they are known nothing is answered here. */
  useHeaders(headers: OutgoingHttpHeaders): void;
};

/** Headers of one answer only; the others are the same for all. */
const OWN_HEADERS =
  /^(content-type|content-length|content-encoding|date|connection|keep-alive|vary|etag|retry-after|set-cookie)$/;
/** What an open page asks between two polls: whether its session is still there. */
const isLook = ({ method, url }: IncomingMessage): boolean =>
  method === 'HEAD' && url === '/api/live?session';
/** Other origins and bodies are the route's. */
const isUnusual = ({ method, headers }: IncomingMessage): boolean =>
  method !== 'GET' ||
  headers.origin !== undefined ||
  headers['content-length'] !== undefined ||
  headers['transfer-encoding'] !== undefined;
/** What sessions.ts makes. */
const TOKEN = /^[\w-]{43}$/;

/** Names and values, ready for writeHead. */
type Prepared = {
  readonly unchanged: readonly string[];
  readonly plain: readonly string[];
  readonly zipped: (bytes: number) => readonly string[];
};

export function openLiveHandler(
  sessions: Sessions,
  image: LiveImage,
  cookieName: string,
  trustProxy: boolean,
): LiveHandler {
  let common: readonly string[] | undefined;
  const prepared = new WeakMap<LiveAnswer, Prepared>();
  // The first of that name counts, as for @fastify/cookie.
  const cookie = new RegExp(`(?:^|;)\\s*${cookieName}=([^;]*)`);

  const tokenOf = (header: string | undefined): string | undefined => {
    const token = header === undefined ? undefined : cookie.exec(header)?.[1];
    return token !== undefined && TOKEN.test(token) ? token : undefined;
  };

  function prepare(answer: LiveAnswer, shared: readonly string[]): Prepared {
    const tagged = [...shared, 'etag', answer.etag, 'vary', LIVE_VARY];
    const typed = [...tagged, 'content-type', LIVE_TYPE];
    const made: Prepared = {
      unchanged: tagged,
      plain: [...typed, 'content-length', String(answer.body.length)],
      zipped: (bytes) => [...typed, 'content-encoding', 'gzip', 'content-length', String(bytes)],
    };
    prepared.set(answer, made);
    return made;
  }

  /** Answers 304, or with what is there uncompressed; else @returns false, and the compressed bytes are to be sent. */
  function sendAtOnce(
    { headers }: IncomingMessage,
    response: ServerResponse,
    live: LiveAnswer,
    { unchanged, plain }: Prepared,
  ): boolean {
    if (isUnchanged(headers['if-none-match'], live.etag))
      response.writeHead(304, unchanged as string[]).end();
    else if (takesGzip(headers['accept-encoding'])) return false;
    else response.writeHead(200, plain as string[]).end(live.body);
    return true;
  }

  /** @returns false when there is nothing to answer here */
  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    token: string,
    shared: readonly string[],
  ): Promise<boolean> {
    const address = visitorAddress(request, trustProxy);
    const visitor = { address, userAgent: userAgentOf(request.headers['user-agent']) };
    const caller = await sessions.find(token, visitor);
    if (!caller) return false;
    if (caller.mustChangePassword) return false;
    if (lacksFactor(caller)) return false;
    if (isLook(request)) return stillThere(response, shared);
    const live = await image.answer(caller.scope);
    const ready = prepared.get(live) ?? prepare(live, shared);
    if (sendAtOnce(request, response, live, ready)) return true;
    const bytes = await live.gzipped();
    response.writeHead(200, ready.zipped(bytes.length) as string[]).end(bytes);
    return true;
  }

  /** Most of what is asked: nothing has changed, and all of it is known. Promises would cost a fifth more. */
  function answerAtOnce(
    request: IncomingMessage,
    response: ServerResponse,
    token: string,
    shared: readonly string[],
  ): boolean {
    const caller = sessions.known(token);
    const mayAsk = caller && !caller.mustChangePassword && !lacksFactor(caller);
    if (!mayAsk) return false;
    if (isLook(request)) return stillThere(response, shared);
    const live = image.known(caller.scope);
    if (!live) return false;
    return sendAtOnce(request, response, live, prepared.get(live) ?? prepare(live, shared));
  }

  return {
    handle(request, response, rest) {
      const { url } = request;
      if (url !== '/api/live' && !url?.startsWith('/api/live?')) return false;
      if (common === undefined || (isUnusual(request) && !isLook(request))) return false;
      const token = tokenOf(request.headers.cookie);
      if (token === undefined) return false;
      const shared = common;
      if (answerAtOnce(request, response, token, shared)) return true;
      answer(request, response, token, shared).then(
        (answered) => {
          if (!answered) rest(request, response);
        },
        (error) => {
          // The route would ask the silent database once more.
          if (isUnavailable(error)) outOfReach(response, shared);
          else rest(request, response);
        },
      );
      return true;
    },
    useHeaders(headers) {
      common = Object.entries(headers)
        .filter(([name]) => !OWN_HEADERS.test(name))
        .flatMap(([name, value]) => [name, String(value)]);
    },
  };
}

/** No image is made for it. */
function stillThere(response: ServerResponse, shared: readonly string[]): true {
  response.writeHead(200, shared as string[]).end();
  return true;
}

function outOfReach(response: ServerResponse, shared: readonly string[]): void {
  const body = JSON.stringify(databaseUnreachable());
  const length = String(Buffer.byteLength(body));
  const own = ['content-type', LIVE_TYPE, 'content-length', length, 'retry-after', '5'];
  response.writeHead(503, [...shared, ...own]).end(body);
}
