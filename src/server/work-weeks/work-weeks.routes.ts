import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Serve } from '#server/platform/serve.ts';
import { readWorkWeek, setWorkWeek } from './work-weeks.store.ts';

/** When an organization works (16.1). */
export function workWeekRoutes(serve: Serve<Caller>, pool: Pool): void {
  serve('GET /api/workweek/get', ({ caller, query }) => readWorkWeek(pool, caller.scope, query.name));
  serve('POST /api/workweek/set', ({ caller, body: { name, ...week } }) =>
    setWorkWeek(pool, caller, name, week),
  );
}
