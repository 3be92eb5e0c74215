import type { LiveEntry, LiveMetadata } from '#shared/contract/live.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { writeRange } from './range-address.ts';

/** The name of an LMB logger, and the functional name of its organization. */
type NamedLogger = { readonly alias: string; readonly organization: string };

/**
 * Returns the path of a logger's page. An alias is unique only in its organization, so the path adds the organization if a
 * logger of another organization in the list has the same alias.
 */
export function loggerPath({ alias, organization }: NamedLogger, all: readonly NamedLogger[]): string {
  const isShared = all.some((other) => other.alias === alias && other.organization !== organization);
  return isShared ? ownLoggerPath({ alias, organization }) : `/lmb-logging/${encodeURIComponent(alias)}`;
}

/** Returns the path of a logger's page with its organization. */
const ownLoggerPath = ({ alias, organization }: NamedLogger): string =>
  `/lmb-logging/${encodeURIComponent(alias)}?organization=${encodeURIComponent(organization)}`;

type Managed = NamedLogger & { readonly kind: 'machine' | 'logger'; readonly serial: string };

/** Returns the path of the page on which an administrator manages the logger of a machine, or an LMB logger. */
export const loggerPanelPath = (managed: Managed): string =>
  managed.kind === 'machine' ? `/machine/edit/${encodeURIComponent(managed.serial)}` : ownLoggerPath(managed);

/** Returns the path of the page of a machine or LMB logger. @param fleet all machines and loggers that the user can see */
export function machineOrLoggerPath(metadata: LiveMetadata, fleet: readonly LiveEntry[]): string {
  if (metadata.kind === 'machine') return `/machine/${encodeURIComponent(metadata.serialNumber)}`;
  const all = fleet.map((entry) => entry.metadata);
  return loggerPath(
    metadata,
    all.filter(({ kind }) => kind === 'logger'),
  );
}

/** Returns the path of a machine's page for a range of its history, plus a minute at both ends. */
export function historyPath(serial: string, { from, to }: TimeRange): string {
  const search = new URLSearchParams();
  writeRange(search, { from: from - MINUTE_MS, to: to + MINUTE_MS });
  return `/machine/${encodeURIComponent(serial)}?${search}`;
}
const MINUTE_MS = 60_000;
