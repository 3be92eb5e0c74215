import { amsterdamInstant } from '#shared/domain/amsterdam-time.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';

/** Initial range of LMB loggers and /test (LOG-04, TEST-01), in Amsterdam time. */
export const DEFAULT_RANGE: TimeRange = {
  from: amsterdamInstant('2025-04-12 08:00', 'first') as number,
  to: amsterdamInstant('2025-04-12 20:00', 'first') as number,
};
