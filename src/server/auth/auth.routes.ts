import type { Database } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import type { Serve } from '#server/platform/serve.ts';
import { enter, ORGANIZATION_DISABLED } from './enter.ts';
import { requireNewPassword } from './guessable.ts';
import { requireLocalSignIn } from './local-sign-in.ts';
import { countTries } from './login-limits.ts';
import type { PasswordResets } from './password-resets.ts';
import { passwordMatches } from './passwords.ts';
import { register } from './registration.ts';
import { passSecondFactor, type SecondStepParts, type SigningIn, secondStepRoutes } from './second-step.ts';
import { visitorOf } from './session-use.ts';
import { type Caller, userOf } from './sessions.ts';

type AuthParts = SecondStepParts & { readonly resets: PasswordResets };

/** API-01, Auth. */
export function authRoutes(serve: Serve<Caller>, parts: AuthParts): void {
  const { pool, sessions, resets, session, device } = parts;

  serve('GET /api/auth/validate-token', async ({ request }) => {
    const token = session.read(request);
    const caller = token === undefined ? undefined : await sessions.find(token, visitorOf(request));
    if (caller) return { isAuthenticated: true, user: userOf(caller) };
    const isOfDisabled = token !== undefined && (await sessions.isOfDisabled(token));
    return { isAuthenticated: false, ...(isOfDisabled && { message: ORGANIZATION_DISABLED }) };
  });

  serve('POST /api/auth/login', async ({ body, request, reply }) => {
    const email = body.email.toLowerCase();
    const tries = await countTries(pool, device, request, 'login', email);
    const account = await findAccount(pool, email);
    if (!(await passwordMatches(account?.passwordHash, body.password, tries.by)) || !account) {
      throw new ProblemError('bad_credentials', 'Login failed. Please check your credentials.');
    }
    await tries.succeeded();
    await requireLocalSignIn(pool, account.accountId);
    const hasShown = await passSecondFactor(parts, account, body.totp, request, reply);
    const caller = await enter(parts, account, hasShown, request, reply);
    return { message: 'Ingelogd.', user: userOf(caller) };
  });

  secondStepRoutes(serve, parts);

  serve('POST /api/auth/register', async ({ body, request }) => {
    const email = body.email.toLowerCase();
    await requireNewPassword(body.password, { email });
    const tries = await countTries(pool, device, request, 'register', email);
    await register(pool, body, tries.by);
    await tries.succeeded();
    return { message: 'Je account is gemaakt. Je kunt nu inloggen.' };
  });

  serve('POST /api/auth/forgot-password', async ({ body, request }) => {
    const email = body.email.toLowerCase();
    await countTries(pool, device, request, 'forgot', email);
    await resets.request(pool, email);
    return { message: 'A reset code has been sent to your email.' };
  });

  serve('POST /api/auth/logout', async ({ request, reply }) => {
    const token = session.read(request);
    if (token !== undefined) await sessions.end(token);
    session.clear(reply);
    // Photos and manuals too, and what other tabs stored; the device's cookie stays. Over plain http browsers do not heed
    // it: the page itself removes what it keeps.
    reply.header('clear-site-data', '"cache", "storage"');
    return { message: 'Uitgelogd.' };
  });
}

async function findAccount(db: Database, email: string): Promise<SigningIn | undefined> {
  const { rows } = await db.query<SigningIn>(
    'select id as "accountId", email, password_hash as "passwordHash" from account where lower(email) = $1',
    [email],
  );
  return rows[0];
}
