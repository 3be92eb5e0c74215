import { createHash, hash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { audit } from '#server/platform/audit.ts';
import { CACHE_MAX_AGE_MS, type ChangeNotifier } from '#server/platform/changes.ts';
import {
  type Database,
  inTransaction,
  type Pool,
  type Transaction,
  withoutTransactionCheck,
} from '#server/platform/database.ts';
import { accessLimitSql } from '#server/platform/limits.ts';
import type { Warn } from '#server/platform/warn.ts';
import type { SessionUser } from '#shared/contract/auth.ts';
import { ADMIN_ORGANIZATION, type Principal, type Scope } from '#shared/domain/access.ts';
import { openSessionUseBuffer, type SessionVisitor } from './session-use.ts';

/** Value of REQUIRE_SECOND_FACTOR: the people who need a second factor, whatever their organization requires. */
export type SecondFactorSetting = 'admin' | 'all' | 'none';

/** Longest lifetime of a session. */
export const SESSION_DAYS = 14;
/** Hours without a call after which a session ends; an open page makes calls every few seconds. */
const IDLE_HOURS = { admin: 12, others: 72 };
/** How long a password or factor counts as recent for dangerous acts. */
const REAUTHENTICATION_MINUTES = 10;

/** The signed-in person who calls, read from the session on the server, never from the request. */
export type Caller = Principal & {
  readonly accountId: number;
  readonly email: string;
  /** Whether the owner has shown that they read the mail of the address. */
  readonly isConfirmed: boolean;
  /** Whether the account was registered by code and its address is unconfirmed, so that only the calls of 'Mijn account' are served. */
  readonly mustConfirm: boolean;
  /** The person's name; null: the screens show the e-mail. */
  readonly name: string | null;
  /** Display name of the person's organization. */
  readonly organizationName: string;
  readonly scope: Scope;
  readonly session: {
    readonly id: number;
    /** Whether the password or a factor was given recently; a sign-in counts. */
    readonly isReauthenticated: boolean;
  };
  /** Whether the password was generated: until the person chooses another one, all other calls are refused. */
  readonly mustChangePassword: boolean;
  /** Whether the portal sends mail (SMTP_URL). */
  readonly hasMailServer: boolean;
  /** Whether REQUIRE_SECOND_FACTOR or the organization requires a second factor. */
  readonly mustHaveFactor: boolean;
  /** Whether the account has a factor that is not disabled. */
  readonly hasFactor: boolean;
};

/** Returns whether the caller must set up a second factor before anything else. */
export const mustSetUpFactor = ({
  mustHaveFactor,
  hasFactor,
}: Pick<Caller, 'mustHaveFactor' | 'hasFactor'>): boolean => mustHaveFactor && !hasFactor;

/** Returns whether the caller still has the same organization, role and rights. */
export const hasSameRights = (before: Caller, now: Caller): boolean =>
  isDeepStrictEqual(rightsOf(before), rightsOf(now));
const rightsOf = ({ accountId, organizationId, role, limit, scope: { limited: _, ...scope } }: Caller) => ({
  accountId,
  organizationId,
  role,
  limit,
  // `scope` leaves out the machines of a limited person, because they change when projects begin and end.
  scope,
});

/** Returns the part of the caller that the browser may know. */
export const sessionUserOf = (caller: Caller): SessionUser => ({
  email: caller.email,
  name: caller.name,
  organization: caller.organization,
  cleanorg: caller.organizationName,
  isBerende: caller.isLmbCustomer,
  role: caller.role,
  isConfirmed: caller.isConfirmed,
  seesRoutes: caller.scope.actions.has('see-routes'),
  ...(caller.mustChangePassword && { mustChangePassword: true }),
  ...(mustSetUpFactor(caller) && { lacksFactor: true }),
  ...(caller.limit && { limit: limitText(caller) }),
  ...(caller.mustConfirm && { mustConfirm: true }),
  ...(!caller.hasMailServer && { hasNoMailServer: true }),
});

const limitText = ({ limit, scope: { limited } }: Caller): SessionUser['limit'] => ({
  machines: limit?.projects
    ? { projects: [...(limited?.names.projects ?? [])], labels: [...(limited?.names.labels ?? [])] }
    : null,
  onlyToday: limit?.onlyToday === true,
});

/** SQL condition on an organization `o`: its people need a second factor. `$n`: REQUIRE_SECOND_FACTOR. */
export const mustHaveFactorSql = (n: number): string =>
  `(o.requires_second_factor or $${n} = 'all' or $${n} = 'admin' and o.name = '${ADMIN_ORGANIZATION}')`;

export type Sessions = {
  /**
   * Creates a session and returns the token for its cookie; the database holds only its hash. Returns undefined when meanwhile
   * the password was replaced, the account was deleted, or the organization was disabled.
   * @param hasPresentedFactor a second factor was presented; an account with a factor gets no session without it
   */
  create(
    accountId: number,
    passwordHash: string,
    hasPresentedFactor: boolean,
    visitor: SessionVisitor,
  ): Promise<string | undefined>;
  /**
   * Returns the session's caller; undefined when the session is unknown, has expired or was idle too long, the account was
   * deleted, or the organization is disabled.
   * @param visitor from where the session is used now
   */
  find(token: string, visitor: SessionVisitor): Promise<Caller | undefined>;
  /**
   * Returns the session's caller from the database, not from the cache; undefined when the session has ended. The session cannot
   * end before the transaction of `db` does: every change that takes rights from an account also ends its sessions
   * (sql/end-sessions.sql), and so waits for this transaction.
   */
  readAgain(db: Database, sessionId: number): Promise<Caller | undefined>;
  /**
   * Gives the session a new token, after its owner re-authenticated or changed factors, so that copies of the old token become
   * void. Returns undefined when the session has ended.
   */
  renew(token: string): Promise<string | undefined>;
  end(token: string): Promise<void>;
  /** Returns whether the session ended because its organization was disabled and still is. */
  isOfDisabled(token: string): Promise<boolean>;
  cachedCount(): number;
  /** Flushes buffered last-used timestamps. */
  close(): Promise<void>;
};

const MAX_CACHED = 10_000;
const hashOf = (token: string): Buffer =>
  /*rule:session-token-hash*/ createHash('sha256').update(token).digest() /*=Buffer.from(token)*/;
const newToken = (): string => randomBytes(32).toString('base64url');

/** SQL condition on a session `s` of an organization `o`: it has not ended by age or idleness. */
export const SESSION_IS_VALID_SQL = `/*rule:session-age*/ s.expires_at > now() /*=true*/
  and /*rule:session-idle*/ s.last_used_at > now() - make_interval(hours =>
    case o.name when '${ADMIN_ORGANIZATION}' then ${IDLE_HOURS.admin} else ${IDLE_HOURS.others} end) /*=true*/`;

/**
 * Opens the sessions. Callers are cached for at most 5 s and dropped at once when a session, account or organization changes;
 * simultaneous requests for one token share one read. `pool`: for changes that are audited. `scopeFor`: reads the scope of a
 * person.
 */
export function openSessions(
  db: Database,
  pool: Pool,
  changes: ChangeNotifier,
  factorRule: SecondFactorSetting,
  hasMailServer: boolean,
  warn: Warn,
  scopeFor: (db: Database, principal: Principal) => Promise<Scope>,
): Sessions {
  const cached = new Map<string, { caller: Promise<Caller | undefined>; at: number }>();
  const use = openSessionUseBuffer(db, warn);
  // Uses `hash` with one call, instead of three calls of a Hash object, because hashing is a seventh of the cost of GET /api/live.
  const keyOf = (token: string): string =>
    /*rule:session-token-hash*/ hash('sha256', token, 'base64') /*=Buffer.from(token).toString('base64')*/;
  changes.onSession(() => /*rule:session-change-notice*/ cached.clear() /*=undefined*/);

  async function findCaller(
    from: Database,
    which: string,
    value: Buffer | number,
  ): Promise<Found | undefined> {
    const { rows } = await from.query<Found>(
      `select a.id as account_id, a.email, a.name, o.id as organization_id, o.name as organization,
         o.clean as organization_name, o.is_berende as is_lmb_customer, a.role, o.privacy, ${accessLimitSql('a')} as "limit",
         a.must_change_password, a.confirmed_at is not null as is_confirmed,
         a.must_confirm and a.confirmed_at is null as must_confirm,
         ${mustHaveFactorSql(3)} as must_have_factor,
         exists (select from factor f where f.account_id = a.id and f.disabled_at is null) as has_factor,
         s.id as session_id,
         s.proved_at > now() - make_interval(mins => /*rule:reauthentication-age*/ $2 /*=$2 + 1000*/) as is_reauthenticated,
         s.last_used_at < now() - interval '1 minute' as is_use_stale
       from session s join account a on a.id = s.account_id join organization o on o.id = a.organization_id
       where ${which} and ${SESSION_IS_VALID_SQL} and /*rule:session-disabled-organization*/ o.is_active /*=true*/`,
      [value, REAUTHENTICATION_MINUTES, factorRule],
    );
    return rows[0];
  }

  const callerOf = async (
    from: Database,
    { sessionId, isReauthenticated, isUseStale: _, ...principal }: Found,
  ): Promise<Caller> => ({
    ...principal,
    hasMailServer,
    scope: await scopeFor(from, principal),
    session: { id: sessionId, isReauthenticated },
  });

  async function read(key: string, visitor: SessionVisitor): Promise<Caller | undefined> {
    const found = await findCaller(db, 's.token_hash = $1', Buffer.from(key, 'base64'));
    if (found?.isUseStale) use.note(found.sessionId, visitor);
    return found && callerOf(db, found);
  }

  return {
    async create(accountId, passwordHash, hasPresentedFactor, { address, userAgent }) {
      const token = newToken();
      // The row locks serialize this with disabling the organization and setting a password, which end existing sessions.
      const insert = async (client: Transaction) => {
        const { rowCount } = await client.query(
          `insert into session (token_hash, account_id, expires_at, address, user_agent)
           select $1, id, now() + make_interval(days => $4), $6, $7 from (
             select a.id from account a join organization o on o.id = a.organization_id
             where ($5 or /*rule:session-second-factor*/ not exists (select from factor f where f.account_id = a.id) /*=true*/)
               and a.id = $2 and /*rule:sign-in-password-replaced*/ a.password_hash = $3 /*=$3::text is not null*/
                 and /*rule:sign-in-disabled-organization*/ o.is_active /*=true*/ for share
           ) as still`,
          [hashOf(token), accountId, passwordHash, SESSION_DAYS, hasPresentedFactor, address, userAgent],
        );
        if (rowCount !== 1) return undefined;
        await auditSession(client, accountId, 'session.start');
        return token;
      };
      // The transaction need not check the session of this call, because the person has just given a password or a factor.
      return withoutTransactionCheck(() => inTransaction(pool, insert));
    },

    async readAgain(from, sessionId) {
      /*rule:change-keeps-session*/ await from.query('select from session where id = $1 for key share', [
        sessionId,
      ]); /*=*/
      // A second statement, because a statement that has waited for a lock still reads other rows as they were before the wait.
      const found = await findCaller(from, 's.id = $1', sessionId);
      return found && callerOf(from, found);
    },

    find(token, visitor) {
      const key = keyOf(token);
      const known = cached.get(key);
      // A monotonic clock: setting the system clock back must not prolong the cache.
      const at = performance.now();
      if (known && /*rule:session-cache-age*/ at - known.at < CACHE_MAX_AGE_MS /*=true*/) return known.caller;
      if (cached.size >= MAX_CACHED) cached.clear();
      const entry = { caller: read(key, visitor), at };
      cached.set(key, entry);
      // Failures are not cached.
      entry.caller.catch(() => {
        if (cached.get(key) === entry) cached.delete(key);
      });
      return entry.caller;
    },

    async renew(token) {
      const renewed = newToken();
      cached.delete(keyOf(token));
      const { rowCount } = await db.query(
        'update session set token_hash = $2, proved_at = now() where token_hash = $1',
        [hashOf(token), hashOf(renewed)],
      );
      return rowCount === 1 ? renewed : undefined;
    },

    async end(token) {
      /*rule:session-sign-out-at-once*/ cached.delete(hashOf(token).toString('base64')); /*=*/
      await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ accountId: number }>(
          'delete from session where token_hash = $1 returning account_id',
          [hashOf(token)],
        );
        if (rows[0]) await auditSession(client, rows[0].accountId, 'session.end');
      });
    },

    async isOfDisabled(token) {
      const { rowCount } = await db.query(
        `select from ended_session e join account a on a.id = e.account_id join organization o on o.id = a.organization_id
         where e.token_hash = $1 and e.expires_at > now() and not o.is_active`,
        [hashOf(token)],
      );
      return rowCount === 1;
    },

    cachedCount: () => cached.size,
    close: use.close,
  };
}

type Found = Omit<Caller, 'scope' | 'session' | 'hasMailServer'> & {
  readonly sessionId: number;
  readonly isReauthenticated: boolean;
  readonly isUseStale: boolean;
};

async function auditSession(
  db: Database,
  accountId: number,
  action: 'session.start' | 'session.end',
): Promise<void> {
  const { rows } = await db.query<{ email: string }>('select email from account where id = $1', [accountId]);
  const email = rows[0]?.email;
  if (email !== undefined) await audit(db, { actor: email, action, subject: email, accountId, data: {} });
}

export async function removeExpiredSessions(db: Database): Promise<void> {
  await db.query(
    `delete from session using session s join account a on a.id = s.account_id join organization o on o.id = a.organization_id
     where session.id = s.id and not (${SESSION_IS_VALID_SQL})`,
  );
  await db.query('delete from ended_session where expires_at < now()');
}
