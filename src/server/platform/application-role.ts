import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Database, inTransaction, type Pool } from './database.ts';
import { lockMigrations } from './migrate.ts';

/** The role as which the application works, when it differs from the owner of the tables. */
export type ApplicationRole = { readonly user: string; readonly password?: string | undefined };

/** The schemas whose tables the application's role uses. The role may read and change all rows, except in the listed tables. */
export type RoleRights = {
  readonly schemas: readonly string[];
  /** Tables whose rows the role may read and insert only. */
  readonly appendOnly: readonly string[];
  readonly readOnly: readonly string[];
};

/** Error of a role that the application cannot use; the message says what to do. */
export class ApplicationRoleError extends Error {}

const ALL = ['select', 'insert', 'update', 'delete'];
const POSSIBLE = [...ALL, 'truncate', 'references', 'trigger'];

/**
 * Creates the role if it is absent, and gives it exactly these rights on the existing tables. Call it after everything that creates
 * tables. Grants only missing rights and revokes only surplus ones, so that a usual start changes nothing.
 * @param owner a pool of connections of the role that owns the tables
 * @returns a sentence if the rights cannot be limited, because the role is a superuser or an owner; otherwise nothing
 * @throws ApplicationRoleError
 */
export async function grantRoleRights(
  owner: Pool,
  { user, password }: ApplicationRole,
  { schemas, appendOnly, readOnly }: RoleRights,
): Promise<string[]> {
  const role = pg.escapeIdentifier(user);
  return inTransaction(owner, async (client) => {
    await lockMigrations(client);
    const found = (await findRole(client, user)) ?? (await makeRole(client, user, password));
    if (found.isAbove)
      return [
        `The database role ${user}, as which the portal works, is a superuser or has the rights of who owns the tables: nothing limits what it may do. Give DATABASE_URL a role of its own.`,
      ];

    for (const schema of schemas) {
      const { rows } = await client.query<{ uses: boolean; creates: boolean }>(
        `select has_schema_privilege($1, $2, 'usage') as uses, has_schema_privilege($1, $2, 'create') as creates`,
        [user, schema],
      );
      if (!rows[0]?.uses) await client.query(`grant usage on schema ${schema} to ${role}`);
      // Before PostgreSQL 15 everybody could create tables in `public`; upgraded databases keep that grant.
      if (rows[0]?.creates) await client.query(`revoke create on schema ${schema} from public, ${role}`);
    }

    // Excludes weekly partitions, which are reached through their parent tables; pg-boss uses its partitions directly.
    const { rows: tables } = await client.query<{ table: string; name: string; has: string[] }>(
      `select c.oid::regclass::text as "table", c.relname as name,
         array(select p from unnest($3::text[]) as p where has_table_privilege($1, c.oid, p)) as has
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = any ($2) and c.relkind in ('r', 'p', 'v') and not (c.relispartition and n.nspname ~ '^(public|telemetry_\\d+)$')
       order by 1`,
      [user, schemas, POSSIBLE],
    );
    for (const { table, name, has } of tables) {
      const wanted = readOnly.includes(name)
        ? ALL.slice(0, 1)
        : appendOnly.includes(name)
          ? ALL.slice(0, 2)
          : ALL;
      const missing = wanted.filter((right) => !has.includes(right));
      const tooMany = has.filter((right) => !wanted.includes(right));
      if (missing.length > 0) await client.query(`grant ${missing.join(', ')} on ${table} to ${role}`);
      if (tooMany.length > 0)
        await client.query(`revoke ${tooMany.join(', ')} on ${table} from ${role}, public`);
    }
    // Grants the use of sequences, because some ids are needed before their row is inserted.
    const { rows: sequences } = await client.query<{ sequence: string }>(
      `select oid::regclass::text as sequence from pg_class
       where relnamespace = any ($2::regnamespace[])
         and case when relkind = 'S' then not has_sequence_privilege($1, oid, 'usage') end`,
      [user, schemas],
    );
    for (const { sequence } of sequences)
      await client.query(`grant usage on sequence ${sequence} to ${role}`);
    return [];
  });
}

type Found = { readonly isAbove: boolean };

/** Finds a role. `isAbove`: whether it is a superuser or owner, to whom PostgreSQL refuses nothing. */
async function findRole(db: Database, user: string): Promise<Found | undefined> {
  const { rows } = await db.query<Found>(
    `select rolsuper or pg_has_role(oid, current_user, 'member') as is_above from pg_roles where rolname = $1`,
    [user],
  );
  return rows[0];
}

async function makeRole(db: Database, user: string, password: string | undefined): Promise<Found> {
  const login = password === undefined ? '' : ` password ${pg.escapeLiteral(scramVerifier(password))}`;
  try {
    await db.query(`create role ${pg.escapeIdentifier(user)} login${login}`);
  } catch (error) {
    throw new ApplicationRoleError(
      `The role ${user} of DATABASE_URL does not exist, and that of MIGRATION_DATABASE_URL cannot make it (${(error as Error).message}). Make it: create role ${user} login password '…';`,
    );
  }
  return { isAbove: false };
}

/** Returns the password in the form that PostgreSQL stores (RFC 5802), because statements may be logged. */
function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const keyed = (what: string) => createHmac('sha256', salted).update(what).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}
