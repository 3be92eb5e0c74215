import type { LmbLogger } from '#shared/contract/lmb-loggers.ts';

/**
 * A logger's page. An alias is unique in its organization only: where another one in the list has it too, the
 * organization stands behind it.
 */
export function loggerPath({ alias, organization }: LmbLogger, all: readonly LmbLogger[]): string {
  const isShared = all.some((other) => other.alias === alias && other.organization !== organization);
  const path = `/lmb-logging/${encodeURIComponent(alias)}`;
  return isShared ? `${path}?organization=${encodeURIComponent(organization)}` : path;
}
