import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the address in a text that a socket or proxy reports: without a port ('192.0.2.7:49152', '[2001:db8::7]:443') and without
 * an interface's zone ('fe80::1%eth0'). An IPv4 address in IPv6 notation becomes IPv4. Returns 'unknown' for a text that is no
 * address.
 */
export function visitorIpOf(reported: string): string {
  const bare = reported.trim().replace(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');
  if (isIPv4(bare)) return bare;
  const [ip = ''] = bare.split('%', 1);
  if (!isIPv6(ip)) return 'unknown';
  const groups = groupsOf(ip);
  const prefix = groups.slice(0, 6).join(':');
  if (prefix === MAPPED || prefix === TRANSLATED) return bytesOf(groups.slice(6)).join('.');
  return ip.toLowerCase();
}

/** IPv4-mapped IPv6: ::ffff:0:0/96, and 64:ff9b::/96, by which IPv6-only networks reach IPv4 (RFC 6052). */
const MAPPED = '0:0:0:0:0:ffff';
const TRANSLATED = '64:ff9b:0:0:0:0';

/** Returns the network that limits treat as one address: for IPv6 the network of 64 bits, because one subscriber has all of it. */
export function networkOf(reported: string): string {
  // A fast path for IPv4, because every upload calls this function.
  if (isIPv4(reported)) return reported;
  const address = visitorIpOf(reported);
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** Returns the eight groups of an IPv6 address, without leading zeros. */
function groupsOf(ip: string): string[] {
  const written = ip.replace(/\d{1,3}(?:\.\d{1,3}){3}$/, (ipv4) => {
    const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = [], tail = []] = written.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16).toString(16));
}

const bytesOf = (groups: readonly string[]): number[] =>
  groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);

/**
 * Returns the network of a request as limits count it (networkOf). Equals Fastify's `request.ip` with the portal's setting; needed for
 * requests that do not reach Fastify.
 * @param trustProxy whether one trusted proxy appends its visitor's address to X-Forwarded-For; the visitor may have forged the addresses
 * before it
 */
export function visitorAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  // Node joins the values of a repeated header with commas. Without the header the list is empty.
  const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '').split(',') : [];
  const last = forwarded.map((address) => address.trim()).findLast((address) => address !== '');
  return networkOf(last ?? socket.remoteAddress ?? '');
}

/**
 * Returns whether a request came over https. Equals Fastify's `request.protocol`.
 * @param trustProxy whether one trusted proxy terminates TLS and reports it in X-Forwarded-Proto; false: there is no proxy
 */
export function cameOverHttps({ headers }: IncomingMessage, trustProxy: boolean): boolean {
  const forwarded = trustProxy ? String(headers['x-forwarded-proto'] ?? '').split(',') : [];
  return forwarded.at(-1)?.trim() === 'https';
}
