import type { Caller } from '#server/auth/sessions.ts';
import type { Database } from '#server/platform/database.ts';
import type { Serve } from '#server/platform/serve.ts';
import { readRefusedHost } from '#server/writers/upload-state.store.ts';
import type { PortalTask } from '#shared/domain/portal-tasks.ts';

type TaskParts = {
  readonly db: Database;
  readonly publicUrl: string;
  readonly tasks: () => Promise<readonly PortalTask[]>;
};

/** Registers GET /api/portal/tasks, which lists the settings that administrators still have to make. */
export function portalTaskRoutes(serve: Serve<Caller>, { db, publicUrl, tasks }: TaskParts): void {
  serve('GET /api/portal/tasks', async () => {
    const received = await readRefusedHost(db);
    return {
      settings: [...(await tasks())],
      host: received === undefined ? null : { received, expected: new URL(publicUrl).host },
    };
  });
}
