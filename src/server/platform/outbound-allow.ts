import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { isHostAddress, isLoopback, isPublicAddress } from './network-address.ts';

/** Hosts that the operator allows for one purpose (OUTBOUND_ALLOW_OIDC, OUTBOUND_ALLOW_WEBHOOKS). */
export type OutboundAllow = {
  /** Returns why this URL may not be requested at all, before its name is looked up; undefined: it may. */
  refusalOf(url: URL): string | undefined;
  /** Returns whether the portal may connect to this address for the URL. */
  mayConnect(url: URL, address: string): boolean;
};

const HOST = String.raw`(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])`;
const NAMED = new RegExp(`^(http://)?(${HOST})(?::([1-9]\\d{0,4}))?$`, 'i');
const NETWORK = /^([0-9a-f:.]+)\/(\d{1,3})$/i;

/**
 * Parses the entries of such a setting: `host` (port 443, at any address), `host:port`, a network such as 10.20.0.0/16 (port
 * 443 of every name with an address in it), or `http://host:port`, which is plain http and allowed for this computer only:
 * localhost, 127.0.0.0/8, [::1].
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
