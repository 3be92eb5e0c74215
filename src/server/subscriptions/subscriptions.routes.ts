import type { FastifyInstance } from 'fastify';
import type { Caller } from '#server/auth/sessions.ts';
import { readUnsubscribeToken } from '#server/charging/unsubscribe-token.ts';
import type { Pool } from '#server/platform/database.ts';
import { invalid } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Serve } from '#server/platform/serve.ts';
import { endSubscription, isSubscribed, subscribe, unsubscribe } from './subscriptions.store.ts';

/** API-01, Mail subscription (MAIL-01, MDET-07). */
export function subscriptionRoutes(serve: Serve<Caller>, pool: Pool): void {
  serve('GET /api/mail/subscription-status', async ({ caller, query: { serialNumber } }) => ({
    isSubscribed: await isSubscribed(pool, caller, serialNumber),
  }));

  serve('POST /api/mail/subscribe', async ({ caller, body: { serialNumber } }) => {
    await subscribe(pool, caller, serialNumber);
    return { message: 'Je krijgt een mail als het laden begint, stopt of klaar is.' };
  });

  serve('POST /api/mail/unsubscribe', async ({ caller, body: { serialNumber } }) => {
    await unsubscribe(pool, caller, serialNumber);
    return { message: UNSUBSCRIBED };
  });
}

const UNSUBSCRIBED = 'Je krijgt geen mail meer over het laden van deze machine.';
/** 'List-Unsubscribe=One-Click', as a form. */
const FORM_LIMIT = 16 * 1024;

/** Mails of another kind, whose tokens are others. */
export type OneClick = {
  isOf(token: string): boolean;
  /** Ends what the token is of, and says so. Safe to repeat. */
  end(token: string): Promise<string>;
  /** Where people end it. */
  readonly page: string;
};

/** What a mail program may do for its reader (RFC 8058); `app`: of these calls alone, for only they take forms. */
export function oneClickRoutes(
  app: FastifyInstance,
  serve: Serve<Caller>,
  {
    pool,
    secrets,
    publicUrl,
    others,
  }: { pool: Pool; secrets: Secrets; publicUrl: string; others: readonly OneClick[] },
): void {
  // The token says all; what the form says is read and dropped.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FORM_LIMIT }, (_request, _body, done) =>
    done(null),
  );
  const subscriptionOf = (token: string) => {
    const subscription = readUnsubscribeToken(secrets, token);
    if (!subscription) throw invalid('Deze link is niet geldig.');
    return subscription;
  };

  serve('POST /api/mail/unsubscribe/:token', async ({ params: { token } }) => {
    const other = others.find(({ isOf }) => isOf(token));
    if (other) return { message: await other.end(token) };
    await endSubscription(pool, subscriptionOf(token));
    return { message: UNSUBSCRIBED };
  });

  serve('GET /api/mail/unsubscribe/:token', async ({ params: { token }, reply }) => {
    const other = others.find(({ isOf }) => isOf(token));
    if (other) return reply.redirect(publicUrl + other.page, 303);
    // Not what it is called now: whoever has the mail may see it no more.
    const { serial } = subscriptionOf(token);
    const page = serial === '' ? '/' : `/machine/${encodeURIComponent(serial)}?afmelden=1`;
    return reply.redirect(publicUrl + page, 303);
  });
}
