import type { Config } from './config.ts';
import { type Outbound, openOutbound } from './platform/outbound.ts';
import { type OutboundAllow, readOutboundAllow } from './platform/outbound-allow.ts';

/**
 * One outbound way per purpose, so that an internal address that the operator allows for one purpose stays closed for the others. Customers
 * choose these addresses: a beheerder enters that of a webhook, and the browser of any kijker sends that of its push service.
 */
export type OutboundWays = {
  readonly oidc: Outbound;
  readonly webhooks: Outbound;
  /** No exceptions, because push services are on the internet. */
  readonly push: Outbound;
};

/** Returns the ways with the exceptions of the settings, which `readConfig` has validated. */
export const openOutboundWays = (config: Config): OutboundWays => ({
  oidc: openWay(config.OUTBOUND_ALLOW_OIDC),
  webhooks: openWay(config.OUTBOUND_ALLOW_WEBHOOKS),
  push: openWay([]),
});

const openWay = (entries: readonly string[]): Outbound =>
  openOutbound({ allow: readOutboundAllow(entries) as OutboundAllow });
