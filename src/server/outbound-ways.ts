import type { Config } from './config.ts';
import { type Outbound, openOutbound } from './platform/outbound.ts';
import { type OutboundAllow, readOutboundAllow } from './platform/outbound-allow.ts';

/**
 * One way out per purpose, so that an inside address that the operator allows for one purpose stays closed for the
 * others: a beheerder types in a webhook's address, and every kijker's browser sends one for push.
 */
export type OutboundWays = {
  readonly oidc: Outbound;
  readonly webhooks: Outbound;
  /** Without exceptions: push services are on the internet. */
  readonly push: Outbound;
};

/** Returns the ways with the exceptions of the settings, which `readConfig` has checked. */
export const openOutboundWays = (config: Config): OutboundWays => ({
  oidc: openWay(config.OUTBOUND_ALLOW_OIDC),
  webhooks: openWay(config.OUTBOUND_ALLOW_WEBHOOKS),
  push: openWay([]),
});

const openWay = (entries: readonly string[]): Outbound =>
  openOutbound({ allow: readOutboundAllow(entries) as OutboundAllow });
