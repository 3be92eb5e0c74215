import type { Config } from './config.ts';
import { type OutboundClient, openOutbound } from './platform/outbound.ts';
import { type OutboundAllow, readOutboundAllow } from './platform/outbound-allow.ts';

/**
 * One outbound client per purpose, so that an internal address that the operator allows for one purpose stays blocked for the
 * others. Customers choose these addresses: a beheerder enters the address of a webhook, and the browser of any kijker sends the
 * address of its push service.
 */
export type OutboundClients = {
  readonly oidc: OutboundClient;
  readonly webhooks: OutboundClient;
  /** Client that reaches no internal address, because push services are on the internet. */
  readonly push: OutboundClient;
};

/** Returns the clients. The settings name the internal hosts that a client may reach; `readConfig` has validated them. */
export const openOutboundClients = (config: Config): OutboundClients => ({
  oidc: openWay(config.OUTBOUND_ALLOW_OIDC),
  webhooks: openWay(config.OUTBOUND_ALLOW_WEBHOOKS),
  push: openWay([]),
});

const openWay = (entries: readonly string[]): OutboundClient =>
  openOutbound({ allow: readOutboundAllow(entries) as OutboundAllow });
