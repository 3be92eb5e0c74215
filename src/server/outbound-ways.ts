import type { Config } from './config.ts';
import { type Outbound, openOutbound } from './platform/outbound.ts';
import { type OutboundAllow, readOutboundAllow } from './platform/outbound-allow.ts';

/**
 * One outbound way per purpose, so that an internal address that the operator allows for one purpose stays closed for others: a beheerder
 * enters a webhook's address, and every kijker's browser sends one for push.
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
