import { requireNoPendingDeletion } from '#server/auth/require-not-leaving.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { invalidInputError, ProblemError } from '#server/platform/problem.ts';
import {
  ADMINISTRATOR_SCOPE,
  unknownStreamError,
  visibleStreamsParameters,
  visibleStreamsSql,
} from '#server/streams/scope.ts';
import { normalizeSerial, type StreamKind } from '#server/streams/streams.store.ts';
import type { LmbLogger, LmbLoggerName } from '#shared/contract/lmb-loggers.ts';
import type { Scope } from '#shared/domain/access.ts';

const read = (scope: Scope) =>
  `select s.alias, s.serial as loggerid, s.organization, s.organization_name as cleanorg from ${visibleStreamsSql(scope)}`;
const ONLY: readonly StreamKind[] = ['logger'];

/** Returns the LMB loggers by company and name (LOG-01). */
export async function listLmbLoggers(db: Database, scope: Scope): Promise<LmbLogger[]> {
  const { rows } = await db.query<LmbLogger>(
    `${read(scope)} order by lower(s.organization_name), lower(s.alias), s.serial`,
    visibleStreamsParameters(scope, ONLY),
  );
  return rows;
}

/**
 * Finds an LMB logger.
 * @throws ProblemError 400 without a name, or for an alias of several loggers; 404 with the same message for an unknown, a deleted and
 * another organization's logger
 */
export async function findLmbLogger(db: Database, scope: Scope, named: LmbLoggerName): Promise<LmbLogger> {
  const { loggerid, alias, organization } = named;
  if (!loggerid && !alias) throw invalidInputError('Geef een loggerid of een naam.');
  const { rows } = await db.query<LmbLogger>(
    `${read(scope)} where ($3::text is null or lower(s.serial) = lower($3)) and ($4::text is null or lower(s.alias) = lower($4))
       and ($5::text is null or s.organization = $5) order by s.organization limit 2`,
    [
      ...visibleStreamsParameters(
        /*rule:lmb-logger-scope*/ scope /*={ ...scope, organizations: 'all' }*/,
        ONLY,
      ),
      ...[loggerid, alias, organization].map((text) => (text ? normalizeSerial(text) : null)),
    ],
  );
  const [logger, another] = rows;
  if (!logger) throw unknownStreamError(ONLY);
  if (another)
    throw invalidInputError(
      `Meer loggers heten '${normalizeSerial(alias ?? '')}'. Geef de organisatie erbij.`,
    );
  return logger;
}

/**
 * Locks an LMB customer, so that no other transaction creates a logger for it.
 * @throws ProblemError 400
 */
export async function lockCustomer(db: Transaction, name: string): Promise<number> {
  const wanted = normalizeSerial(name);
  if (wanted === '') throw invalidInputError('Kies een organisatie.');
  const { rows } = await db.query<{ id: number; isLmbCustomer: boolean }>(
    'select id, is_berende as is_lmb_customer from organization where name = $1 for no key update',
    [wanted],
  );
  const customer = rows[0];
  if (!customer) throw invalidInputError(`Organisatie '${wanted}' bestaat niet.`);
  if (!customer.isLmbCustomer)
    throw invalidInputError(`Organisatie '${wanted}' heeft geen LMB Logging Account.`);
  await requireNoPendingDeletion(db, customer.id);
  return customer.id;
}

/**
 * Requires that an alias is free in its organization. Names are compared regardless of case, because they are part of addresses.
 * @throws ProblemError 409
 */
export async function requireFreeAlias(
  db: Transaction,
  organizationId: number,
  alias: string,
): Promise<void> {
  const { rowCount } = await db.query(
    `select from ${visibleStreamsSql(ADMINISTRATOR_SCOPE)} where lower(s.alias) = lower($3)`,
    [
      ...visibleStreamsParameters({ ...ADMINISTRATOR_SCOPE, organizations: [organizationId] }, ['logger']),
      alias,
    ],
  );
  if (rowCount) throw new ProblemError('conflict', `Deze organisatie heeft al een LMB logger '${alias}'.`);
}
