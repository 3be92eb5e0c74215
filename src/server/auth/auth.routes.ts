import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#server/platform/database.ts';
import { forbidden, ProblemError } from '#server/platform/problem.ts';
import { countTry, forgetTries } from '#server/platform/rate-limit.ts';
import type { Serve } from '#server/platform/serve.ts';
import { passwordMatches } from './passwords.ts';
import { type Caller, SESSION_DAYS, type Sessions } from './sessions.ts';

/** The session cookie: http-only, same-site (AUTH-10); over https Secure, and pinned to this host by its name. */
export type SessionCookie = {
  read(request: FastifyRequest): string | undefined;
  write(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
};

export function sessionCookie(secure: boolean): SessionCookie {
  const name = secure ? '__Host-werkstroom' : 'werkstroom';
  const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
  return {
    read: (request) => request.cookies[name],
    write: (reply, token) => void reply.setCookie(name, token, { ...options, maxAge: SESSION_DAYS * 86_400 }),
    clear: (reply) => void reply.clearCookie(name, options),
  };
}

// Tries per 15 minutes. Per account and address first, so that nobody can lock another out from elsewhere.
const TRIES_PER_ACCOUNT_AND_ADDRESS = 10;
const TRIES_PER_ACCOUNT = 100;
const TRIES_PER_ADDRESS = 200;

const userOf = ({ email, organization, cleanorg, isBerende }: Omit<Caller, 'scope'>) => ({
  email,
  organization,
  cleanorg,
  isBerende,
});

/** Specification section 7, Auth. */
export function authRoutes(
  serve: Serve<Caller>,
  db: Database,
  sessions: Sessions,
  cookie: SessionCookie,
): void {
  serve('GET /api/auth/validate-token', async ({ request }) => {
    const token = cookie.read(request);
    const caller = token === undefined ? undefined : await sessions.find(token);
    return caller ? { isAuthenticated: true, user: userOf(caller) } : { isAuthenticated: false };
  });

  serve('POST /api/auth/login', async ({ body, request, reply }) => {
    const email = body.email.toLowerCase();
    const here = `login ${email} ${request.ip}`;
    await countTry(db, [
      { key: here, tries: TRIES_PER_ACCOUNT_AND_ADDRESS },
      { key: `login ${email}`, tries: TRIES_PER_ACCOUNT },
      { key: `login from ${request.ip}`, tries: TRIES_PER_ADDRESS },
    ]);
    const { rows } = await db.query<Omit<Caller, 'scope'> & { passwordHash: string; isActive: boolean }>(
      `select a.id as "accountId", a.email, a.password_hash as "passwordHash", o.id as "organizationId",
         o.name as organization, o.clean as cleanorg, o.is_berende as "isBerende", o.is_active as "isActive"
       from account a join organization o on o.id = a.organization_id where lower(a.email) = $1`,
      [email],
    );
    const account = rows[0];
    if (!(await passwordMatches(account?.passwordHash, body.password)) || !account) {
      throw new ProblemError('bad_credentials', 'Login failed. Please check your credentials.');
    }
    if (!account.isActive) throw forbidden('Uw organisatie is uitgeschakeld. Vraag het uw beheerder.');
    await forgetTries(db, here);
    // A new session for every sign-in; the one that this browser had ends.
    const before = cookie.read(request);
    if (before !== undefined) await sessions.end(before);
    cookie.write(reply, await sessions.create(account.accountId));
    return { message: 'Ingelogd.', user: userOf(account) };
  });

  serve('POST /api/auth/logout', async ({ request, reply }) => {
    const token = cookie.read(request);
    if (token !== undefined) await sessions.end(token);
    cookie.clear(reply);
    return { message: 'Uitgelogd.' };
  });
}
