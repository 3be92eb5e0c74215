import type { Config } from './config.ts';
import { type Outbound, openOutbound } from './platform/outbound.ts';
import { type OutboundAllow, readOutboundAllow } from './platform/outbound-allow.ts';

/**
 * One outbound client per purpose, so that an internal address that the operator allows for one purpose stays blocked for the
 * others. Customers choose these addresses: a beheerder enters the address of a webhook, and the browser of any kijker sends the
 * address of its push service.
 */
export type OutboundClients = {
  readonly oidc: Outbound;
  readonly webhooks: Outbound;
  /** Client without exceptions, because push services are on the internet. */
  readonly push: Outbound;
};

/** Returns the outbound clients with the exceptions of the settings, which `readConfig` has validated. */
export const openOutboundClients = (config: Config): OutboundClients => ({
  oidc: openWay(config.OUTBOUND_ALLOW_OIDC),
  webhooks: openWay(config.OUTBOUND_ALLOW_WEBHOOKS),
  push: openWay([]),
});

const openWay = (entries: readonly string[]): Outbound =>
  openOutbound({ allow: readOutboundAllow(entries) as OutboundAllow });
