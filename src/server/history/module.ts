import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import { openFairQueue, openStreamingQueue, queuedCallerOf } from '#server/platform/fair-queue.ts';
import type { Module } from '#server/platform/module.ts';
import { invalidInputError } from '#server/platform/problem.ts';
import { findHistory, restrictToVisiblePositions } from '#server/streams/scope.ts';
import { MAX_ROUTE_SPEEDS_DAYS, type Speeds } from '#shared/domain/route-speeds.ts';
import { readCustomSignalSeries } from './custom-signal-series.ts';
import { customSignals, type ReadUnitsOfStream } from './custom-signals.ts';
import { dayChart } from './day-chart.ts';
import { sendFullPath } from './full-path.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { lmbData } from './lmb-data.ts';
import { operatingHours } from './operating-hours.ts';
import { openPathViewAudit } from './path-views.ts';
import { readEnergyFedBack } from './power-back.ts';
import { parseRange, validateWindowParameter } from './range.ts';
import { type RouteSpeeds, routeSpeeds } from './route-speeds.ts';
import { screenPath } from './screen-path.ts';
import { readNewestTransports } from './transports.ts';
import { workPower } from './work-power.ts';

const DAY_MS = 86_400_000;
/** Added to the maximum range of speeds in days, because one of the days may have 25 hours. */
const HOUR_MS = 3_600_000;

/** Default of the GPS range (MDET-13). */
const LAST_DAY = '-24h';

/** Maximum number of answers that are computed concurrently in this process; each keeps its readings in memory until it is complete. */
const MOST = 8;
/** Maximum number of answers of one account that are computed concurrently, so that it does not delay other accounts. */
const MAX_PER_ACCOUNT = 3;
/** A page sends at most five requests, and a person may have ten pages open. */
const MAX_WAITING_PER_ACCOUNT = 50;
/** Limits for whole paths, per account. */
const MAX_PATHS_PER_ACCOUNT = 2;
const MAX_WAITING_PATHS_PER_ACCOUNT = 10;

const iso = (ms: number): string => new Date(ms).toISOString();
const withTime = ({ highestAt, ...speeds }: Speeds) => ({
  ...speeds,
  highestAt: highestAt === null ? null : iso(highestAt),
});
const speedsAnswer = ({ driven, carried, course, slotMs }: RouteSpeeds) => ({
  driven: withTime(driven),
  carried: withTime(carried),
  course: course.map(({ at, ...point }) => ({ time: iso(at), ...point })),
  slot: slotMs / 1000,
});

/** Serves the calls that read stored readings (API-01, Live and telemetry). @param now returns ms */
export const history: Module<
  Caller,
  { readonly pool: Pool; readonly now: () => number; readonly unitsOf: ReadUnitsOfStream }
> = {
  topics: {
    influx: { title: 'Historie', about: 'Route, draaiuren, vermogen en energie uit de bewaarde metingen.' },
  },
  routes: (serve, { pool, now, unitsOf }) => {
    const db = limitConcurrency(pool);
    const answers = openFairQueue(MOST, MAX_PER_ACCOUNT, MAX_WAITING_PER_ACCOUNT);
    const pathViews = openPathViewAudit(pool);
    const streams = openStreamingQueue(MAX_PATHS_PER_ACCOUNT, MAX_WAITING_PATHS_PER_ACCOUNT);
    serve('GET /api/influx/gps/:serialNumber', async (call) => {
      const { params, query, caller } = call;
      const range = parseRange(query.start ?? LAST_DAY, query.end, now());
      const history = await findHistory(
        db,
        /*rule:path-scope*/ caller.scope /*={ ...caller.scope, organizations: 'all' }*/,
        params.serialNumber,
        ['machine'],
      );
      if (query.mode === 'path' || query.resolution === 'full')
        await pathViews.note(call, history.streamId, range);
      const seen = restrictToVisiblePositions(caller.scope, history, range);
      return query.resolution === 'full'
        ? streams.run(queuedCallerOf(call), () => sendFullPath(db, seen, range, call))
        : answers.run(queuedCallerOf(call), () => screenPath(db, seen, range));
    });

    serve('GET /api/influx/speeds/:serialNumber', async (call) => {
      const { params, query, caller } = call;
      const range = parseRange(query.start ?? LAST_DAY, query.end, now());
      if (range.to - range.from > MAX_ROUTE_SPEEDS_DAYS * DAY_MS + HOUR_MS)
        throw invalidInputError(`Snelheden zijn er van hoogstens ${MAX_ROUTE_SPEEDS_DAYS} dagen.`);
      const history = await findHistory(db, caller.scope, params.serialNumber, ['machine']);
      await pathViews.note(call, history.streamId, range);
      const seen = restrictToVisiblePositions(caller.scope, history, range);
      return answers.run(queuedCallerOf(call), async () => speedsAnswer(await routeSpeeds(db, seen, range)));
    });

    serve('GET /api/influx/driverhours/:serialNumber', async (call) => {
      const { params, caller } = call;
      const history = await findHistory(db, caller.scope, params.serialNumber, ['machine']);
      return answers.run(queuedCallerOf(call), () => operatingHours(db, history, now()));
    });

    serve('GET /api/influx/workpower/:serialNumber', async (call) => {
      const { params, query, caller } = call;
      const range = parseRange(query.start, query.stop, now());
      validateWindowParameter(query.window);
      const history = await findHistory(db, caller.scope, params.serialNumber, ['machine']);
      return answers.run(queuedCallerOf(call), () => workPower(db, history, range));
    });

    serve('GET /api/influx/powerback/:id', async (call) => {
      const { params, query, caller } = call;
      const range = parseRange(query.start, query.stop, now());
      const history = await findHistory(db, caller.scope, params.id, ['machine', 'logger']);
      return answers.run(queuedCallerOf(call), () => readEnergyFedBack(db, history, range));
    });

    serve('GET /api/influx/day/:serialNumber', async (call) => {
      const { params, query, caller } = call;
      const range = parseRange(query.start, query.end, now());
      const history = await findHistory(db, caller.scope, params.serialNumber, ['machine']);
      return answers.run(queuedCallerOf(call), () => dayChart(db, history, range, query.points));
    });

    serve('GET /api/influx/transports/:serialNumber', async (call) => {
      const { params, query, caller } = call;
      const range = parseRange(query.start, query.end, now());
      const history = await findHistory(db, caller.scope, params.serialNumber, ['machine']);
      return answers.run(queuedCallerOf(call), () => readNewestTransports(db, caller.scope, history, range));
    });

    serve('GET /api/influx/signals/:id', async (call) => {
      const { params, query, caller } = call;
      const { from } = parseRange(query.start, undefined, now());
      const history = await findHistory(db, caller.scope, params.id, ['machine', 'logger']);
      return answers.run(queuedCallerOf(call), () => customSignals(db, history, from, unitsOf));
    });

    serve('GET /api/influx/signals/:id/values', async (call) => {
      const { params, query, caller } = call;
      const range = parseRange(query.start, query.end, now());
      const history = await findHistory(db, caller.scope, params.id, ['machine', 'logger']);
      return answers.run(queuedCallerOf(call), () =>
        readCustomSignalSeries(db, history, range, query.names, query.points),
      );
    });

    serve('GET /api/berend/get/data', (call) =>
      answers.run(queuedCallerOf(call), () =>
        lmbData(db, call.caller.scope, call.query, now(), (streamId, range) =>
          pathViews.note(call, streamId, range),
        ),
      ),
    );
  },
};
