import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '#server/platform/database.ts';
import type { ExpectedCallbackValues, IdentityClaims } from './oidc-client.ts';

/**
 * Time limit for the sign-in at the provider. The same limit applies again to entering the password of an account that is not
 * linked yet.
 */
const TIME_LIMIT_MINUTES = 10;
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
const newToken = (): string => randomBytes(32).toString('base64url');

/** Purpose of a sign-in that does more than signing in. */
export type AttemptPurpose = {
  /** Token of the session of a person who links their account. */
  readonly sessionToken?: string | undefined;
  /** Hash of the token in the link of an invitation that is being accepted. */
  readonly invitation?: Buffer | undefined;
};

/**
 * Records the start of a sign-in at the provider.
 * @returns the token for the cookie; undefined when the provider or the session no longer exists
 */
export async function beginAttempt(
  db: Database,
  organizationId: number,
  { state, nonce, codeVerifier }: ExpectedCallbackValues,
  { sessionToken, invitation }: AttemptPurpose = {},
): Promise<string | undefined> {
  const token = newToken();
  const sessionHash = sessionToken === undefined ? null : hashOf(sessionToken);
  const { rowCount } = await db
    .query(
      `insert into oidc_attempt (token_hash, organization_id, state, nonce, code_verifier, session_hash, invitation_hash, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(mins => $8))`,
      [
        hashOf(token),
        organizationId,
        state,
        nonce,
        codeVerifier,
        sessionHash,
        invitation ?? null,
        TIME_LIMIT_MINUTES,
      ],
    )
    .catch((error: { code?: string }) => {
      if (error.code === '23503') return { rowCount: 0 };
      throw error;
    });
  return rowCount === 1 ? token : undefined;
}

export type SignInAttempt = {
  readonly organizationId: number;
  readonly checks: ExpectedCallbackValues;
  readonly accountId: number | undefined;
  /** Hash of the token in the link of an invitation that is being accepted. */
  readonly invitation: Buffer | undefined;
};

/**
 * Returns a started sign-in, and deletes it: it is valid once. Returns undefined if it belongs to another cookie, state or
 * organization, was used, or has expired.
 */
export async function consumeAttempt(
  db: Database,
  token: string,
  organization: string,
  state: string,
): Promise<SignInAttempt | undefined> {
  const { rows } = await db.query<{
    organizationId: number;
    nonce: string;
    codeVerifier: string;
    accountId: number | null;
    invitation: Buffer | null;
  }>(
    `with taken as (
       delete from oidc_attempt t using organization o
       where t.token_hash = $1 and t.state = $2 and o.id = t.organization_id and o.name = $3
       returning t.*
     )
     select t.organization_id, t.nonce, t.code_verifier, s.account_id,
       t.invitation_hash as invitation
     from taken t left join session s on s.token_hash = t.session_hash where t.expires_at > now()`,
    [hashOf(token), state, organization],
  );
  if (!rows[0]) return undefined;
  const { organizationId, nonce, codeVerifier, accountId, invitation } = rows[0];
  return {
    organizationId,
    checks: { state, nonce, codeVerifier },
    accountId: accountId ?? undefined,
    invitation: invitation ?? undefined,
  };
}

/** Records a sign-in with the address of an account that is not linked. @returns the token for the cookie */
export async function storeUnlinkedSignIn(
  db: Database,
  accountId: number,
  claims: IdentityClaims,
): Promise<string> {
  const token = newToken();
  await db.query(
    `insert into oidc_arrival (token_hash, account_id, issuer, subject, expires_at)
     select $1, id, $3, $4, now() + make_interval(mins => $5) from account where id = $2 for key share`,
    [hashOf(token), accountId, claims.issuer, claims.subject, TIME_LIMIT_MINUTES],
  );
  return token;
}

export type UnlinkedSignIn = {
  readonly accountId: number;
  /** E-mail address of the account, in lower case. */
  readonly email: string;
  readonly passwordHash: string;
  readonly issuer: string;
  readonly subject: string;
};

/** Returns the recorded sign-in, provided that the account's organization still has the provider. */
export async function findUnlinkedSignIn(db: Database, token: string): Promise<UnlinkedSignIn | undefined> {
  const { rows } = await db.query<UnlinkedSignIn>(
    `select a.id as account_id, lower(a.email) as email, a.password_hash, r.issuer, r.subject
     from oidc_arrival r join account a on a.id = r.account_id
       join oidc_provider p on p.organization_id = a.organization_id and p.issuer = r.issuer
     where r.token_hash = $1 and r.expires_at > now()`,
    [hashOf(token)],
  );
  return rows[0];
}

export async function deleteUnlinkedSignIn(db: Database, token: string): Promise<void> {
  await db.query('delete from oidc_arrival where token_hash = $1', [hashOf(token)]);
}

export async function removeExpiredAttempts(db: Database): Promise<void> {
  await db.query('delete from oidc_attempt where expires_at < now()');
  await db.query('delete from oidc_arrival where expires_at < now()');
}
