import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import Fastify from 'fastify';

/** A strict policy: no foreign host, no frame, no inline script. @param secure served over https */
export function helmetOptions(secure: boolean): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"], // Mantine and Leaflet set style attributes
        imgSrc: ["'self'", 'data:', 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  };
}

export type Headers = Readonly<Record<string, string>>;

/** The headers that helmet gives, by name; for answers that are made without Fastify's hooks. */
export async function securityHeaders(secure: boolean): Promise<Headers> {
  const probe = Fastify();
  await probe.register(helmet, helmetOptions(secure));
  probe.get('/', (_request, reply) => reply.code(204).send());
  const { headers } = await probe.inject('/');
  await probe.close();
  const given = Object.entries(headers).filter(([name]) => !['connection', 'date'].includes(name));
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
