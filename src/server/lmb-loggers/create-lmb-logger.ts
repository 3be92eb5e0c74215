import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { invalid, ProblemError, valid } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { requireWriter } from '#server/streams/current-writer.ts';
import { EVERYTHING, SEEN, seenBy } from '#server/streams/scope.ts';
import { asSerial, createStream, findStream, orSerialTaken } from '#server/streams/streams.store.ts';
import { bindLogger, requireFreeLogger } from '#server/writers/bind-logger.ts';
import { createKey } from '#server/writers/writers.store.ts';
import type { NewLmbLogger } from '#shared/contract/lmb-loggers.ts';
import { checkIdentifier, checkLoggerSerial } from '#shared/domain/identifiers.ts';

/**
 * Registers an LMB logger (LOG-02). A loggerid of 7 digits is the ReXgen's own serial number: it gets a writer and a
 * key at once; any other gets them when its logger is bound.
 * @param actor the administrator's e-mail
 * @returns its loggerid, as stored
 * @throws ProblemError 400 wrong input, or an organization that is no LMB logging customer; 409 the loggerid, or in
 * its organization the name, is taken, or the logger reports for something else
 */
export function createLmbLoggerRecord(
  pool: Pool,
  secrets: Secrets,
  actor: string,
  input: NewLmbLogger,
  at: Date,
): Promise<string> {
  const serial = valid(checkIdentifier(input.loggerid, 'Loggerid'));
  const alias = valid(checkIdentifier(input.alias, 'Naam'));
  return orSerialTaken(loggeridTaken, () =>
    inTransaction(pool, async (client) => {
      const organizationId = await lockCustomer(client, input.organization);
      if ((await findStream(client, serial)) !== undefined) throw loggeridTaken();
      await requireFreeAlias(client, organizationId, alias);
      const isOwnSerial = checkLoggerSerial(serial).ok;
      if (isOwnSerial) await requireFreeLogger(client, serial, undefined);
      const streamId = await createStream(client, 'logger', { serial, alias, organizationId });
      if (isOwnSerial) {
        await bindLogger(client, { streamId, loggerSerial: serial, referenceStreamId: undefined, at });
        await createKey(client, secrets, (await requireWriter(client, streamId)).id);
      }
      const data = { alias, organization: input.organization, logger: isOwnSerial ? serial : null };
      await audit(client, { actor, action: 'lmb-logger.create', subject: serial, data });
      return serial;
    }),
  );
}

/** Nobody else makes a logger for this customer until the transaction ends. @throws ProblemError 400 */
async function lockCustomer(db: Transaction, name: string): Promise<number> {
  const wanted = asSerial(name);
  if (wanted === '') throw invalid('Kies een organisatie.');
  const { rows } = await db.query<{ id: number; isLmbCustomer: boolean }>(
    'select id, is_berende as "isLmbCustomer" from organization where name = $1 for no key update',
    [wanted],
  );
  const customer = rows[0];
  if (!customer) throw invalid(`Organisatie '${wanted}' bestaat niet.`);
  if (!customer.isLmbCustomer) throw invalid(`Organisatie '${wanted}' heeft geen LMB Logging Account.`);
  return customer.id;
}

/** Upper and lower case are one name: it stands in an address. @throws ProblemError 409 */
async function requireFreeAlias(db: Transaction, organizationId: number, alias: string): Promise<void> {
  const { rowCount } = await db.query(`select from ${SEEN} where lower(s.alias) = lower($3)`, [
    ...seenBy({ ...EVERYTHING, organizations: [organizationId] }, ['logger']),
    alias,
  ]);
  if (rowCount) throw new ProblemError('conflict', `Deze organisatie heeft al een LMB logger '${alias}'.`);
}

const loggeridTaken = () =>
  new ProblemError('conflict', 'Er bestaat al een machine of LMB logger met dit nummer.');
