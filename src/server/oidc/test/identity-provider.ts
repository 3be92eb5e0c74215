import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import Provider, { type Configuration } from 'oidc-provider';

export const CLIENT_ID = 'werkstroom';
export const CLIENT_SECRET = 'kanarie-clientgeheim-7391';

/** A real OpenID provider (npm's oidc-provider) on loopback. Its sign-in page has a field for the subject and two buttons. */
export type IdentityProvider = {
  readonly issuer: string;
  /** Claims of the people, by subject. A subject that is not listed has the confirmed address `subject@bedrijf.example`. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>;
  /** How the provider fails; undefined: it answers. */
  trouble: 'slow' | 'broken' | undefined;
  /** Claims that replace those of its ID tokens. */
  lies: Readonly<Record<string, unknown>> | undefined;
  /** Whether it signs ID tokens with a foreign key. */
  isForger: boolean;
  isUnsigned: boolean;
  /** Whether its metadata name another issuer. */
  isImpostor: boolean;
  /** Paths of the requests it received. */
  readonly asked: string[];
  changeKeys(): void;
  /** Closes its port; `start` opens it again. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

/** Starts the provider. @param redirectUris callback addresses of the portals that use it */
export async function startIdentityProvider(redirectUris: readonly string[]): Promise<IdentityProvider> {
  let key = newKey();
  let provider: Provider | undefined;
  let server: Server | undefined;
  let port = 0;

  const own: IdentityProvider = {
    get issuer() {
      return `http://localhost:${port}`;
    },
    people: new Map(),
    trouble: undefined,
    lies: undefined,
    isForger: false,
    isUnsigned: false,
    isImpostor: false,
    asked: [],
    changeKeys() {
      key = newKey();
      provider = open();
    },
    async stop() {
      server?.closeAllConnections();
      await new Promise((closed) => server?.close(closed));
    },
    async start() {
      server = createServer((request, response) => void serve(request, response));
      await new Promise<void>((listening) => server?.listen(port, '127.0.0.1', listening));
      port = (server.address() as AddressInfo).port;
      provider ??= open();
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?', 1)[0] ?? '';
    own.asked.push(path);
    if (own.trouble === 'slow') await setTimeout(60_000, undefined, { ref: false });
    if (own.trouble === 'broken') response.writeHead(500).end('<html>');
    else if (path.startsWith('/interaction/')) await interact(request, response);
    else provider?.callback()(request, response);
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.setHeader('content-type', 'text/html').end(PAGE);
    let form = '';
    for await (const chunk of request) form += chunk;
    const fields = new URLSearchParams(form);
    const result = fields.has('cancel')
      ? { error: 'access_denied' }
      : { login: { accountId: fields.get('who') ?? '' } };
    await provider?.interactionFinished(request, response, result);
  }

  function open(): Provider {
    const configuration: Configuration = {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [...redirectUris],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: {
        keys: [{ ...key.export({ format: 'jwk' }), kid: `key ${++keys}`, use: 'sig', alg: 'RS256' } as never],
      },
      cookies: { keys: ['of a test'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov'] },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      ttl: { Session: 3600, Grant: 3600, AccessToken: 600, IdToken: 600, Interaction: 600 },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => ({
          sub,
          ...(own.people.get(sub) ?? { email: `${sub}@bedrijf.example`, email_verified: true }),
        }),
      }),
      // Grants consent to everything that the portal requests.
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId as string,
          accountId: oidc.session?.accountId as string,
        });
        grant.addOIDCScope('openid email');
        await grant.save();
        return grant;
      },
    };
    const opened = new Provider(own.issuer, configuration);
    opened.use(async (context, next) => {
      await next();
      const { body } = context as { body: { id_token?: string; issuer?: string } };
      if (own.isImpostor && context.path.startsWith('/.well-known/')) body.issuer = 'https://elders.example';
      if (context.path !== '/token' || body.id_token === undefined) return;
      if (own.lies || own.isForger)
        body.id_token = changed(body.id_token, own.lies ?? {}, own.isForger ? newKey() : key);
      if (own.isUnsigned) body.id_token = unsigned(body.id_token);
    });
    return opened;
  }

  await own.start();
  return own;
}

let keys = 0;
const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/** Returns the ID token with the claims in `lies` in place of its own, signed by `key`. */
function changed(token: string, lies: Readonly<Record<string, unknown>>, key: KeyObject): string {
  const [head = '', payload = ''] = token.split('.');
  const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...lies };
  const text = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${text}.${createSign('sha256').update(text).sign(key, 'base64url')}`;
}

/** Returns the token's claims under `alg: none`, without a signature. */
const unsigned = (token: string): string =>
  `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${token.split('.')[1]}.`;

const PAGE = `<!doctype html><html lang="nl"><meta name="viewport" content="width=device-width"><title>Inlogdienst</title>
<link rel="icon" href="data:,"><h1>Inlogdienst van de test</h1><form method="post"><label>Wie <input name="who"></label>
<button name="ok" value="1">Doorgaan</button> <button name="cancel" value="1">Afbreken</button></form></html>`;
