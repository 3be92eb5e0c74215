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
  /** Display name of the organization. */
  readonly cleanorg: string;
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
  end(token: string): Promise<void>;
};

const MAX_REMEMBERED = 10_000;
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Callers are remembered for 5 s at most, and forgotten at once when a session, account or organization changes. */
export function openSessions(db: Database, changes: Changes): Sessions {
  const remembered = new Map<string, { caller: Caller | undefined; at: number }>();
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
        `insert into session (token_hash, account_id, expires_at)
         select $1, id, now() + make_interval(days => $4) from (
           select a.id from account a join organization o on o.id = a.organization_id
           where a.id = $2 and a.password_hash = $3 and o.is_active for share
         ) as still`,
        [hashOf(token), accountId, passwordHash, SESSION_DAYS],
      );
      return rowCount === 1 ? token : undefined;
    },

    async find(token) {
      // In one call: it is a seventh of what an answer of GET /api/live costs.
      const key = hash('sha256', token, 'base64');
      const known = remembered.get(key);
      if (known && Date.now() - known.at < CACHE_MAX_AGE_MS) return known.caller;
      const at = Date.now();
      const asked = generation;
      const { rows } = await db.query<Omit<Caller, 'scope'>>(
        `select a.id as "accountId", a.email, o.id as "organizationId", o.name as organization, o.clean as cleanorg,
           o.is_berende as "isBerende"
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

    async end(token) {
      remembered.delete(hashOf(token).toString('base64'));
      await db.query('delete from session where token_hash = $1', [hashOf(token)]);
    },
  };
}
