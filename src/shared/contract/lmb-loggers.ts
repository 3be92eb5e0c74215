import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';

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
  /** ISO time at which the logger's readings are removed. */
  removedAt: z.string(),
  /** Why the logger cannot be restored, in Dutch: another logger has its loggerid or name. */
  obstacle: z.string().optional(),
});
export type DeletedLmbLogger = z.output<typeof DeletedLmbLogger>;

/** Identifies a logger in a path or call; a loggerid alone is enough. */
const LmbLoggerName = z.object({
  alias: text.optional(),
  loggerid: text.optional(),
  /** Functional name; needed when loggers of several organizations have the alias. */
  organization: text.optional(),
});
export type LmbLoggerName = z.output<typeof LmbLoggerName>;

const NewLmbLogger = z.object({
  /** The organization's functional name: its name in calls and addresses. */
  organization: text,
  loggerid: text,
  alias: text,
  /** Display name of the organization: accepted and ignored, because the server knows it. */
  clean: text.optional(),
});
export type NewLmbLogger = z.output<typeof NewLmbLogger>;

/** ISO times, UTC. `_start` and `_stop`: the interval in which the value held (timelines), or the bucket (speed). */
const Point = z.object({ _time: z.string(), _value: z.number(), _start: z.string(), _stop: z.string() });
/** Colour and name of a series from `value` up to the next threshold. */
const Threshold = z.object({ value: z.number(), color: z.string(), name: z.string() });
const Series = z.object({ name: z.string(), data: z.array(Point), colors: z.array(Threshold) });

const LmbData = z.object({
  /** `spoor`: the kind of track, or none. `spoorstand`: the position of the rail gear. Both are also the two series of `spoordata`. */
  spoor: z.array(Point),
  spoorstand: z.array(Point),
  legendas: z.object({ machinestatus: z.array(Threshold), spoordata: z.array(Threshold) }),
  /** km/h; at most two points per bucket, the lowest and the highest, so that no peak disappears. */
  speed: z.array(Series),
  machinestatus: z.array(Series),
  spoordata: z.array(Series),
  /** The path of the logger in the range, thinned out; `position` is the last point of the path. */
  location: z.array(z.object({ lat: z.number(), lon: z.number(), time: z.string() })),
  position: z.object({ lat: z.number(), lon: z.number(), time: z.string() }).nullable(),
  /**
   * Milliseconds for which each status code held, and for which none did, in the part of the range that belongs to the
   * caller, up to now (docs/figures.md section 8); null: there are too many readings to count.
   */
  totals: z
    .object({ codes: z.array(z.object({ value: z.number(), ms: z.number() })), noDataMs: z.number() })
    .nullable(),
  /** The last day with data, 'YYYY-MM-DD' in Europe/Amsterdam; null: there is none. */
  lastDay: z.string().nullable(),
});
export type LmbData = z.output<typeof LmbData>;

/** Calls about LMB loggers (API-01). */
export const lmbLoggersApi = {
  'GET /api/berend/get': {
    summary: "Lists the LMB loggers of the caller's organization; for an administrator all LMB loggers.",
    dutch: 'De eigen LMB-loggers; voor wie van admin is alle.',
    needs: 'see-loggers',
    response: z.array(LmbLogger),
  },
  'GET /api/berend/get/one': {
    summary:
      'Returns one LMB logger, found by its loggerid or by its alias (with the organization where several have that alias).',
    dutch:
      'Eén LMB-logger, op loggerid of op naam (met de organisatie erbij als meer organisaties die naam gebruiken).',
    needs: 'see-loggers',
    query: LmbLoggerName,
    response: LmbLogger,
  },
  'GET /api/berend/get/data': {
    summary:
      'Returns speed, machine status, track data and positions in a range; `points`: number of buckets of the speed and of the route.',
    dutch:
      'Snelheid, machinestatus, spoordata en positie in een periode. points is het aantal vakken voor wat getekend wordt.',
    needs: 'see-loggers',
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
    dutch: 'Maakt een LMB-logger voor een LMB-klant.',
    needs: 'manage-loggers',
    changes: true,
    query: NewLmbLogger,
    response: z.object({ message: z.string(), loggerid: z.string() }),
  },
  'GET /api/berend/get/deleted': {
    summary: 'Lists the deleted LMB loggers that can still be restored, newest first.',
    dutch: 'Verwijderde LMB-loggers die nog terug te zetten zijn, de nieuwste eerst.',
    needs: 'manage-loggers',
    response: z.array(DeletedLmbLogger),
  },
  'POST /api/berend/restore': {
    summary:
      'Restores a deleted LMB logger, by its `_id`, unless another logger has its loggerid or name. Its ReXgen is bound again unless it reports for something else.',
    dutch: 'Zet een verwijderde LMB-logger terug, op zijn _id, tenzij zijn loggerid of naam al is vergeven.',
    needs: 'manage-loggers',
    proof: true,
    body: z.object({ _id: z.int32() }),
    response: z.object({ message: z.string(), loggerid: z.string() }),
  },
  'DELETE /api/berend/delete': {
    summary: 'Deletes an LMB logger; its readings are kept for the grace period.',
    dutch: 'Verwijdert een LMB-logger. Zijn metingen blijven nog even bewaard.',
    needs: 'manage-loggers',
    proof: true,
    query: z.object({ loggerid: text }),
  },
} as const satisfies Endpoints;
