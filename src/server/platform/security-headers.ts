import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';

/** Browser features that the portal's own pages use. */
const USED_FEATURES = [
  'geolocation', // the map and the overview, on request
  'clipboard-write', // buttons that copy a secret, an address or a position
  'publickey-credentials-create', // passkeys
  'publickey-credentials-get',
];
/**
 * Browser features that no page may use: all features that every Chromium version knows, because an unknown name is an error on its
 * console.
 */
const UNUSED_FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'sync-xhr',
  'usb',
  'xr-spatial-tracking',
];
const PERMISSIONS_POLICY = [
  ...USED_FEATURES.map((feature) => `${feature}=(self)`),
  ...UNUSED_FEATURES.map((feature) => `${feature}=()`),
].join(', ');

/** Adds headers to every answer of the routes that are registered afterwards, including answers that a route writes to the socket. */
export function addSecurityHeaders(app: FastifyInstance, headers: Headers): void {
  const all = Object.entries(headers);
  app.addHook('onRequest', (_request, reply, done) => {
    for (const [name, value] of all) reply.raw.setHeader(name, value);
    done();
  });
}

/** Returns helmet's options for a strict policy: no foreign hosts, no frames, no inline scripts. */
function helmetOptions(secure: boolean): FastifyHelmetOptions {
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
    // Addresses contain serial numbers and, in mailed links, tokens.
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  };
}

export type Headers = Readonly<Record<string, string>>;

/**
 * Returns the security headers by name, for use in every answer. Helmet's plugin would parse its options at each request, which takes a
 * tenth of the time of a small answer.
 * @param secure whether the portal is served over https
 */
export async function securityHeaders(secure: boolean): Promise<Headers> {
  const probe = Fastify();
  await probe.register(helmet, helmetOptions(secure));
  probe.get('/', (_request, reply) => reply.code(204).send());
  const { headers } = await probe.inject('/');
  await probe.close();
  const given = Object.entries(headers).filter(([name]) => !['connection', 'date'].includes(name));
  return {
    ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    'permissions-policy': PERMISSIONS_POLICY,
  };
}
