import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Serve } from '#server/platform/serve.ts';
import { findHistory } from '#server/streams/scope.ts';
import { dayChart } from './day-chart.ts';
import { fewAtOnce } from './few-at-once.ts';
import { sendFullPath } from './full-path.ts';
import { lmbData } from './lmb-data.ts';
import { operatingHours } from './operating-hours.ts';
import { powerBack } from './power-back.ts';
import { readRange, readWindow } from './range.ts';
import { screenPath } from './screen-path.ts';
import { askerOf, openStreamTurns, openTurns } from './turns.ts';
import { workPower } from './work-power.ts';

/** MDET-13: the GPS range when none is given. */
const LAST_DAY = '-24h';

/** API-01, Live and telemetry: what is asked of stored readings. `now`: ms. */
export function historyRoutes(serve: Serve<Caller>, pool: Pool, now: () => number): void {
  const db = fewAtOnce(pool);
  const answers = openTurns();
  const streams = openStreamTurns();
  serve('GET /api/influx/gps/:serialNumber', async (call) => {
    const { params, query, caller } = call;
    const range = readRange(query.start ?? LAST_DAY, query.end, now());
    const history = await findHistory(db, caller.scope, params.serialNumber, ['machine']);
    return query.resolution === 'full'
      ? streams.take(askerOf(call), () => sendFullPath(db, history, range, call))
      : answers.take(askerOf(call), () => screenPath(db, history, range));
  });

  serve('GET /api/influx/driverhours/:serialNumber', async (call) => {
    const { params, caller } = call;
    const history = await findHistory(db, caller.scope, params.serialNumber, ['machine']);
    return { hours: await answers.take(askerOf(call), () => operatingHours(db, history)) };
  });

  serve('GET /api/influx/workpower/:serialNumber', async (call) => {
    const { params, query, caller } = call;
    const range = readRange(query.start, query.stop, now());
    const window = readWindow(query.window);
    const history = await findHistory(db, caller.scope, params.serialNumber, ['machine']);
    return answers.take(askerOf(call), () => workPower(db, history, range, window));
  });

  serve('GET /api/influx/powerback/:id', async (call) => {
    const { params, query, caller } = call;
    const range = readRange(query.start, query.stop, now());
    const history = await findHistory(db, caller.scope, params.id, ['machine', 'logger']);
    return { kWh: await answers.take(askerOf(call), () => powerBack(db, history, range)) };
  });

  serve('GET /api/influx/day/:serialNumber', async (call) => {
    const { params, query, caller } = call;
    const range = readRange(query.start, query.end, now());
    const history = await findHistory(db, caller.scope, params.serialNumber, ['machine']);
    return answers.take(askerOf(call), () => dayChart(db, history, range, query.points));
  });

  serve('GET /api/berend/get/data', (call) =>
    answers.take(askerOf(call), () => lmbData(db, call.caller.scope, call.query, now())),
  );
}
