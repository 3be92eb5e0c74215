import type { FastifyInstance } from 'fastify';

const DAY_MS = 24 * 3_600_000;
/** Days from the request to the time in the field Expires. RFC 9116, 2.5.5, advises at most a year. */
const VALID_DAYS = 180;

/**
 * Serves GET /.well-known/security.txt (RFC 9116) with the security contact. Answers 404 if the setting is absent: the first
 * administrator's address must not be public, because it is a login.
 * @param contact the setting SECURITY_CONTACT, an e-mail address
 */
export function securityTxtRoutes(
  app: FastifyInstance,
  { contact, publicUrl, now }: { contact: string | undefined; publicUrl: string; now: () => number },
): void {
  app.get('/.well-known/security.txt', (_request, reply) => {
    if (contact === undefined) return reply.callNotFound();
    const day = Math.floor(now() / DAY_MS) + VALID_DAYS;
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(
        [
          `Contact: ${contact}`,
          `Expires: ${new Date(day * DAY_MS).toISOString()}`,
          'Preferred-Languages: nl, en',
          `Canonical: ${publicUrl}/.well-known/security.txt`,
          '',
        ].join('\n'),
      );
  });
}
