import type { FastifyInstance } from 'fastify';
import { invalid } from '#server/platform/problem.ts';
import type { Serve } from '#server/platform/serve.ts';

/** What a mail program may do for its reader (RFC 8058). */

/** Mails of one kind, which their tokens tell from others. */
export type OneClick = {
  isOf(token: string): boolean;
  /** Ends what the token is of, and says so. Safe to repeat. */
  end(token: string): Promise<string>;
  /** Where people end it. */
  page(token: string): string;
};

/** 'List-Unsubscribe=One-Click', as a form. */
const FORM_LIMIT = 16 * 1024;

/** @param app of these calls alone, for only they take forms */
export function oneClickRoutes<Caller>(
  app: FastifyInstance,
  serve: Serve<Caller>,
  kinds: readonly OneClick[],
  publicUrl: string,
): void {
  // The token says all; what the form says is read and dropped.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FORM_LIMIT }, (_request, _body, done) =>
    done(null),
  );
  const kindOf = (token: string): OneClick => {
    const kind = kinds.find(({ isOf }) => isOf(token));
    if (!kind) throw invalid('Deze link is niet geldig.');
    return kind;
  };
  serve('POST /api/mail/unsubscribe/:token', async ({ params: { token } }) => ({
    message: await kindOf(token).end(token),
  }));
  serve('GET /api/mail/unsubscribe/:token', async ({ params: { token }, reply }) =>
    reply.redirect(publicUrl + kindOf(token).page(token), 303),
  );
}
