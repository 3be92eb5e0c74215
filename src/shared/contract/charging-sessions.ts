import { z } from 'zod';
import { CostAnswer } from './charging-tariffs.ts';
import type { Endpoint } from './endpoint.ts';

/** ISO time with zone, or relative to now: '-30d'. Refused in words when it is none. */
const moment = z.string().max(40);
const BySerial = z.object({ serialNumber: z.string().max(200) });

const Session = z.object({
  /** ISO times, UTC; of one that goes on the end so far. */
  start: z.string(),
  end: z.string(),
  /** undefined: it goes on. */
  ended: z.enum(['vol', 'losgekoppeld', 'gestopt', 'geen gegevens']).nullable(),
  /** Seconds. */
  charging: z.number(),
  pauses: z.number(),
  /** Charging at 99 % and more. */
  full: z.number(),
  /** null: not known. */
  kWh: z.number().nullable(),
  /** Absent: the owner has no tariff. */
  cost: CostAnswer.optional(),
  meanKw: z.number().nullable(),
  highestKw: z.number().nullable(),
  /** State of charge per battery at both ends, %. */
  packs: z.array(
    z.object({ number: z.number().int(), begin: z.number().nullable(), end: z.number().nullable() }),
  ),
  /** Where it began; null: not known, or not to be seen by the caller. */
  place: z.object({ lat: z.number(), lon: z.number() }).nullable(),
  /** The place in words: terrein, else project, else the nearest town; null: not known, or not to be seen by the caller. */
  placeName: z.string().nullable(),
  /** The project that the machine was on then. */
  project: z.string().nullable(),
});
export type Session = z.output<typeof Session>;

/** A figure with its spread: a fifth lies below `low`, a fifth above `high`; of how many charges or discharges. */
const Spread = z.object({
  middle: z.number(),
  low: z.number(),
  high: z.number(),
  count: z.number().int(),
});

const Capacity = z.object({
  /** kWh, of all batteries; null: of one it was not entered. */
  entered: z.number().nullable(),
  /** kWh that go in, and come out, over 100 points; null: fewer than 5 say so. */
  charge: Spread.nullable(),
  discharge: Spread.nullable(),
  /** What comes out of what went in, a share. */
  efficiency: Spread.nullable(),
});
export type Capacity = z.output<typeof Capacity>;

const Held = z.object({ held: z.number().int(), of: z.number().int() });

const Forecast = z.object({
  /** Of the charge that goes on; null: it does not charge, or too few charges tell. ISO times, UTC. */
  forecast: z.object({ from: z.string(), to: z.string(), at: z.string() }).nullable(),
  /** Of the last 20 charges that became full: of how many the forecast at the start, and an hour before the end, was right. */
  record: z.object({ start: Held, hourBefore: Held }),
});
export type Forecast = z.output<typeof Forecast>;

/** How a machine was charged (docs/figures.md section 13). */
export const chargingSessionsApi = {
  'GET /api/influx/sessions/:serialNumber': {
    summary: 'The charging sessions of a machine that began in a range, the newest first, 200 at most.',
    access: 'session',
    changes: false,
    params: BySerial,
    query: z.object({ start: moment.default('-30d'), end: moment.optional() }),
    /** hasMore: there are more than 200. */
    response: z.object({ sessions: z.array(Session), hasMore: z.boolean() }),
  },
  'GET /api/influx/sessions/:serialNumber/curve': {
    summary: 'The power of a charging session over the state of charge: mean kW per whole percent.',
    access: 'session',
    changes: false,
    params: BySerial,
    /** `start`: of the session, as it was listed. Without points where nothing is known of it. */
    query: z.object({ start: moment }),
    response: z.object({ points: z.array(z.object({ percent: z.number(), kW: z.number() })) }),
  },
  'GET /api/influx/capacity/:serialNumber': {
    summary: 'What the batteries of a machine take and give, from its charges and discharges of 90 days.',
    access: 'session',
    changes: false,
    params: BySerial,
    response: Capacity,
  },
  'GET /api/influx/forecast/:serialNumber': {
    summary: 'When a machine that charges will be full, and how earlier forecasts held.',
    access: 'session',
    changes: false,
    params: BySerial,
    response: Forecast,
  },
} as const satisfies Record<string, Endpoint>;
