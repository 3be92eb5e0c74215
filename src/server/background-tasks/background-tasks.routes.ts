import type { Caller } from '#server/auth/sessions.ts';
import type { Database } from '#server/platform/database.ts';
import type { Serve } from '#server/platform/serve.ts';
import { readTasks } from './background-tasks.store.ts';

/** Registers GET /api/background-tasks, which lists long work under way. */
export function backgroundTaskRoutes(serve: Serve<Caller>, db: Database): void {
  serve('GET /api/background-tasks', () => readTasks(db));
}
