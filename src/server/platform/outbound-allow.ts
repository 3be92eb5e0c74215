import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IANA's registry of special-purpose IPv4 addresses: they are not on the public internet, or belong to no single host. */
const NOT_PUBLIC_4 = blockList('ipv4', [
  ['0.0.0.0', 8], // unspecified, 'this network'
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, and the metadata of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
]);

/** The only range of global IPv6 addresses that IANA has allocated. Excludes ::, ::1, IPv4-mapped, NAT64, ULA, link-local, multicast. */
const GLOBAL_6 = blockList('ipv6', [['2000::', 3]]);
const NOT_PUBLIC_6 = blockList('ipv6', [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: contains an IPv4 address
  ['3fff::', 20], // documentation
]);

/** Addresses that belong to no host; refused even if the operator allows them. */
const NO_HOST = new BlockList();
NO_HOST.addSubnet('0.0.0.0', 8, 'ipv4');
NO_HOST.addSubnet('224.0.0.0', 4, 'ipv4');
NO_HOST.addAddress('255.255.255.255', 'ipv4');
NO_HOST.addAddress('::', 'ipv6');
NO_HOST.addSubnet('ff00::', 8, 'ipv6');

/** Returns whether the text is the address of one host on the public internet; false for a text that is no address or has a zone. */
function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !NOT_PUBLIC_4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return GLOBAL_6.check(address, 'ipv6') && !NOT_PUBLIC_6.check(address, 'ipv6');
}

/** Returns whether the text can be the address of one host, in any network. */
function isHostAddress(address: string): boolean {
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) && !address.includes('%') ? 'ipv6' : undefined;
  return family !== undefined && !NO_HOST.check(address, family);
}

/** Returns whether the address is a loopback address: 127.0.0.0/8 or ::1. */
const isLoopback = (address: string): boolean =>
  (isIPv4(address) && address.startsWith('127.')) || address === '::1';

function blockList(family: 'ipv4' | 'ipv6', nets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of nets) list.addSubnet(net, prefix, family);
  return list;
}

/** Hosts that the operator allows for one purpose (OUTBOUND_ALLOW_OIDC, OUTBOUND_ALLOW_WEBHOOKS). */
export type OutboundAllow = {
  /** Returns why this URL may not be requested at all, before its host name is resolved; undefined if it may be requested. */
  refusalOf(url: URL): string | undefined;
  /** Returns whether the portal may connect to this address for the URL. */
  mayConnect(url: URL, address: string): boolean;
};

const HOST = String.raw`(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])`;
const NAMED = new RegExp(`^(http://)?(${HOST})(?::([1-9]\\d{0,4}))?$`, 'i');
const NETWORK = /^([0-9a-f:.]+)\/(\d{1,3})$/i;

/**
 * Parses the entries of OUTBOUND_ALLOW_OIDC or OUTBOUND_ALLOW_WEBHOOKS. An entry is a `host` (port 443, at any address), a `host:port`, a
 * network such as 10.20.0.0/16 (port 443 of every name with an address in it), or `http://host:port`, which is plain http and allowed for
 * this computer only: localhost, 127.0.0.0/8, [::1].
 * @returns undefined when an entry has none of these forms
 */
export function readOutboundAllow(entries: readonly string[]): OutboundAllow | undefined {
  const origins = new Set<string>();
  const networks = new BlockList();
  for (const entry of entries) {
    const [, net = '', prefix = ''] = NETWORK.exec(entry) ?? [];
    if (net !== '') {
      const family = isIPv4(net) ? 'ipv4' : 'ipv6';
      if (!(isIPv4(net) || isIPv6(net)) || Number(prefix) > (family === 'ipv4' ? 32 : 128)) return undefined;
      networks.addSubnet(net, Number(prefix), family);
      continue;
    }
    const [, plain, host = '', port] = NAMED.exec(entry) ?? [];
    const url = URL.parse(`${plain ?? 'https://'}${host}${port === undefined ? '' : `:${port}`}`);
    if (host === '' || !url || (plain !== undefined && !isThisMachine(url))) return undefined;
    origins.add(url.origin);
  }
  return {
    refusalOf(url) {
      if (url.username !== '' || url.password !== '') return 'credentials in the address';
      if (origins.has(url.origin)) return undefined;
      if (url.protocol !== 'https:') return 'not https';
      return url.port === '' ? undefined : 'a port that is not allowed';
    },
    mayConnect(url, address) {
      if (url.protocol === 'http:' && !isLoopback(address)) return false;
      if (isPublicAddress(address)) return true;
      if (!isHostAddress(address)) return false;
      return origins.has(url.origin) || networks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
    },
  };
}

const isThisMachine = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
