import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

const text = z.string().max(200);
const moment = z.string().max(40);

const LmbLogger = z.object({
  alias: z.string(),
  loggerid: z.string(),
  /** Functional name, and display name. */
  organization: z.string(),
  cleanorg: z.string(),
});
export type LmbLogger = z.output<typeof LmbLogger>;

const DeletedLmbLogger = LmbLogger.extend({
  /** The stream's id: never reused. */
  _id: z.number().int(),
  /** ISO time. */
  deletedAt: z.string(),
  /** ISO time: its readings are removed then. */
  removedAt: z.string(),
  /** Why it cannot be restored, in Dutch: its loggerid or name has been taken. */
  obstacle: z.string().optional(),
});
export type DeletedLmbLogger = z.output<typeof DeletedLmbLogger>;

/** What a route or a client names a logger by; a loggerid alone is enough. */
const LmbLoggerName = z.object({
  alias: text.optional(),
  loggerid: text.optional(),
  /** Functional name; of use where loggers of several organizations have the alias. */
  organization: text.optional(),
});
export type LmbLoggerName = z.output<typeof LmbLoggerName>;

const NewLmbLogger = z.object({
  /** Functional name. */
  organization: text,
  loggerid: text,
  alias: text,
  /** Display name of the organization: accepted and ignored, the server knows it. */
  clean: text.optional(),
});
export type NewLmbLogger = z.output<typeof NewLmbLogger>;

/** ISO times, UTC. `_start` and `_stop` bound the stretch in which the value held (timelines) or the bucket (speed). */
const Point = z.object({ _time: z.string(), _value: z.number(), _start: z.string(), _stop: z.string() });
/** From `value` up to the next threshold the series has this colour and is called this. */
const Threshold = z.object({ value: z.number(), color: z.string(), name: z.string() });
const Series = z.object({ name: z.string(), data: z.array(Point), colors: z.array(Threshold) });

const LmbData = z.object({
  /** On which track kind or none, and the position of the rail gear: the two series of `spoordata`. */
  spoor: z.array(Point),
  spoorstand: z.array(Point),
  legendas: z.object({ machinestatus: z.array(Threshold), spoordata: z.array(Threshold) }),
  /** km/h: at most two points per bucket, its lowest and its highest, so that no peak disappears. */
  speed: z.array(Series),
  machinestatus: z.array(Series),
  spoordata: z.array(Series),
  /** The track of the range, thinned; `position` is its last point. */
  location: z.array(z.object({ lat: z.number(), lon: z.number(), time: z.string() })),
  position: z.object({ lat: z.number(), lon: z.number(), time: z.string() }).nullable(),
  /**
   * How long each code of the machine's status held in the range, ms, and how long none did, of the caller's part up to
   * now (docs/figures.md section 8); null: more readings than are counted.
   */
  totals: z
    .object({ codes: z.array(z.object({ value: z.number(), ms: z.number() })), noDataMs: z.number() })
    .nullable(),
  /** The last day with data, 'YYYY-MM-DD' in Europe/Amsterdam; null: there is none. */
  lastDay: z.string().nullable(),
});
export type LmbData = z.output<typeof LmbData>;

/** API-01, Loggers. */
export const lmbLoggersApi = {
  'GET /api/berend/get': {
    summary: "The caller's LMB loggers; an administrator's are all.",
    access: 'session',
    needs: 'see-loggers',
    changes: false,
    response: z.array(LmbLogger),
  },
  'GET /api/berend/get/one': {
    summary:
      'One LMB logger, by its loggerid or by its alias (with the organization where several have that alias).',
    access: 'session',
    needs: 'see-loggers',
    changes: false,
    query: LmbLoggerName,
    response: LmbLogger,
  },
  'GET /api/berend/get/data': {
    summary:
      'Speed, machine status, track data and position of a range; `points`: buckets for what is drawn.',
    access: 'session',
    needs: 'see-loggers',
    changes: false,
    query: z.object({
      start: moment,
      end: moment,
      loggerid: text,
      points: z.coerce.number().int().min(10).max(100_000).default(2_000),
    }),
    response: LmbData,
  },
  'GET /api/berend/new': {
    summary: 'Registers an LMB logger for an LMB logging customer.',
    access: 'session',
    needs: 'manage-loggers',
    changes: true,
    query: NewLmbLogger,
    response: z.object({ message: z.string(), loggerid: z.string() }),
  },
  'GET /api/berend/get/deleted': {
    summary: 'LMB loggers that were deleted and can still be restored, newest first.',
    access: 'session',
    needs: 'manage-loggers',
    changes: false,
    response: z.array(DeletedLmbLogger),
  },
  'POST /api/berend/restore': {
    summary:
      'Takes back the deletion of an LMB logger, by its _id, unless its loggerid or name has been taken; without its ReXgen when that reports for something else.',
    access: 'session',
    needs: 'manage-loggers',
    proof: true,
    changes: true,
    body: z.object({ _id: z.int32() }),
    response: z.object({ message: z.string(), loggerid: z.string() }),
  },
  'DELETE /api/berend/delete': {
    summary: 'Deletes an LMB logger; its readings are kept for the grace period.',
    access: 'session',
    needs: 'manage-loggers',
    proof: true,
    changes: true,
    query: z.object({ loggerid: text }),
    response: z.object({ message: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
