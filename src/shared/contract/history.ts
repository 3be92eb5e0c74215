import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

/** ISO time with zone, or relative to now: '-30d', '-24h', '-90m'. Refused in words when it is none. */
const moment = z.string().max(40);
const serial = z.string().max(200);
const BySerial = z.object({ serialNumber: serial });
/** Accepted and without effect: the organization comes from the session. */
const machineOrg = z.string().max(200).optional();

const PathPoint = z.object({
  lat: z.number(),
  lon: z.number(),
  /** ISO time, UTC. */
  time: z.string(),
  /** km/h, when the reading had one. */
  speed: z.number().optional(),
  /** Mean over the batteries that reported, %. */
  soc: z.number().optional(),
});
export type PathPoint = z.output<typeof PathPoint>;

const Day = z.object({
  /** 'YYYY-MM-DD', Europe/Amsterdam. */
  date: z.string(),
  /** Running time. */
  hours: z.number(),
  /** Net energy while running off the cable over its time, kW; null where no current is known. */
  AvgPower: z.number().nullable(),
});

const Pack = z.object({
  /** 'Soc1'; the battery's number is the digits in it. */
  name: z.string(),
  /** One element per element of `time`: lowest, mean and highest of the bucket, %; null: nothing reported. */
  min: z.array(z.number().nullable()),
  mean: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
  /** Its first and last value in the range, %, and when they were measured, unix seconds. */
  first: z.number().nullable(),
  firstTime: z.number().nullable(),
  last: z.number().nullable(),
  lastTime: z.number().nullable(),
});
const DayChart = z.object({
  /** Starts of the buckets, unix seconds; a stretch without data has no buckets. */
  time: z.array(z.number()),
  /** Seconds. */
  bucketSeconds: z.number(),
  packs: z.array(Pack),
  /**
   * When the machine ran or charged, unix seconds, in order; stretches of one kind do not overlap. Of a long range a
   * band is as long as the machine ran in a piece of time, from the start of the piece.
   */
  bands: z.array(z.object({ kind: z.enum(['running', 'charging']), from: z.number(), to: z.number() })),
  /** How the range was spent, s, exactly; what overlaps counts twice. unknown: no data. */
  seconds: z.object({ running: z.number(), charging: z.number(), off: z.number(), unknown: z.number() }),
  /** m, driven and carried. */
  distance: z.number(),
  /** m, of it carried. */
  carried: z.number(),
  /** The last day with data before the end of the range, 'YYYY-MM-DD' in Europe/Amsterdam; null: there is none. */
  lastDay: z.string().nullable(),
});
export type DayChart = z.output<typeof DayChart>;

const Place = z.object({ lat: z.number(), lon: z.number() }).nullable();
const Transports = z.object({
  /** Newest first. */
  transports: z.array(
    z.object({
      /** When the machine left the first place and came to the last one, ISO times, UTC. */
      from: z.string(),
      to: z.string(),
      metres: z.number(),
      /** Degrees, WGS 84; null: not known, or not the caller's to see. */
      begin: Place,
      end: Place,
      /** Both in words: terrein, else project, else the nearest town; null as `begin` and `end`. */
      beginName: z.string().nullable(),
      endName: z.string().nullable(),
    }),
  ),
  /** There are older ones. */
  hasMore: z.boolean(),
});
export type Transports = z.output<typeof Transports>;

const OwnSignal = z.object({
  name: z.string(),
  /** As the present data definition has it; null: it does not say. */
  unit: z.string().nullable(),
  /** ISO time, UTC. */
  lastSeen: z.string(),
});
export type OwnSignal = z.output<typeof OwnSignal>;

const OwnCourse = z.object({
  name: z.string(),
  /** Starts of the buckets that have values, unix seconds, in order. */
  time: z.array(z.number()),
  /** One element per element of `time`. */
  min: z.array(z.number()),
  mean: z.array(z.number()),
  max: z.array(z.number()),
  /** Values. */
  count: z.array(z.number()),
});
const OwnCourses = z.object({
  /** Seconds; 0: every value by itself, at its own time. */
  bucketSeconds: z.number(),
  /** In the order of asking; without values where the range has none. */
  signals: z.array(OwnCourse),
});
export type OwnCourses = z.output<typeof OwnCourses>;

/** API-01, Live and telemetry: what is asked of stored readings (docs/design.md sections 6 and 8). */
/** km/h of every position that counts and has a speed; null: there is none, or it was never under way. */
const Speeds = z.object({
  highest: z.number().nullable(),
  /** ISO time, UTC. */
  highestAt: z.string().nullable(),
  /** Over the time in which it went 1 km/h or faster. */
  mean: z.number().nullable(),
});

