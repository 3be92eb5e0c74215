import type { LiveMetadata } from '#shared/domain/live.ts';

/** The page of a machine, or of an LMB logger (APP-03). */
export const entryPath = ({ kind, serialNumber, alias }: LiveMetadata): string =>
  kind === 'logger'
    ? `/lmb-logging/${encodeURIComponent(alias)}`
    : `/machine/${encodeURIComponent(serialNumber)}`;
