import { asSerial } from '#server/machines/stream-lookup.ts';
import type { Database } from '#server/platform/database.ts';
import { invalid, notFound } from '#server/platform/problem.ts';
import type { LmbLogger, LmbLoggerName } from '#shared/contract/lmb-loggers.ts';
import type { Scope } from '#shared/domain/access.ts';

/** $1: the organizations. Of another one, or deleted: as if it were not there (API-03). */
const READ = `select s.alias, s.serial as loggerid, o.name as organization, o.clean as cleanorg
  from stream s
  join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
  join organization o on o.id = w.organization_id
  where s.kind = 'logger' and s.deleted_at is null and ($1::integer[] is null or w.organization_id = any ($1))`;
const organizationsOf = ({ organizations }: Scope) => (organizations === 'all' ? null : organizations);

/** By company and name (LOG-01). */
export async function listLmbLoggers(db: Database, scope: Scope): Promise<LmbLogger[]> {
  const { rows } = await db.query<LmbLogger>(`${READ} order by lower(o.clean), lower(s.alias), s.serial`, [
    organizationsOf(scope),
  ]);
  return rows;
}

/**
 * @throws ProblemError 400 no name, or an alias that several loggers have; 404, the same for an unknown, a deleted
 * and another organization's one
 */
export async function findLmbLogger(db: Database, scope: Scope, named: LmbLoggerName): Promise<LmbLogger> {
  const { loggerid, alias, organization } = named;
  if (!loggerid && !alias) throw invalid('Geef een loggerid of een naam.');
  const { rows } = await db.query<LmbLogger>(
    `${READ} and ($2::text is null or s.serial = $2) and ($3::text is null or s.alias = $3)
       and ($4::text is null or o.name = $4) order by o.name limit 2`,
    [
      organizationsOf(scope),
      ...[loggerid, alias, organization].map((text) => (text ? asSerial(text) : null)),
    ],
  );
  const [logger, another] = rows;
  if (!logger) throw notFound('Deze logger bestaat niet.');
  if (another) throw invalid(`Meer loggers heten '${asSerial(alias ?? '')}'. Geef de organisatie erbij.`);
  return logger;
}
