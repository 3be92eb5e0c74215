import type { FastifyInstance } from 'fastify';

const DAY_MS = 24 * 3_600_000;
/** A year is the most that is advised (RFC 9116, 2.5.5); whoever runs the portal keeps the setting right. */
const VALID_DAYS = 180;

/**
 * GET /.well-known/security.txt (RFC 9116): whom to tell of a hole. 404 without a contact: the first administrator's address,
 * with which somebody signs in, is nothing to tell the world.
 * @param contact an address, as SECURITY_CONTACT has it
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
