import { z } from 'zod';
import { CostAnswer } from './charging-tariffs.ts';
import type { Endpoints } from './endpoint.ts';

/** ISO time with zone, or relative to now: '-30d'. For an invalid time the server returns a Dutch message. */
const moment = z.string().max(40);
const BySerial = z.object({ serialNumber: z.string().max(200) });

const Session = z.object({
  /** ISO times, UTC; the end of a session in progress is the last time at which it charged. */
  start: z.string(),
  end: z.string(),
  /** Why the session ended; null: the session is in progress. */
  ended: z.enum(['vol', 'losgekoppeld', 'gestopt', 'geen gegevens']).nullable(),
  /** Seconds of the session with charging, and seconds without. */
  charging: z.number(),
  pauses: z.number(),
  /** Seconds of charging at a mean charge level of 99 % or more. */
  full: z.number(),
  /** null: not known. */
  kWh: z.number().nullable(),
  /** Absent: the owner has no tariff. */
  cost: CostAnswer.optional(),
  meanKw: z.number().nullable(),
  highestKw: z.number().nullable(),
  /** State of charge per battery at the start and the end, %. */
  packs: z.array(
    z.object({ number: z.number().int(), begin: z.number().nullable(), end: z.number().nullable() }),
  ),
  /** Position at the start; null: not known, or the caller may not see it. */
  place: z.object({ lat: z.number(), lon: z.number() }).nullable(),
  /** Name of the place: terrein, else project, else the nearest town; null: not known, or the caller may not see it. */
  placeName: z.string().nullable(),
  /** The project that the machine was on at the start. */
  project: z.string().nullable(),
});
export type ChargingSessionView = z.output<typeof Session>;

/** Median and spread: a fifth of the values lies below `low`, a fifth above `high`; `count`: number of charges or discharges. */
const Spread = z.object({
  middle: z.number(),
  low: z.number(),
  high: z.number(),
  count: z.number().int(),
});

const Capacity = z.object({
  /** kWh, all batteries together; null: the capacity of at least one battery was not entered. */
  entered: z.number().nullable(),
  /** kWh charged, and kWh discharged, over 100 percentage points; null: measured fewer than 5 times. */
  charge: Spread.nullable(),
  discharge: Spread.nullable(),
  /** Share of the charged energy that is discharged again, 0 to 1. */
  efficiency: Spread.nullable(),
});
export type MeasuredCapacity = z.output<typeof Capacity>;

/** `held`: number of forecasts that were right. `of`: number of all forecasts. */
const Accuracy = z.object({ held: z.number().int(), of: z.number().int() });

const Forecast = z.object({
  /** When the charge in progress will be full: ISO times, UTC; null: the machine does not charge, or there were too few charges. */
  forecast: z.object({ from: z.string(), to: z.string(), at: z.string() }).nullable(),
  /** How often the forecast at the start, and the one an hour before the end, was right in the last 20 charges that became full. */
  record: z.object({ start: Accuracy, hourBefore: Accuracy }),
});
export type SessionForecast = z.output<typeof Forecast>;

/** Charging sessions, capacity and forecasts (docs/figures.md section 13). */
export const chargingSessionsApi = {
  'GET /api/influx/sessions/:serialNumber': {
    summary: 'Lists the charging sessions of a machine that began in a range, newest first, at most 200.',
    dutch: 'De laadbeurten van een machine die in een periode begonnen, de nieuwste eerst, hoogstens 200.',
    params: BySerial,
    query: z.object({ start: moment.default('-30d'), end: moment.optional() }),
    /** `hasMore`: there are more than 200 sessions. */
    response: z.object({ sessions: z.array(Session), hasMore: z.boolean() }),
  },
  'GET /api/influx/sessions/:serialNumber/curve': {
    summary: 'Returns the power of a charging session by state of charge: mean kW per whole percent.',
    dutch: 'Het vermogen van een laadbeurt over het laadniveau: gemiddeld kW per heel procent.',
    params: BySerial,
    /**
     * `start`: the field `start` of the session in the response of GET /api/influx/sessions. The curve has no points
     * if the power is not known.
     */
    query: z.object({ start: moment }),
    response: z.object({ points: z.array(z.object({ percent: z.number(), kW: z.number() })) }),
  },
  'GET /api/influx/capacity/:serialNumber': {
    summary:
      'Returns the measured capacity of the batteries of a machine, from its charges and discharges in the last 90 days.',
    dutch: 'Wat de accu’s van een machine opnemen en afgeven, uit het laden en ontladen van 90 dagen.',
    params: BySerial,
    response: Capacity,
  },
  'GET /api/influx/forecast/:serialNumber': {
    summary: 'Returns when a charging machine will be full, and how often earlier forecasts were right.',
    dutch: 'Wanneer een machine die laadt vol zal zijn, en hoe eerdere voorspellingen uitkwamen.',
    params: BySerial,
    response: Forecast,
  },
} as const satisfies Endpoints;
