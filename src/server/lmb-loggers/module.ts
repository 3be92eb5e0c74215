import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { FieldErrors } from '#server/platform/field-errors.ts';
import type { Module } from '#server/platform/module.ts';
import { ProblemError } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { requireWriter } from '#server/streams/current-writer.ts';
import { lockStream } from '#server/streams/find-stream.ts';
import { unknownStreamError } from '#server/streams/scope.ts';
import {
  createStream,
  deleteStream,
  findStream,
  withSerialTakenError,
} from '#server/streams/streams.store.ts';
import { bindLogger, requireFreeLogger } from '#server/writers/bind-logger.ts';
import { createKey } from '#server/writers/keys.store.ts';
import { deletedStreams, restoreDeleted } from '#server/writers/restore-stream.ts';
import { releaseWriter } from '#server/writers/writers.store.ts';
import type { NewLmbLogger } from '#shared/contract/lmb-loggers.ts';
import { checkAlias, checkIdentifier, checkLoggerSerial } from '#shared/domain/identifiers.ts';
import { findLmbLogger, listLmbLoggers, lockCustomer, requireFreeAlias } from './lmb-loggers.store.ts';

/** The resources of the calls about LMB loggers. `graceDays`: DELETED_DAYS. */
export type LmbLoggerDependencies = {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly graceDays: number;
  readonly now: () => number;
};

/** Serves LMB loggers (API-01, Loggers). */
export const lmbLoggers: Module<Caller, LmbLoggerDependencies> = {
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

/**
 * Registers an LMB logger (LOG-02). A loggerid of 7 digits is the ReXgen's own serial number, and gets a writer and a key at once; any
 * other loggerid gets them when its logger is bound.
 * @param actor the administrator's e-mail
 * @returns its loggerid, as stored
 * @throws ProblemError 400 for invalid input, or an organization that is no LMB logging customer; 409 if the loggerid is taken, the
 * organization has another logger of that name, or the logger reports for another stream
 */
function createLmbLoggerRecord(
  pool: Pool,
  secrets: Secrets,
  actor: string,
  input: NewLmbLogger,
  at: Date,
): Promise<string> {
  const errors = new FieldErrors(['organization', 'loggerid', 'alias']);
  const serial = errors.take('loggerid', checkIdentifier(input.loggerid, 'Loggerid'));
  const alias = errors.take('alias', checkAlias(input.alias, 'Naam'));
  return withSerialTakenError(loggeridTaken, () =>
    inTransaction(pool, async (client) => {
      const owner = await errors.ask('organization', () => lockCustomer(client, input.organization));
      const organizationId = owner as number;
      const isOwnSerial = checkLoggerSerial(input.loggerid).ok;
      await errors.ask('loggerid', async () => {
        if ((await findStream(client, serial)) !== undefined) throw loggeridTaken();
        if (isOwnSerial) await requireFreeLogger(client, serial, undefined);
      });
      if (owner !== undefined)
        await errors.ask('alias', () => requireFreeAlias(client, organizationId, alias));
      errors.throwIfAny();
      const streamId = await createStream(client, 'logger', { serial, alias, organizationId });
      if (isOwnSerial) {
        await bindLogger(client, { streamId, loggerSerial: serial, referenceStreamId: undefined, at, actor });
        await createKey(client, secrets, (await requireWriter(client, streamId)).id);
      }
      const data = { alias, logger: isOwnSerial ? serial : null };
      await audit(client, { actor, action: 'lmb-logger.create', subject: serial, streamId, data });
      return serial;
    }),
  );
}

const loggeridTaken = () =>
  new ProblemError('conflict', 'Er bestaat al een machine of LMB logger met dit nummer.');

/**
 * Deletes an LMB logger: its readings stay for the grace period, its loggerid and name are free at once, and its key is rejected.
 * @throws ProblemError 404 if unknown, or for a machine's serial number
 */
function deleteLmbLogger(pool: Pool, actor: string, loggerid: string, at: Date): Promise<void> {
  return inTransaction(pool, async (client) => {
    const stream = await lockStream(client, loggerid);
    if (stream.kind !== 'logger') throw unknownStreamError(['logger']);
    await deleteStream(client, stream.id, at);
    await releaseWriter(client, stream.id, at);
    const { id: streamId, serial: subject, alias } = stream;
    await audit(client, {
      actor,
      action: 'lmb-logger.delete',
      subject,
      streamId,
      data: { alias },
    });
  });
}
