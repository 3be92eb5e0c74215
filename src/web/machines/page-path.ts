import type { LiveEntry, LiveMetadata } from '#shared/contract/live.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { writeRange } from './range-address.ts';

/** What an LMB logger is named by: its name, and the functional name of its organization. */
type NamedLogger = { readonly alias: string; readonly organization: string };

/**
 * A logger's page. An alias is unique in its organization only: where another one in the list has it too, the
 * organization stands behind it.
 */
export function loggerPath({ alias, organization }: NamedLogger, all: readonly NamedLogger[]): string {
  const isShared = all.some((other) => other.alias === alias && other.organization !== organization);
  return isShared ? ownLoggerPath({ alias, organization }) : `/lmb-logging/${encodeURIComponent(alias)}`;
}

/** Returns the address of a logger's page that names its organization, whatever other loggers there are. */
const ownLoggerPath = ({ alias, organization }: NamedLogger): string =>
  `/lmb-logging/${encodeURIComponent(alias)}?organization=${encodeURIComponent(organization)}`;

type Managed = NamedLogger & { readonly kind: 'machine' | 'logger'; readonly serial: string };

/** Returns the address of the page on which an administrator sees to the logger of a machine, or to an LMB logger. */
export const loggerPanelPath = (managed: Managed): string =>
  managed.kind === 'machine' ? `/machine/edit/${encodeURIComponent(managed.serial)}` : ownLoggerPath(managed);

/** The page of a machine, or of an LMB logger; `fleet` is all that the user has. */
export function entryPath(metadata: LiveMetadata, fleet: readonly LiveEntry[]): string {
  if (metadata.kind === 'machine') return `/machine/${encodeURIComponent(metadata.serialNumber)}`;
  const all = fleet.map((entry) => entry.metadata);
  return loggerPath(
    metadata,
    all.filter(({ kind }) => kind === 'logger'),
  );
}

/** Returns the address of a machine's page that shows a time of its history, a minute more at both ends. */
export function historyPath(serial: string, { from, to }: TimeRange): string {
  const search = new URLSearchParams();
  writeRange(search, { from: from - MINUTE_MS, to: to + MINUTE_MS });
  return `/machine/${encodeURIComponent(serial)}?${search}`;
}
const MINUTE_MS = 60_000;
