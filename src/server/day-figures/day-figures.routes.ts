import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import { invalid } from '#server/platform/problem.ts';
import type { Serve } from '#server/platform/serve.ts';
import { findHistory } from '#server/streams/scope.ts';
import { dayOf } from '#shared/domain/amsterdam-time.ts';
import { listDays } from './list-days.ts';
import { countUnusedLevels } from './unused-levels.store.ts';

/** Serves the figures of machines by day (14.2). @param now returns ms */
export function dayFigureRoutes(serve: Serve<Caller>, pool: Pool, now: () => number): void {
  serve('GET /api/influx/days/:serialNumber', async ({ caller, params, query }) => {
    const history = await findHistory(
      pool,
      /*rule:days-scope*/ caller.scope /*={ ...caller.scope, organizations: 'all' }*/,
      params.serialNumber,
      ['machine'],
    );
    return listDays(pool, caller.scope, history, query.month, now());
  });
  serve('GET /api/influx/unused-levels/:serialNumber', async ({ caller, params, query }) => {
    const history = await findHistory(pool, caller.scope, params.serialNumber, ['machine']);
    const day = dayOf(query.day);
    if (!day) throw invalid('Deze dag bestaat niet.');
    return { count: await countUnusedLevels(pool, history, day) };
  });
}
