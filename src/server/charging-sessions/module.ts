import type { Caller } from '#server/auth/sessions.ts';
import { limitConcurrency } from '#server/history/limit-concurrency.ts';
import { parseRange } from '#server/history/range.ts';
import { openFairQueue, queuedCallerOf } from '#server/platform/fair-queue.ts';
import type { Module } from '#server/platform/module.ts';
import { findHistory } from '#server/streams/scope.ts';
import { measureUsableCapacity } from './capacity.ts';
import { chargeCurve } from './charge-curve.ts';
import { readForecast } from './charge-forecasts.ts';
import { listSessions } from './list-sessions.ts';

/**
 * Limits like those of other history calls (history/module.ts): concurrent answers in this process, concurrent answers
 * per account, and waiting requests per account.
 */
const MOST = 8;
const MAX_PER_ACCOUNT = 3;
const MAX_WAITING_PER_ACCOUNT = 50;

/** Serves the charging of machines (14.2). @param now returns ms */
export const chargingSessions: Module<Caller> = {
  routes: (serve, { pool, now }) => {
    const db = limitConcurrency(pool);
    const answers = openFairQueue(MOST, MAX_PER_ACCOUNT, MAX_WAITING_PER_ACCOUNT);

    serve('GET /api/influx/sessions/:serialNumber', async (call) => {
      const { params, query, caller } = call;
      const range = parseRange(query.start, query.end, now());
      const history = await findHistory(
        db,
        /*rule:charging-sessions-scope*/ caller.scope /*={ ...caller.scope, organizations: 'all' }*/,
        params.serialNumber,
        ['machine'],
      );
      return answers.run(queuedCallerOf(call), () => listSessions(db, caller.scope, history, range, now()));
    });

    serve('GET /api/influx/sessions/:serialNumber/curve', async (call) => {
      const { params, query, caller } = call;
      const { from } = parseRange(query.start, undefined, now());
      const history = await findHistory(db, caller.scope, params.serialNumber, ['machine']);
      return answers.run(queuedCallerOf(call), () => chargeCurve(db, history, from));
    });

    serve('GET /api/influx/capacity/:serialNumber', async (call) => {
      const history = await findHistory(db, call.caller.scope, call.params.serialNumber, ['machine']);
      return answers.run(queuedCallerOf(call), () => measureUsableCapacity(db, history, now()));
    });

    serve('GET /api/influx/forecast/:serialNumber', async (call) => {
      const history = await findHistory(db, call.caller.scope, call.params.serialNumber, ['machine']);
      return answers.run(queuedCallerOf(call), () => readForecast(db, history, now()));
    });
  },
};
