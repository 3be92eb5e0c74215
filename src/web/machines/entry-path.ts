import type { LiveMetadata } from '#shared/contract/live.ts';

/** The page of a machine, or of an LMB logger (specification section 2). */
export const entryPath = ({ kind, serialNumber, alias }: LiveMetadata): string =>
  kind === 'logger'
    ? `/lmb-logging/${encodeURIComponent(alias)}`
    : `/machine/${encodeURIComponent(serialNumber)}`;
