import type { Mail } from '#server/mail/mail.ts';
import { audit } from '#server/platform/audit.ts';
import type { Database, Pool } from '#server/platform/database.ts';
import { forbidden, invalid, ProblemError } from '#server/platform/problem.ts';
import { countTry } from '#server/platform/rate-limit.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Serve } from '#server/platform/serve.ts';
import { networkOf } from '#server/platform/visitor-address.ts';
import { newPasswordFault } from '#shared/domain/new-password.ts';
import type { AddressConfirmation } from './address-confirmation.ts';
import type { TokenCookie } from './cookies.ts';
import { rememberDevice } from './known-devices.ts';
import { countTries } from './login-limits.ts';
import type { PasswordResets } from './password-resets.ts';
import { passwordMatches } from './passwords.ts';
import { register } from './registration.ts';
import type { Caller, Sessions } from './sessions.ts';

const userOf = ({
  email,
  organization,
  organizationName,
  isLmbCustomer,
  role,
  isConfirmed,
}: Omit<Caller, 'scope'>) => ({
  email,
  organization,
  cleanorg: organizationName,
  isBerende: isLmbCustomer,
  role,
  isConfirmed,
});

/** Told to who has the right password, or had a session: nobody else hears that there is such an account. */
const ORGANIZATION_DISABLED =
  'Je organisatie is uitgeschakeld, daarom kun je niet inloggen. Vraag je beheerder ernaar.';

/** Told to who has the right password: they are in nobody's list yet. */
const WAITS =
  'Je account wacht op toelating door de beheerder van je organisatie. Je krijgt een mail zodra je kunt inloggen.';
const APPLIED =
  'Je aanvraag is ontvangen. De beheerder van je organisatie laat je toe; je krijgt een mail zodra je kunt inloggen.';

/** Per 15 minutes: mails that one account asks for, and links that one address opens. */
const CONFIRMATIONS = 3;
const CONFIRMING = 60;

type AuthParts = {
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly mail: Mail;
  readonly publicUrl: string;
  readonly confirmation: AddressConfirmation;
  readonly sessions: Sessions;
  readonly resets: PasswordResets;
  readonly session: TokenCookie;
  readonly device: TokenCookie;
};

/** API-01, Auth. */
export function authRoutes(serve: Serve<Caller>, parts: AuthParts): void {
  const { pool, sessions, resets, session, device } = parts;

  serve('GET /api/auth/validate-token', async ({ request }) => {
    const token = session.read(request);
    const caller = token === undefined ? undefined : await sessions.find(token);
    if (caller) return { isAuthenticated: true, user: userOf(caller) };
    const isOfDisabled = token !== undefined && (await sessions.isOfDisabled(token));
    return { isAuthenticated: false, ...(isOfDisabled && { message: ORGANIZATION_DISABLED }) };
  });

  serve('POST /api/auth/login', async ({ body, request, reply }) => {
    const email = body.email.toLowerCase();
    const tries = await countTries(pool, device, request, 'login', email);
    const account = await findAccount(pool, email);
    if (!(await passwordMatches(account?.passwordHash, body.password, tries.by)) || !account) {
      // Not waited for: it must not take longer to be refused by an account that exists.
      if (account && !account.waits)
        void auditRefusal(pool, account.email).catch((err) => request.log.warn({ err }, 'Audit'));
      throw new ProblemError('bad_credentials', 'Login failed. Please check your credentials.');
    }
    await tries.succeeded();
    if (account.waits) throw forbidden(WAITS);
    const token = await sessions.create(account.accountId, account.passwordHash);
    if (token === undefined) throw forbidden(ORGANIZATION_DISABLED);
    // A new session for every sign-in; the one that this browser had ends.
    const before = session.read(request);
    if (before !== undefined) await sessions.end(before);
    session.write(reply, token);
    device.write(reply, await rememberDevice(pool, account.accountId, device.read(request)));
    return { message: 'Ingelogd.', user: userOf(account) };
  });

  serve('POST /api/auth/register', async ({ body, request }) => {
    requireNewPassword(body.password);
    const email = body.email.toLowerCase();
    const tries = await countTries(pool, device, request, 'register', email);
    const { waits } = await register(pool, parts, body);
    await tries.succeeded();
    return { waits, message: waits ? APPLIED : 'Je account is gemaakt. Je kunt nu inloggen.' };
  });

  serve('POST /api/auth/confirm-address/send', async ({ caller }) => {
    if (caller.isConfirmed) return { message: 'Je e-mailadres is al bevestigd.' };
    await countTry(pool, [{ key: `confirm ${caller.accountId}`, tries: CONFIRMATIONS }]);
    await parts.confirmation.ask(pool, caller.accountId);
    return { message: `Er is een mail onderweg naar ${caller.email}.` };
  });

  serve('POST /api/auth/confirm-address', async ({ body, request }) => {
    await countTry(pool, [{ key: `confirm from ${networkOf(request.ip)}`, tries: CONFIRMING }]);
    const email = await parts.confirmation.confirm(pool, body.token);
    return { message: 'Je e-mailadres is bevestigd.', email };
  });

  serve('POST /api/auth/forgot-password', async ({ body, request }) => {
    const email = body.email.toLowerCase();
    await countTries(pool, device, request, 'forgot', email);
    await resets.request(pool, email);
    return { message: 'A reset code has been sent to your email.' };
  });

  serve('POST /api/auth/reset-password-with-code', async ({ body, request, reply }) => {
    requireNewPassword(body.newPassword);
    const email = body.email.toLowerCase();
    const tries = await countTries(pool, device, request, 'reset', email);
    const accountId = await resets.complete(pool, { email, code: body.code, newPassword: body.newPassword });
    await tries.succeeded();
    // Who reads the account's mail is no stranger: they can sign in while others use up its tries.
    device.write(reply, await rememberDevice(pool, accountId, device.read(request)));
    return { message: 'Password reset successful. Please sign in with your new password.' };
  });

  serve('POST /api/auth/logout', async ({ request, reply }) => {
    const token = session.read(request);
    if (token !== undefined) await sessions.end(token);
    session.clear(reply);
    return { message: 'Uitgelogd.' };
  });
}

/** Of an account that exists only: what strangers type is kept nowhere, and the tries of an account are limited. */
const auditRefusal = (db: Database, email: string): Promise<void> =>
  audit(db, { actor: 'sign-in', action: 'session.refuse', subject: email, data: {} });

function requireNewPassword(password: string): void {
  const fault = newPasswordFault(password);
  if (fault !== undefined) throw invalid(fault);
}

type Account = Omit<Caller, 'scope'> & {
  readonly passwordHash: string;
  /** To be let in: no account yet. */
  readonly waits: boolean;
};

async function findAccount(db: Database, email: string): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(
    `select a.id as "accountId", a.email, a.password_hash as "passwordHash", o.id as "organizationId",
       o.name as organization, o.clean as "organizationName", o.is_berende as "isLmbCustomer", a.role,
       a.confirmed_at is not null as "isConfirmed", a.waits
     from (
       select id, email, password_hash, organization_id, role, confirmed_at, false as waits from account
       where lower(email) = $1
       union all
       select 0, email, password_hash, organization_id, '', null, true from applicant where lower(email) = $1
     ) a join organization o on o.id = a.organization_id order by a.waits, a.id limit 1`,
    [email],
  );
  return rows[0];
}