export const historyApi = {
  'GET /api/influx/gps/:serialNumber': {
    summary:
      'Where a machine has been, in order of time, thinned to what a screen can show; resolution=full streams every point.',
    access: 'session',
    needs: 'see-routes',
    changes: false,
    params: BySerial,
    query: z.object({
      machineOrg,
      mode: z.string().max(20).optional(),
      start: moment.optional(),
      end: moment.optional(),
      resolution: z.enum(['screen', 'full']).default('screen'),
    }),
    response: z.array(PathPoint),
  },
  'GET /api/influx/speeds/:serialNumber': {
    summary:
      'How fast a machine went in at most 7 days: highest and mean speed, driven and carried apart, and the highest of each slot of time.',
    access: 'session',
    needs: 'see-routes',
    changes: false,
    params: BySerial,
    query: z.object({ start: moment.optional(), end: moment.optional() }),
    response: z.object({
      driven: Speeds,
      /** During transports. */
      carried: Speeds,
      /** At most 400, in order. */
      course: z.array(z.object({ time: z.string(), kmh: z.number(), isCarried: z.boolean() })),
      /** Seconds of a slot. */
      slot: z.number(),
    }),
  },
  'GET /api/influx/driverhours/:serialNumber': {
    summary: "Operating hours: 'Urenstand bij aanvang' and the running hours of all stored readings.",
    access: 'session',
    changes: false,
    params: BySerial,
    query: z.object({ machineOrg }),
    /** `ownHours`: of them, run while the machine was the caller's; absent where it always was. */
    response: z.object({ hours: z.number(), ownHours: z.number().optional() }),
  },
  'GET /api/influx/workpower/:serialNumber': {
    summary: 'Average power over running time, kW, with the days that it was averaged over.',
    access: 'session',
    changes: false,
    params: BySerial,
    query: z.object({
      machineOrg,
      start: moment.default('-30d'),
      stop: moment.optional(),
      /** A resolution, such as 300m; it changes no figure. */
      window: z.string().max(20).default('300m'),
    }),
    /**
     * AvgPower null: not known. `known`: of which share of the running time off the cable it is; null without any.
     */
    response: z.object({ AvgPower: z.number().nullable(), known: z.number().nullable(), days: z.array(Day) }),
  },
  'GET /api/influx/powerback/:id': {
    summary: 'Energy fed back, kWh, of a machine (serial number) or an LMB logger (loggerid).',
    access: 'session',
    changes: false,
    params: z.object({ id: serial }),
    query: z.object({ start: moment, stop: moment.optional() }),
    /** `known`: of which share of the time with data; null: not known at all, and kWh 0 says nothing. */
    response: z.object({
      kWh: z.number(),
      known: z.number().nullable(),
      /** In Amsterdam, those with readings, in order: they add up to the whole. */
      days: z.array(z.object({ date: z.string(), kWh: z.number(), known: z.number().nullable() })),
    }),
  },
  'GET /api/influx/day/:serialNumber': {
    summary: 'A day at a glance: state of charge per battery, and when the machine ran or charged.',
    access: 'session',
    changes: false,
    params: BySerial,
    query: z.object({
      start: moment,
      end: moment.optional(),
      points: z.coerce.number().int().min(10).max(2_000).default(600),
    }),
    response: DayChart,
  },
  'GET /api/influx/transports/:serialNumber': {
    summary: 'The times in a range at which a machine was carried: from where to where, and how far.',
    access: 'session',
    changes: false,
    params: BySerial,
    query: z.object({ start: moment, end: moment.optional() }),
    response: Transports,
  },
  'GET /api/influx/signals/:id': {
    summary:
      'The signals of a machine (serial number) or an LMB logger (loggerid) that have no name of ours and were sent since a time: what is kept (bewaard).',
    access: 'session',
    changes: false,
    params: z.object({ id: serial }),
    query: z.object({ start: moment }),
    response: z.array(OwnSignal),
  },
  'GET /api/influx/signals/:id/values': {
    summary:
      'Those signals over a range: lowest, mean and highest per bucket, or every value of a short one.',
    access: 'session',
    changes: false,
    params: z.object({ id: serial }),
    query: z.object({
      /** A JSON list of 1 to 8 names. */
      names: z.string().max(2_000),
      start: moment,
      end: moment.optional(),
      points: z.coerce.number().int().min(10).max(2_000).default(600),
    }),
    response: OwnCourses,
  },
} as const satisfies Record<string, Endpoint>;
