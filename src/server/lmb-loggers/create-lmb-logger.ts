import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { FieldErrors } from '#server/platform/field-errors.ts';
import { ProblemError } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { requireWriter } from '#server/streams/current-writer.ts';
import { createStream, findStream, orSerialTaken } from '#server/streams/streams.store.ts';
import { bindLogger, requireFreeLogger } from '#server/writers/bind-logger.ts';
import { createKey } from '#server/writers/keys.store.ts';
import type { NewLmbLogger } from '#shared/contract/lmb-loggers.ts';
import { checkIdentifier, checkLoggerSerial, checkName } from '#shared/domain/identifiers.ts';
import { lockCustomer, requireFreeAlias } from './lmb-loggers.store.ts';

/**
 * Registers an LMB logger (LOG-02). A loggerid of 7 digits is the ReXgen's own serial number, and gets a writer and a key at once; any
 * other loggerid gets them when its logger is bound.
 * @param actor the administrator's e-mail
 * @returns its loggerid, as stored
 * @throws ProblemError 400 for invalid input, or an organization that is no LMB logging customer; 409 if the loggerid, or in its
 * organization the name, is taken, or the logger reports for another stream
 */
export function createLmbLoggerRecord(
  pool: Pool,
  secrets: Secrets,
  actor: string,
  input: NewLmbLogger,
  at: Date,
): Promise<string> {
  const errors = new FieldErrors(['organization', 'loggerid', 'alias']);
  const serial = errors.take('loggerid', checkIdentifier(input.loggerid, 'Loggerid'));
  const alias = errors.take('alias', checkName(input.alias, 'Naam'));
  return orSerialTaken(loggeridTaken, () =>
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
