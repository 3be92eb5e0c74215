import { z } from 'zod';

/**
 * A fact about an upload of a logger: its kind, and its figures by name (shared/domain/delivery-findings). Counts are numbers of readings,
 * frames, rows, lines or columns; times are in ms since 1970, in UTC.
 */
export const DeliveryFindings = z.array(z.looseObject({ kind: z.string() })).readonly();
