import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Module } from '#server/platform/module.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { deletedStreams, restoreDeleted } from '#server/writers/restore-stream.ts';
import { createLmbLoggerRecord } from './create-lmb-logger.ts';
import { deleteLmbLogger } from './delete-lmb-logger.ts';
import { findLmbLogger, listLmbLoggers } from './lmb-loggers.store.ts';

/** The resources of the calls about LMB loggers. `graceDays`: DELETED_DAYS. */
export type LmbLoggerParts = {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly graceDays: number;
  readonly now: () => number;
};

/** Serves LMB loggers (API-01, Loggers). */
export const lmbLoggers: Module<Caller, LmbLoggerParts> = {
  topics: {
    berend: { title: 'LMB-loggers', about: 'Loggers van LMB-klanten, en hun gegevens.' },
  },
  routes: (serve, { pool, secrets, graceDays, now }) => {
    serve('GET /api/berend/get', ({ caller }) => listLmbLoggers(pool, caller.scope));

    serve('GET /api/berend/get/one', ({ query, caller }) => findLmbLogger(pool, caller.scope, query));

    serve('GET /api/berend/new', async ({ query, caller }) => {
      const loggerid = await createLmbLoggerRecord(pool, secrets, caller.email, query, new Date(now()));
      return { message: 'LMB logger is gemaakt.', loggerid };
    });

    serve('GET /api/berend/get/deleted', async () => {
      const deleted = await deletedStreams(pool, 'logger', new Date(now()), graceDays);
      return deleted.map(({ serial: loggerid, ...entry }) => ({ ...entry, loggerid }));
    });

    serve('POST /api/berend/restore', async ({ body, caller }) => {
      const restore = { kind: 'logger', streamId: body._id, actor: caller.email } as const;
      const { serial, logger } = await restoreDeleted(pool, { ...restore, now: new Date(now()), graceDays });
      return { message: `LMB logger is teruggezet.${logger}`, loggerid: serial };
    });

    serve('DELETE /api/berend/delete', async ({ query, caller }) => {
      await deleteLmbLogger(pool, caller.email, query.loggerid, new Date(now()));
      return { message: `LMB logger is verwijderd. Zijn metingen blijven ${graceDays} dagen bewaard.` };
    });
  },
};
