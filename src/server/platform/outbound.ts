import { lookup as systemLookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { OutboundAllow } from './outbound-allow.ts';

/** The only way to request hosts that a person typed in (an identity provider, a webhook). */
export type OutboundClient = {
  /**
   * Works like `fetch`, restricted to https, port 443 and public addresses, except for hosts that `allow` names. Redirects are
   * returned, not followed. The limits are 10 s in total and 64 kB of response. No proxy of the environment is used.
   * @throws OutboundError
   */
  fetch(url: string | URL, request?: OutboundRequest): Promise<Response>;
  /** Refuses a URL that `fetch` would refuse, as far as that is known without the request. @throws OutboundError */
  check(url: string | URL): Promise<void>;
};

export type OutboundRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | URLSearchParams | null;
  readonly signal?: AbortSignal | undefined;
};

/**
 * A request without a usable response. `refused`: not allowed; `unreachable`: no connection, or a wrong certificate; `slow`: too
 * late; `unusable`: too large or compressed. The message is for the log.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: 'refused' | 'unreachable' | 'slow' | 'unusable';
  constructor(reason: OutboundError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Returns all addresses of a name. */
export type ResolveHost = (host: string) => Promise<readonly { readonly address: string }[]>;

type OutboundParts = {
  readonly allow: OutboundAllow;
  readonly resolve?: ResolveHost;
  /** Certificate authorities to trust instead of the system's. */
  readonly ca?: string;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const MAX_SIZE_BYTES = 64 * 1024;

/** Opens the outbound client. Connections are not reused: each request resolves the name and checks the addresses. */
export function openOutbound({
  allow,
  ca,
  resolve = lookUp,
  timeoutMs = TIMEOUT_MS,
}: OutboundParts): OutboundClient {
  // The client has its own agents, because with NODE_USE_ENV_PROXY the global agents use HTTPS_PROXY.
  const agents = { 'http:': new HttpAgent(), 'https:': new HttpsAgent() } as const;

  /** Returns the addresses to connect to, after checking each of them. */
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
      // Compressed responses are not accepted, because a small one could unpack to a large one.
      headers: {
        ...asked.headers,
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
      signal,
      // Connects to the checked addresses without another lookup. SNI, certificate and Host use the name.
      lookup: lookupOf(addresses),
      agent: agents[url.protocol as keyof typeof agents],
      // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED may turn the check off.
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
    const refusal = allow.refusalOf(url);
    if (refusal !== undefined) throw new OutboundError('refused', `${url.host}: ${refusal}`);
    const late = AbortSignal.timeout(timeoutMs);
    const signal = given ? AbortSignal.any([late, given]) : late;
    try {
      // Races the work against the time limit, because a DNS lookup does not accept a signal.
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

const lookUp: ResolveHost = (host) => systemLookup(host, { all: true });

/** Returns a lookup function that gives Node these addresses. */
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

/** Reads the whole response, so that callers need no limits of their own. */
async function answerOf(message: IncomingMessage): Promise<Response> {
  const status = message.statusCode ?? 0;
  const encoding = message.headers['content-encoding'] ?? 'identity';
  if (status < 200 || status > 599 || encoding !== 'identity') {
    message.destroy();
    throw new OutboundError('unusable', `an answer that cannot be read (${status}, ${encoding})`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > MAX_SIZE_BYTES) throw new OutboundError('unusable', `more than ${MAX_SIZE_BYTES} bytes`);
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers });
}
