import type { Definition } from '#shared/contract/definition.ts';
import type { LogSummary } from '#shared/contract/log-files.ts';
import type { LogBatch } from './decode/recorded-log.ts';

const MAX_MISSING = 50;

/** Returns a summary of the result of decoding a file. @param last the last batch of the file, or of its readable part */
export function summarizeLog(
  { mapping }: Definition,
  {
    stats,
    span,
    found,
    unknownIdentifiers,
    buses,
  }: Pick<LogBatch, 'stats' | 'span' | 'found' | 'unknownIdentifiers' | 'buses'>,
): LogSummary {
  const had = new Set(found);
  const mapped = [...new Set(mapping.signals.map(({ to }) => to))];
  const missing = mapped.filter((name) => !had.has(name));
  return {
    from: span ? new Date(span.from).toISOString() : null,
    to: span ? new Date(span.to).toISOString() : null,
    frames: stats.frames,
    unknownFrames: stats.unknownIds,
    unknownIdentifiers,
    mapped: mapped.length,
    found: mapped.length - missing.length,
    missing: missing.slice(0, MAX_MISSING),
    ...(buses.length > 0 && { buses }),
  };
}
