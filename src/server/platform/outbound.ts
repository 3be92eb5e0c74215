import { lookup as systemLookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { OutboundAllow } from './outbound-allow.ts';

/** The one way out: requests to hosts that somebody typed in (an identity provider, a webhook). */
export type Outbound = {
  /**
   * As `fetch`, and: https and port 443 only, to public addresses only, except for what `allow` names; a
   * redirect is not followed but answered; 10 s in all, 64 kB of answer; no proxy of the environment.
   * @throws OutboundError
   */
  fetch(url: string | URL, request?: OutboundRequest): Promise<Response>;
  /** Whether `fetch` may go there, as far as it is known before it does. @throws OutboundError */
  check(url: string | URL): Promise<void>;
};

export type OutboundRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | URLSearchParams | null;
  readonly signal?: AbortSignal | undefined;
};

/**
 * No answer. `refused`: we do not go there; `unreachable`: nobody is there, or not whom the certificate names; `slow`:
 * not done in time; `unusable`: an answer that cannot be taken. The message is for a log.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: 'refused' | 'unreachable' | 'slow' | 'unusable';
  constructor(reason: OutboundError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string }[]>;

type OutboundParts = {
  readonly allow: OutboundAllow;
  readonly resolve?: Resolve;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 64 * 1024;

/** Connections are not kept: each request looks the name up and checks what it finds. */
export function openOutbound({
  allow,
  ca,
  resolve = lookUp,
  timeoutMs = TIMEOUT_MS,
}: OutboundParts): Outbound {
  // Agents of our own: with NODE_USE_ENV_PROXY the global ones go by HTTPS_PROXY.
  const agents = { 'http:': new HttpAgent(), 'https:': new HttpsAgent() } as const;

  /** The addresses to connect to, every one of them checked. */
  async function addressesOf(url: URL): Promise<string[]> {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const found = isIP(host) === 0 ? (await resolve(host)).map(({ address }) => address) : [host];
    if (found.length === 0) throw new OutboundError('unreachable', `${url.host} has no address`);
    if (!found.every((address) => allow.mayConnect(url, address)))
      throw new OutboundError('refused', `${url.host} is at an address that is not allowed`);
    return found;
  }

  async function ask(url: URL, asked: OutboundRequest, signal: AbortSignal): Promise<Response> {
    const addresses = await addressesOf(url);
    signal.throwIfAborted();
    const body = asked.body instanceof URLSearchParams ? asked.body.toString() : (asked.body ?? undefined);
    const options: RequestOptions = {
      method: asked.method ?? 'GET',
      // Packed, a small answer could unpack to a large one.
      headers: {
        ...asked.headers,
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
      signal,
      // Connects to what was checked: nothing looks the name up again. SNI, certificate and Host stay the name's.
      lookup: lookupOf(addresses),
      agent: agents[url.protocol as keyof typeof agents],
      // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
      rejectUnauthorized: true,
      ...(ca !== undefined && { ca }),
    };
    const message = await new Promise<IncomingMessage>((answered, failed) => {
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      send(url, options, answered).on('error', failed).end(body);
    });
    return answerOf(message);
  }

  async function inTime<T>(
    url: URL,
    given: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const fault = allow.faultOf(url);
    if (fault !== undefined) throw new OutboundError('refused', `${url.host}: ${fault}`);
    const late = AbortSignal.timeout(timeoutMs);
    const signal = given ? AbortSignal.any([late, given]) : late;
    try {
      // Raced: a lookup takes no signal.
      return await Promise.race([work(signal), aborted(signal)]);
    } catch (cause) {
      if (cause instanceof OutboundError) throw cause;
      if (signal.aborted) throw new OutboundError('slow', `${url.host} took too long`, { cause });
      throw new OutboundError('unreachable', `${url.host}: ${(cause as Error).message}`, { cause });
    }
  }

  return {
    async fetch(target, asked = {}) {
      const url = new URL(target);
      return inTime(url, asked.signal, (signal) => ask(url, asked, signal));
    },
    async check(target) {
      const url = new URL(target);
      await inTime(url, undefined, () => addressesOf(url));
    },
  };
}

const lookUp: Resolve = (host) => systemLookup(host, { all: true });

/** Answers Node's question for a name's addresses with these. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, answer) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }));
    if (options.all) answer(null, all);
    else answer(null, all[0]?.address as string, all[0]?.family);
  };

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** The whole answer, so that who reads it needs no limits of their own. */
async function answerOf(message: IncomingMessage): Promise<Response> {
  const status = message.statusCode ?? 0;
  const encoding = message.headers['content-encoding'] ?? 'identity';
  if (status < 200 || status > 599 || encoding !== 'identity') {
    message.destroy();
    throw new OutboundError('unusable', `an answer that cannot be read (${status}, ${encoding})`);
  }
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    size += piece.length;
    // Leaving the loop ends the connection.
    if (size > MOST_BYTES) throw new OutboundError('unusable', `more than ${MOST_BYTES} bytes`);
    pieces.push(piece);
  }
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(pieces), { status, headers });
}
