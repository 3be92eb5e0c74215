import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_DAYS } from './sessions.ts';
import { SECOND_STEP_MINUTES } from './sign-in-steps.ts';

/** A cookie that scripts and other sites cannot read: http-only and same-site; over https also Secure, with the prefix __Host-. */
export type TokenCookie = {
  readonly name: string;
  read(request: FastifyRequest): string | undefined;
  write(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
};

/** How long a browser stays known after its last sign-in. */
export const KNOWN_DEVICE_DAYS = 180;

/** Returns the cookie of the session (AUTH-10). */
export const sessionCookie = (secure: boolean): TokenCookie =>
  tokenCookie('werkstroom', SESSION_DAYS, secure);

/** Returns the cookie that recognizes a browser that signed in before. It gives no access (known-devices.ts). */
export const deviceCookie = (secure: boolean): TokenCookie =>
  tokenCookie('werkstroom-device', KNOWN_DEVICE_DAYS, secure);

/** Returns the cookie of a sign-in that has passed the password and waits for the second factor (sign-in-steps.ts). */
export const secondStepCookie = (secure: boolean): TokenCookie =>
  tokenCookie('werkstroom-step', SECOND_STEP_MINUTES / (24 * 60), secure);

/**
 * Returns the cookie of a sign-in at an identity provider, for ten minutes. `Lax`, because the provider redirects back with a
 * GET from another site.
 */
export const oidcAttemptCookie = (secure: boolean): TokenCookie =>
  tokenCookie('werkstroom-oidc', 10 / (24 * 60), secure, { sameSite: 'lax' });

function tokenCookie(
  plainName: string,
  days: number,
  secure: boolean,
  looser: { readonly sameSite?: 'lax' } = {},
): TokenCookie {
  const name = secure ? `__Host-${plainName}` : plainName;
  const strict = {
    path: '/',
    httpOnly: /*rule:cookie-http-only*/ true /*=false*/,
    sameSite: /*rule:cookie-same-site*/ 'strict' /*='none'*/,
    secure,
  } as const;
  const options = { ...strict, ...looser };
  return {
    name,
    read: (request) => request.cookies[name],
    write: (reply, token) =>
      void reply.setCookie(name, token, { ...options, maxAge: Math.round(days * 86_400) }),
    clear: (reply) => void reply.clearCookie(name, options),
  };
}
