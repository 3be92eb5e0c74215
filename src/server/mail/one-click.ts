import type { FastifyInstance } from 'fastify';
import type { OneClickUnsubscription } from '#server/platform/module.ts';
import { invalidInputError } from '#server/platform/problem.ts';
import type { ServeCall } from '#server/platform/serve.ts';

/** One-click unsubscription from mail programs (RFC 8058). */

/** Maximum size in bytes of the form 'List-Unsubscribe=One-Click'. */
const FORM_LIMIT = 16 * 1024;

/**
 * Registers the unsubscribe calls.
 * @param app a Fastify instance for these calls alone, because they accept forms and all other calls do not
 */
export function oneClickUnsubscribeRoutes<Caller>(
  app: FastifyInstance,
  serve: ServeCall<Caller>,
  kinds: readonly OneClickUnsubscription[],
  publicUrl: string,
): void {
  // The token identifies the subscription, so the form's content is ignored.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FORM_LIMIT }, (_request, _body, done) =>
    done(null),
  );
  const kindOf = (token: string): OneClickUnsubscription => {
    const kind = kinds.find(({ isOf }) => isOf(token));
    if (!kind) throw invalidInputError('Deze link is niet geldig.');
    return kind;
  };
  serve('POST /api/mail/unsubscribe/:token', async ({ params: { token } }) => ({
    message: await kindOf(token).end(token),
  }));
  serve('GET /api/mail/unsubscribe/:token', async ({ params: { token }, reply }) =>
    reply.redirect(publicUrl + kindOf(token).page(token), 303),
  );
}
