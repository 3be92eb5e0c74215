import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';

/**
 * ISO time with zone, or relative to now: '-30d', '-24h', '-90m'. For an invalid time the server returns a
 * Dutch message.
 */
const moment = z.string().max(40);
const serial = z.string().max(200);
const BySerial = z.object({ serialNumber: serial });
/** Accepted and ignored: the organization comes from the session. */
const machineOrg = z.string().max(200).optional();

const PathPoint = z.object({
  lat: z.number(),
  lon: z.number(),
  /** ISO time, UTC. */
  time: z.string(),
  /** km/h, when the reading had one. */
  speed: z.number().optional(),
  /** Mean charge level of the batteries that reported, %. */
  soc: z.number().optional(),
});
export type PathPoint = z.output<typeof PathPoint>;

const Day = z.object({
  /** 'YYYY-MM-DD', Europe/Amsterdam. */
  date: z.string(),
  /** Running time, hours. */
  hours: z.number(),
  /** Mean net power while running without a charging cable, kW; null if no current is known. */
  AvgPower: z.number().nullable(),
});

const Pack = z.object({
  /** 'Soc1'; the battery's number is the digits in it. */
  name: z.string(),
  /** One element per element of `time`: lowest, mean and highest charge level in the bucket, %; null: nothing was reported. */
  min: z.array(z.number().nullable()),
  mean: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
  /** First and last value in the range, %, and when they were measured, unix seconds. */
  first: z.number().nullable(),
  firstTime: z.number().nullable(),
  last: z.number().nullable(),
  lastTime: z.number().nullable(),
});
const DayChart = z.object({
  /** Starts of the buckets, unix seconds; an interval without data has no buckets. */
  time: z.array(z.number()),
  /** Length of a bucket in seconds. */
  bucketSeconds: z.number(),
  packs: z.array(Pack),
  /**
   * Intervals in which the machine ran or charged, unix seconds, in order; intervals of one kind do not overlap. In a long range
   * each band sums up a slot of time: the band begins at the slot's start and lasts as long as the machine ran or charged in the slot.
   */
  bands: z.array(z.object({ kind: z.enum(['running', 'charging']), from: z.number(), to: z.number() })),
  /**
   * How long the machine ran, charged, was off, or sent no data (`unknown`) in the range, exact seconds. Time in
   * which it ran and charged counts in both.
   */
  seconds: z.object({ running: z.number(), charging: z.number(), off: z.number(), unknown: z.number() }),
  /** Distance in m: driven plus carried, for example on a trailer. */
  distance: z.number(),
  /** The carried part of `distance`, m. */
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
      /** ISO times, UTC: when the machine left the first place and when it arrived at the last one. */
      from: z.string(),
      to: z.string(),
      metres: z.number(),
      /** Degrees, WGS 84; null: not known, or the caller may not see it. */
      begin: Place,
      end: Place,
      /** Names of both places: terrein, else project, else the nearest town; null when `begin` or `end` is null. */
      beginName: z.string().nullable(),
      endName: z.string().nullable(),
    }),
  ),
  /** There are older transports. */
  hasMore: z.boolean(),
});
export type Transports = z.output<typeof Transports>;

const CustomSignal = z.object({
  name: z.string(),
  /** Unit from the present data definition; null: the definition has none. */
  unit: z.string().nullable(),
  /** ISO time, UTC. */
  lastSeen: z.string(),
});
export type CustomSignal = z.output<typeof CustomSignal>;

const CustomSignalSeries = z.object({
  name: z.string(),
  /** Starts of the buckets that have values, unix seconds, in order. */
  time: z.array(z.number()),
  /** Lowest, mean and highest value of each bucket: one element per element of `time`. */
  min: z.array(z.number()),
  mean: z.array(z.number()),
  max: z.array(z.number()),
  /** Number of values of each bucket. */
  count: z.array(z.number()),
});
const CustomSignalSeriesResponse = z.object({
  /** Length of a bucket in seconds; 0: no buckets, but every single value at its own time. */
  bucketSeconds: z.number(),
  /** In the order of the request; a signal without values in the range has empty lists. */
  signals: z.array(CustomSignalSeries),
});
export type CustomSignalSeriesResponse = z.output<typeof CustomSignalSeriesResponse>;

/** km/h, from all positions that count and have a speed; null: there is none, or the machine never moved. */
const Speeds = z.object({
  highest: z.number().nullable(),
  /** ISO time, UTC. */
  highestAt: z.string().nullable(),
  /** Mean over the time in which the machine went 1 km/h or faster. */
  mean: z.number().nullable(),
});

