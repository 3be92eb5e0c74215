import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/**
 * The address itself of what a socket or a proxy calls one: without the port that some proxies add ('192.0.2.7:49152',
 * '[2001:db8::7]:443'), without the zone of an interface ('fe80::1%eth0'), and an IPv4 address that is written as IPv6 as the IPv4
 * address that it is. 'unknown' for what is none.
 */
export function addressOf(told: string): string {
  const bare = told.trim().replace(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');
  if (isIPv4(bare)) return bare;
  const [ip = ''] = bare.split('%', 1);
  if (!isIPv6(ip)) return 'unknown';
  const groups = groupsOf(ip);
  const prefix = groups.slice(0, 6).join(':');
  if (prefix === MAPPED || prefix === TRANSLATED) return bytesOf(groups.slice(6)).join('.');
  return ip.toLowerCase();
}

/** IPv4 as IPv6 writes it: ::ffff:0:0/96, and 64:ff9b::/96, by which a network that has IPv6 only is reached (RFC 6052). */
const MAPPED = '0:0:0:0:0:ffff';
const TRANSLATED = '64:ff9b:0:0:0:0';

/** What limits count as one address: an IPv6 network of 64 bits, since one subscriber has all of it. */
export function networkOf(told: string): string {
  // Asked of every upload.
  if (isIPv4(told)) return told;
  const address = addressOf(told);
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** The eight groups of an IPv6 address, without leading zeros. */
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
 * Where a request comes from, as limits count it (networkOf): the same as Fastify's `request.ip` with our setting, for
 * what answers in front of it.
 * @param trustProxy one proxy of ours adds its visitor's address at the end of X-Forwarded-For; what stands before it
 *   the visitor made up
 */
export function visitorAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  // Node joins a header that comes twice; that of a visitor without one is empty.
  const told = trustProxy ? String(headers['x-forwarded-for'] ?? '').split(',') : [];
  const last = told.map((address) => address.trim()).findLast((address) => address !== '');
  return networkOf(last ?? socket.remoteAddress ?? '');
}

/**
 * Whether a visitor came over https, where nobody on the way changes what is sent: the same as Fastify's `request.protocol`.
 * @param trustProxy one proxy of ours, where TLS ends, tells so in X-Forwarded-Proto; else there is none
 */
export function cameOverHttps({ headers }: IncomingMessage, trustProxy: boolean): boolean {
  const told = trustProxy ? String(headers['x-forwarded-proto'] ?? '').split(',') : [];
  return told.at(-1)?.trim() === 'https';
}
