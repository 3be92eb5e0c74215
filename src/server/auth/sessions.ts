import { createHash, hash, randomBytes } from 'node:crypto';
import { CACHE_MAX_AGE_MS, type Changes } from '#server/platform/changes.ts';
import type { Database } from '#server/platform/database.ts';
import { type Principal, type Scope, scopeOf } from '#shared/domain/access.ts';

/** How long a sign-in lasts, whatever is done with it. */
export const SESSION_DAYS = 14;

/** Who calls: read from the session on the server, never from the request. */
export type Caller = Principal & {
  readonly accountId: number;
  readonly email: string;
  /** Whether it is known that the address is theirs. */
  readonly isConfirmed: boolean;
  /** Display name of the organization. */
  readonly organizationName: string;
  readonly scope: Scope;
};

export type Sessions = {
  /**
   * The token for the cookie; only its hash is stored. undefined when the account meanwhile has another password or
   * is gone, or its organization is disabled: then nobody has signed in.
   */
  create(accountId: number, passwordHash: string): Promise<string | undefined>;
  /** undefined: unknown, expired, the account is gone, or its organization is disabled. */
  find(token: string): Promise<Caller | undefined>;
  /** The same at once, where it is remembered. */
  known(token: string): Caller | undefined;
  end(token: string): Promise<void>;
  /** Whether it ended because its organization was disabled, and that still is. */
  isOfDisabled(token: string): Promise<boolean>;
  /** How many tokens this process remembers. */
  remembered(): number;
};

const MAX_REMEMBERED = 10_000;
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Callers are remembered for 5 s at most, and forgotten at once when a session, account or organization changes. */
export function openSessions(db: Database, changes: Changes): Sessions {
  const remembered = new Map<string, { caller: Caller | undefined; at: number }>();
  // In one call: it is a seventh of what an answer of GET /api/live costs.
  const keyOf = (token: string): string => hash('sha256', token, 'base64');
  let generation = 0;
  changes.onSession(() => {
    generation += 1;
    remembered.clear();
  });

  return {
    async create(accountId, passwordHash) {
      const token = randomBytes(32).toString('base64url');
      // Takes turns with who disables the organization or sets a new password, which end the sessions that are there.
      const { rowCount } = await db.query(
        `with made as (
           insert into session (token_hash, account_id, expires_at)
           select $1, id, now() + make_interval(days => $4) from (
             select a.id from account a join organization o on o.id = a.organization_id
             where a.id = $2 and a.password_hash = $3 and o.is_active for share
           ) as still
           returning account_id
         )
         insert into audit (actor, action, subject)
         select a.email, 'session.start', a.email from made join account a on a.id = made.account_id`,
        [hashOf(token), accountId, passwordHash, SESSION_DAYS],
      );
      return rowCount === 1 ? token : undefined;
    },

    async find(token) {
      const key = keyOf(token);
      const known = remembered.get(key);
      // Not by the clock of the day: one that is set back would make it last.
      const at = performance.now();
      if (known && at - known.at < CACHE_MAX_AGE_MS) return known.caller;
      const asked = generation;
      const { rows } = await db.query<Omit<Caller, 'scope'>>(
        `select a.id as "accountId", a.email, o.id as "organizationId", o.name as organization, o.clean as "organizationName",
           o.is_berende as "isLmbCustomer", a.role, a.confirmed_at is not null as "isConfirmed"
         from session s join account a on a.id = s.account_id join organization o on o.id = a.organization_id
         where s.token_hash = $1 and s.expires_at > now() and o.is_active`,
        [Buffer.from(key, 'base64')],
      );
      const caller = rows[0] && { ...rows[0], scope: scopeOf(rows[0]) };
      if (asked === generation) {
        if (remembered.size >= MAX_REMEMBERED) remembered.clear();
        remembered.set(key, { caller, at });
      }
      return caller;
    },

    known(token) {
      const known = remembered.get(keyOf(token));
      return known && performance.now() - known.at < CACHE_MAX_AGE_MS ? known.caller : undefined;
    },

    async end(token) {
      remembered.delete(hashOf(token).toString('base64'));
      await db.query(
        `with gone as (delete from session where token_hash = $1 returning account_id)
         insert into audit (actor, action, subject)
         select a.email, 'session.end', a.email from gone join account a on a.id = gone.account_id`,
        [hashOf(token)],
      );
    },

    async isOfDisabled(token) {
      const { rowCount } = await db.query(
        `select from ended_session e join account a on a.id = e.account_id join organization o on o.id = a.organization_id
         where e.token_hash = $1 and e.expires_at > now() and not o.is_active`,
        [hashOf(token)],
      );
      return rowCount === 1;
    },

    remembered: () => remembered.size,
  };
}

export async function removeExpiredSessions(db: Database): Promise<void> {
  await db.query('delete from session where expires_at < now()');
  await db.query('delete from ended_session where expires_at < now()');
}
