import { createHash, hash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { audit } from '#server/platform/audit.ts';
import { CACHE_MAX_AGE_MS, type Changes } from '#server/platform/changes.ts';
import {
  type Database,
  inTransaction,
  type Pool,
  type Transaction,
  unchecked,
} from '#server/platform/database.ts';
import { limitOf } from '#server/platform/limits.ts';
import type { Warn } from '#server/platform/warn.ts';
import type { SessionUser } from '#shared/contract/auth.ts';
import { ADMIN_ORGANIZATION, type Principal, type Scope } from '#shared/domain/access.ts';
import { openSessionUse, type Visitor } from './session-use.ts';

/** REQUIRE_SECOND_FACTOR: of whom a second factor is asked, whatever their organization says. */
export type FactorSetting = 'admin' | 'all' | 'none';

/** How long a sign-in lasts, whatever is done with it. */
export const SESSION_DAYS = 14;
/** After so many hours without a call it ends sooner; an open page calls every few seconds. */
const UNUSED_HOURS = { admin: 12, others: 72 };
/** For how long somebody who has given their password or factor need not give it again. */
const PROOF_MINUTES = 10;

/** Who calls: read from the session on the server, never from the request. */
export type Caller = Principal & {
  readonly accountId: number;
  readonly email: string;
  /** Whether it is known that the address is theirs. */
  readonly isConfirmed: boolean;
  /** Registered by code, address not confirmed: only the calls of 'Mijn account' are served. */
  readonly mustConfirm: boolean;
  /** What the person is called; null: by the e-mail. */
  readonly name: string | null;
  /** Display name of the organization. */
  readonly organizationName: string;
  readonly scope: Scope;
  readonly session: {
    readonly id: number;
    /** Whether the password or a factor was given lately; a sign-in counts. */
    readonly isProved: boolean;
  };
  /** Their password was made up for them: until they choose another they may do nothing else. */
  readonly mustChangePassword: boolean;
  /** Whether the portal sends mail (SMTP_URL). */
  readonly hasMailServer: boolean;
  /** A second factor is obligatory for them, by REQUIRE_SECOND_FACTOR or their organization's own choice. */
  readonly mustHaveFactor: boolean;
  /** One that lets them in. */
  readonly hasFactor: boolean;
};

/** Who must have a second factor and has none may only set one up. */
export const lacksFactor = ({
  mustHaveFactor,
  hasFactor,
}: Pick<Caller, 'mustHaveFactor' | 'hasFactor'>): boolean => mustHaveFactor && !hasFactor;

/** Whether a caller has the organization, the role and the rights that they had before. */
export const hasSameRights = (before: Caller, now: Caller): boolean =>
  isDeepStrictEqual(rightsOf(before), rightsOf(now));
const rightsOf = ({ accountId, organizationId, role, limit, scope: { limited: _, ...scope } }: Caller) => ({
  accountId,
  organizationId,
  role,
  limit,
  // Without the machines of a limited person: they come and go by themselves.
  scope,
});

/** What a browser may know of who is signed in. */
export const userOf = (caller: Caller): SessionUser => ({
  email: caller.email,
  name: caller.name,
  organization: caller.organization,
  cleanorg: caller.organizationName,
  isBerende: caller.isLmbCustomer,
  role: caller.role,
  isConfirmed: caller.isConfirmed,
  seesRoutes: caller.scope.actions.has('see-routes'),
  ...(caller.mustChangePassword && { mustChangePassword: true }),
  ...(lacksFactor(caller) && { lacksFactor: true }),
  ...(caller.limit && { limit: limitInWords(caller) }),
  ...(caller.mustConfirm && { mustConfirm: true }),
  ...(!caller.hasMailServer && { hasNoMailServer: true }),
});

const limitInWords = ({ limit, scope: { limited } }: Caller): SessionUser['limit'] => ({
  machines: limit?.projects
    ? { projects: [...(limited?.names.projects ?? [])], labels: [...(limited?.names.labels ?? [])] }
    : null,
  onlyToday: limit?.onlyToday === true,
});

/** As a condition on an organization `o`: its people need a second factor. `$n`: REQUIRE_SECOND_FACTOR. */
export const mustHaveFactor = (n: number): string =>
  `(o.requires_second_factor or $${n} = 'all' or $${n} = 'admin' and o.name = '${ADMIN_ORGANIZATION}')`;

export type Sessions = {
  /**
   * The token for the cookie; only its hash is stored. undefined when the account meanwhile has another password or
   * is gone, or its organization is disabled: then nobody has signed in.
   * @param hasShown a second factor. Without it there is no session of an account that has one
   */
  create(
    accountId: number,
    passwordHash: string,
    hasShown: boolean,
    visitor: Visitor,
  ): Promise<string | undefined>;
  /**
   * undefined: unknown, expired, not used for long, the account is gone, or its organization is disabled.
   * @param visitor who uses it now
   */
  find(token: string, visitor: Visitor): Promise<Caller | undefined>;
  /**
   * Returns the session's caller from the database itself. Nobody ends the session until the transaction of `db` ends: whatever
   * takes rights from an account ends its sessions (sql/end-sessions.sql), and so waits. undefined: it has ended.
   */
  readAgain(db: Database, sessionId: number): Promise<Caller | undefined>;
  /**
   * Its bearer has just given their password or a factor, or has other factors now: the session goes on with a token
   * that nobody else can have. undefined when it has ended.
   */
  renew(token: string): Promise<string | undefined>;
  end(token: string): Promise<void>;
  /** Whether it ended because its organization was disabled, and that still is. */
  isOfDisabled(token: string): Promise<boolean>;
  /** How many tokens this process remembers. */
  remembered(): number;
  /** Writes what there is to be written of uses. */
  close(): Promise<void>;
};

const MAX_REMEMBERED = 10_000;
const hashOf = (token: string): Buffer =>
  /*rule:session-token-hash*/ createHash('sha256').update(token).digest() /*=Buffer.from(token)*/;
const newToken = (): string => randomBytes(32).toString('base64url');

/** As a condition on a session `s` of an organization `o`: it has not ended by its age or by not being used. */
export const LIVES = `/*rule:session-age*/ s.expires_at > now() /*=true*/
  and /*rule:session-idle*/ s.last_used_at > now() - make_interval(hours =>
    case o.name when '${ADMIN_ORGANIZATION}' then ${UNUSED_HOURS.admin} else ${UNUSED_HOURS.others} end) /*=true*/`;

/**
 * Callers are remembered for 5 s at most, and forgotten at once when a session, account or organization changes; who asks for one
 * that is being read waits for it. `pool`: for what is in the log. `scopeFor`: reads the scope of a person.
 */
export function openSessions(
  db: Database,
  pool: Pool,
  changes: Changes,
  factorRule: FactorSetting,
  hasMailServer: boolean,
  warn: Warn,
  scopeFor: (db: Database, principal: Principal) => Promise<Scope>,
): Sessions {
  const remembered = new Map<string, { caller: Promise<Caller | undefined>; at: number }>();
  const use = openSessionUse(db, warn);
  // In one call: it is a seventh of what an answer of GET /api/live costs.
  const keyOf = (token: string): string =>
    /*rule:session-token-hash*/ hash('sha256', token, 'base64') /*=Buffer.from(token).toString('base64')*/;
  changes.onSession(() => /*rule:session-change-notice*/ remembered.clear() /*=undefined*/);

  async function findCaller(
    from: Database,
    which: string,
    value: Buffer | number,
  ): Promise<Found | undefined> {
    const { rows } = await from.query<Found>(
      `select a.id as "accountId", a.email, a.name, o.id as "organizationId", o.name as organization,
         o.clean as "organizationName", o.is_berende as "isLmbCustomer", a.role, o.privacy, ${limitOf('a')} as "limit",
         a.must_change_password as "mustChangePassword", a.confirmed_at is not null as "isConfirmed",
         a.must_confirm and a.confirmed_at is null as "mustConfirm",
         ${mustHaveFactor(3)} as "mustHaveFactor",
         exists (select from factor f where f.account_id = a.id and f.disabled_at is null) as "hasFactor",
         s.id as "sessionId",
         s.proved_at > now() - make_interval(mins => /*rule:reauthentication-age*/ $2 /*=$2 + 1000*/) as "isProved",
         s.last_used_at < now() - interval '1 minute' as "isUseOld"
       from session s join account a on a.id = s.account_id join organization o on o.id = a.organization_id
       where ${which} and ${LIVES} and /*rule:session-disabled-organization*/ o.is_active /*=true*/`,
      [value, PROOF_MINUTES, factorRule],
    );
    return rows[0];
  }

  const callerOf = async (
    from: Database,
    { sessionId, isProved, isUseOld: _, ...principal }: Found,
  ): Promise<Caller> => ({
    ...principal,
    hasMailServer,
    scope: await scopeFor(from, principal),
    session: { id: sessionId, isProved },
  });

  async function read(key: string, visitor: Visitor): Promise<Caller | undefined> {
    const found = await findCaller(db, 's.token_hash = $1', Buffer.from(key, 'base64'));
    if (found?.isUseOld) use.note(found.sessionId, visitor);
    return found && callerOf(db, found);
  }

  return {
    async create(accountId, passwordHash, hasShown, { address, userAgent }) {
      const token = newToken();
      // Takes turns with who disables the organization or sets a new password, which end the sessions that are there.
      const begin = async (client: Transaction) => {
        const { rowCount } = await client.query(
          `insert into session (token_hash, account_id, expires_at, address, user_agent)
           select $1, id, now() + make_interval(days => $4), $6, $7 from (
             select a.id from account a join organization o on o.id = a.organization_id
             where ($5 or /*rule:session-second-factor*/ not exists (select from factor f where f.account_id = a.id) /*=true*/)
               and a.id = $2 and /*rule:sign-in-password-replaced*/ a.password_hash = $3 /*=$3::text is not null*/
                 and /*rule:sign-in-disabled-organization*/ o.is_active /*=true*/ for share
           ) as still`,
          [hashOf(token), accountId, passwordHash, SESSION_DAYS, hasShown, address, userAgent],
        );
        if (rowCount !== 1) return undefined;
        await auditSession(client, accountId, 'session.start');
        return token;
      };
      // By a password or a factor, whatever became of the session of the call.
      return unchecked(() => inTransaction(pool, begin));
    },

    async readAgain(from, sessionId) {
      /*rule:change-keeps-session*/ await from.query('select from session where id = $1 for key share', [
        sessionId,
      ]); /*=*/
      // A statement of its own: one that waited for the lock would read the other rows as they were before.
      const found = await findCaller(from, 's.id = $1', sessionId);
      return found && callerOf(from, found);
    },

    find(token, visitor) {
      const key = keyOf(token);
      const known = remembered.get(key);
      // Not by the clock of the day: one that is set back would make it last.
      const at = performance.now();
      if (known && /*rule:session-cache-age*/ at - known.at < CACHE_MAX_AGE_MS /*=true*/) return known.caller;
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const entry = { caller: read(key, visitor), at };
      remembered.set(key, entry);
      // A failure is nothing to remember.
      entry.caller.catch(() => {
        if (remembered.get(key) === entry) remembered.delete(key);
      });
      return entry.caller;
    },

    async renew(token) {
      const renewed = newToken();
      remembered.delete(keyOf(token));
      const { rowCount } = await db.query(
        'update session set token_hash = $2, proved_at = now() where token_hash = $1',
        [hashOf(token), hashOf(renewed)],
      );
      return rowCount === 1 ? renewed : undefined;
    },

    async end(token) {
      /*rule:session-sign-out-at-once*/ remembered.delete(hashOf(token).toString('base64')); /*=*/
      await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ accountId: number }>(
          'delete from session where token_hash = $1 returning account_id as "accountId"',
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

    remembered: () => remembered.size,
    close: use.close,
  };
}

type Found = Omit<Caller, 'scope' | 'session' | 'hasMailServer'> & {
  readonly sessionId: number;
  readonly isProved: boolean;
  readonly isUseOld: boolean;
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
     where session.id = s.id and not (${LIVES})`,
  );
  await db.query('delete from ended_session where expires_at < now()');
}
