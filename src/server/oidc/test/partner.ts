import type { LightMyRequestResponse } from 'fastify';
import { saveProvider } from '#server/oidc/providers.store.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { OidcOutcome } from '#shared/domain/oidc.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from './identity-provider.ts';
import { newProviderVisitor } from './visit.ts';

/** The result of a callback: the page, and the cookies that it set. */
export type CallbackPage = {
  readonly page: string;
  readonly session: string | undefined;
  readonly attempt: string | undefined;
  /** Cookie header with the session. */
  readonly cookie: string;
};
/** An account with its identity at a provider; null when it has none. */
type LinkedAccount = {
  readonly organization: string;
  readonly role: string;
  readonly issuer: string | null;
  readonly subject: string | null;
};

/** Returns the address to which a sign-in with this outcome redirects the browser. */
export const oidcOutcomeUrl = (outcome: OidcOutcome, page = '/signin'): string =>
  `http://localhost:3000${page}#oidc=${outcome}`;

type Way = { readonly back: string; readonly cookie: string };

/** A portal with an organization `bedrijf`, which has a real provider, and another organization `buren`. */
export type OidcPortal = {
  readonly portal: TestPortal;
  readonly provider: IdentityProvider;
  /** Id of `bedrijf`. */
  readonly id: number;
  /** Offset of the portal's clock in ms, which a test may change. */
  skewMs: number;
  /** Ends the provider's simulated failures. */
  calm(): void;
  offer(portal: TestPortal, organization: string, domain?: string): Promise<void>;
  start(email?: string): Promise<{ url: string; cookie: string; setCookie: string }>;
  /** Signs in at the provider, and stops before the portal's callback is called. */
  go(who: string | undefined, email?: string): Promise<Way>;
  /** Signs in at the provider for a signed-in person who links their account, and stops before the portal's callback is called. */
  link(who: string, session: string): Promise<Way>;
  /** Signs in at the provider for a person who accepts an invitation, and stops before the portal's callback is called. */
  accept(who: string | undefined, token: string): Promise<Way>;
  back(url: string, cookie: string, headers?: Record<string, string>): Promise<CallbackPage>;
  /** Signs in at the provider and calls the callback. */
  signIn(who: string | undefined): Promise<CallbackPage>;
  post(url: string, cookie: string, payload?: object): Promise<LightMyRequestResponse>;
  /** Returns the e-mail address of the account to whose session the cookie belongs. */
  emailOf(cookie: string): Promise<string | undefined>;
  accountsOf(email: string): Promise<LinkedAccount[]>;
  close(): Promise<void>;
};

export async function openOidcPortal(): Promise<OidcPortal> {
  const redirectUris = ['bedrijf', 'buren', 'admin'].map(
    (name) => `http://localhost:3000/api/auth/oidc/callback/${name}`,
  );
  const provider = await startIdentityProvider([
    ...redirectUris,
    'https://portaal.example.nl/api/auth/oidc/callback/bedrijf',
  ]);
  let skewMs = 0;
  const portal = await testPortal({ OUTBOUND_ALLOW_OIDC: provider.issuer }, () => Date.now() + skewMs);
  const { app, pool } = portal;

  async function offer(where: TestPortal, name: string, domain = 'bedrijf.example'): Promise<void> {
    const { rows } = await where.pool.query<{ id: number }>('select id from organization where name = $1', [
      name,
    ]);
    const organizationId = rows[0]?.id ?? (await where.organization(name));
    await saveProvider(where.pool, where.secrets, {
      organizationId,
      issuer: provider.issuer,
      domain,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
    });
  }
  const post = (url: string, cookie: string, payload: object = {}) =>
    app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'sec-fetch-site': 'same-origin', ...(cookie !== '' && { cookie }) },
    });
  const begun = (answer: LightMyRequestResponse) => {
    if (answer.statusCode !== 200) throw new Error(answer.body);
    const setCookie = String(answer.headers['set-cookie']);
    return { url: answer.json().url as string, setCookie, cookie: setCookie.split(';', 1)[0] as string };
  };
  const start = async (email = 'iemand@bedrijf.example') =>
    begun(await post('/api/auth/oidc/start', '', { email }));

  async function back(
    url: string,
    cookie: string,
    headers: Record<string, string> = {},
  ): Promise<CallbackPage> {
    const { pathname, search } = new URL(url);
    const answer = await app.inject({
      url: pathname + search,
      headers: { ...(cookie !== '' && { cookie }), ...headers },
    });
    if (answer.statusCode !== 303) throw new Error(`${answer.statusCode} ${answer.body}`);
    const cookies = new Map(
      [answer.headers['set-cookie'] ?? []]
        .flat()
        .map((line) => line.split(';', 1)[0]?.split('=') as [string, string]),
    );
    const session = cookies.get('werkstroom');
    const token = cookies.get('werkstroom-oidc');
    return {
      page: String(answer.headers.location),
      session,
      attempt: token ? `werkstroom-oidc=${token}` : undefined,
      cookie: `werkstroom=${session}`,
    };
  }
  const partner: OidcPortal = {
    portal,
    provider,
    id: await portal.organization('bedrijf'),
    get skewMs() {
      return skewMs;
    },
    set skewMs(ms) {
      skewMs = ms;
    },
    calm() {
      provider.trouble = undefined;
      provider.lies = undefined;
      provider.isForger = false;
      provider.isUnsigned = false;
      provider.isImpostor = false;
      skewMs = 0;
    },
    offer,
    start,
    async go(who, email) {
      const { url, cookie } = await start(email);
      return { back: await newProviderVisitor().visit(url, who), cookie };
    },
    async link(who, session) {
      const { url, cookie } = begun(await post('/api/account/oidc/link', session));
      return { back: await newProviderVisitor().visit(url, who), cookie };
    },
    async accept(who, token) {
      const { url, cookie } = begun(await post('/api/auth/oidc/invitation', '', { token }));
      return { back: await newProviderVisitor().visit(url, who), cookie };
    },
    back,
    async signIn(who) {
      const way = await partner.go(who);
      return back(way.back, way.cookie);
    },
    post,
    emailOf: async (cookie) => (await portal.get('/api/auth/validate-token', cookie)).json().user?.email,
    async accountsOf(email) {
      const { rows } = await pool.query<LinkedAccount>(
        `select o.name as organization, a.role, i.issuer, i.subject from account a
           join organization o on o.id = a.organization_id left join account_identity i on i.account_id = a.id
         where lower(a.email) = lower($1)`,
        [email],
      );
      return rows;
    },
    async close() {
      await portal.close();
      await provider.stop();
    },
  };
  const neighbours = await portal.organization('buren');
  await offer(portal, 'bedrijf');
  const { rows } = await pool.query<{ id: number }>(`select id from organization where name = 'admin'`);
  await portal.user('beheer@bedrijf.example', rows[0]?.id ?? (await portal.organization('admin')));
  await portal.user('buur@buren.example', neighbours);
  await portal.user('collega@bedrijf.example', partner.id);
  return partner;
}