/** Queries on stored readings (API-01; docs/design.md sections 6 and 8). */
export const historyApi = {
  'GET /api/influx/gps/:serialNumber': {
    summary:
      'Returns the positions of a machine, in order of time, thinned to what a screen can show; resolution=full streams every point.',
    dutch:
      'Waar een machine is geweest, op volgorde van tijd, uitgedund tot wat een scherm kan tonen. Met resolution=full komt elk punt.',
    needs: 'see-routes',
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
      'Returns the speeds of a machine in at most 7 days: highest and mean speed, driven and carried apart, and the highest speed in each slot of time.',
    dutch:
      'Hoe snel een machine ging in hoogstens 7 dagen: hoogste en gemiddelde snelheid, zelf gereden en vervoerd apart, en de hoogste van elk stukje tijd.',
    needs: 'see-routes',
    params: BySerial,
    query: z.object({ start: moment.optional(), end: moment.optional() }),
    response: z.object({
      driven: Speeds,
      /** Speeds during transports. */
      carried: Speeds,
      /** The highest speed per slot, at most 400 slots, in order. */
      course: z.array(z.object({ time: z.string(), kmh: z.number(), isCarried: z.boolean() })),
      /** Length of a slot, seconds. */
      slot: z.number(),
    }),
  },
  'GET /api/influx/driverhours/:serialNumber': {
    summary:
      "Returns the operating hours: 'Urenstand bij aanvang' plus the running hours of all stored readings.",
    dutch: 'Draaiuren: ‘Urenstand bij aanvang’ plus de draaiuren van alle bewaarde metingen.',
    params: BySerial,
    query: z.object({ machineOrg }),
    /** `ownHours`: only the hours run while the caller owned the machine; absent when the caller always owned it. */
    response: z.object({ hours: z.number(), ownHours: z.number().optional() }),
  },
  'GET /api/influx/workpower/:serialNumber': {
    summary: 'Returns the average power over running time, kW, and the days that it is averaged over.',
    dutch: 'Gemiddeld vermogen over de draaitijd, in kW, met de dagen waarover is gemiddeld.',
    params: BySerial,
    query: z.object({
      machineOrg,
      start: moment.default('-30d'),
      stop: moment.optional(),
      /** A resolution, such as 300m; accepted, without effect on the figures. */
      window: z.string().max(20).default('300m'),
    }),
    /**
     * AvgPower null: not known. `known`: share of the time running without a charging cable in which the power is
     * known; null: there was no such time.
     */
    response: z.object({ AvgPower: z.number().nullable(), known: z.number().nullable(), days: z.array(Day) }),
  },
  'GET /api/influx/powerback/:id': {
    summary: 'Returns the energy fed back, kWh, of a machine (serial number) or an LMB logger (loggerid).',
    dutch: 'Teruggeleverde energie in kWh van een machine (serienummer) of LMB-logger (loggerid).',
    params: z.object({ id: serial }),
    query: z.object({ start: moment, stop: moment.optional() }),
    /**
     * `known`: share of the time with data in which the energy is known; null: the energy is never known, and
     * the 0 in kWh means nothing.
     */
    response: z.object({
      kWh: z.number(),
      known: z.number().nullable(),
      /** Days in Amsterdam with readings, in order; their `kWh` add up to the `kWh` of the range. */
      days: z.array(z.object({ date: z.string(), kWh: z.number(), known: z.number().nullable() })),
    }),
  },
  'GET /api/influx/day/:serialNumber': {
    summary: 'Returns the state of charge per battery over a range, and when the machine ran or charged.',
    dutch: 'Een dag in één oogopslag: de lading per accu, en wanneer de machine draaide of laadde.',
    params: BySerial,
    query: z.object({
      start: moment,
      end: moment.optional(),
      points: z.coerce.number().int().min(10).max(2_000).default(600),
    }),
    response: DayChart,
  },
  'GET /api/influx/transports/:serialNumber': {
    summary:
      'Lists the transports in a range: when the machine was carried, from where to where, and how far.',
    dutch: 'De tijden in een periode waarin een machine werd vervoerd: van waar, naar waar en hoe ver.',
    params: BySerial,
    query: z.object({ start: moment, end: moment.optional() }),
    response: Transports,
  },
  'GET /api/influx/signals/:id': {
    summary:
      'Lists the custom signals (bewaard: stored under their own names) that a machine (serial number) or an LMB logger (loggerid) has sent since a time.',
    dutch:
      'De signalen onder eigen naam (bewaard) van een machine (serienummer) of LMB-logger (loggerid) die sinds een tijd zijn gestuurd, met hun eenheid.',
    params: z.object({ id: serial }),
    query: z.object({ start: moment }),
    response: z.array(CustomSignal),
  },
  'GET /api/influx/signals/:id/values': {
    summary:
      'Returns custom signals over a range: lowest, mean and highest per bucket, or every value of a short range.',
    dutch:
      'Het verloop van 1 tot 8 van die signalen (names: een JSON-lijst): laagste, gemiddelde en hoogste per vak, of van een korte periode elke waarde.',
    params: z.object({ id: serial }),
    query: z.object({
      /** A JSON list of the names of 1 to 8 signals. */
      names: z.string().max(2_000),
      start: moment,
      end: moment.optional(),
      points: z.coerce.number().int().min(10).max(2_000).default(600),
    }),
    response: CustomSignalSeriesResponse,
  },
} as const satisfies Endpoints;
