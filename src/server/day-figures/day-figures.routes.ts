import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Serve } from '#server/platform/serve.ts';
import { findHistory } from '#server/streams/scope.ts';
import { listDays } from './list-days.ts';

/** What machines did by day (14.2). `now`: ms. */
export function dayFigureRoutes(serve: Serve<Caller>, pool: Pool, now: () => number): void {
  serve('GET /api/influx/days/:serialNumber', async ({ caller, params, query }) => {
    const history = await findHistory(pool, caller.scope, params.serialNumber, ['machine']);
    return listDays(pool, caller.scope, history, query.month, now());
  });
}
