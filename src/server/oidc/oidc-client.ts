import { LRUCache } from 'lru-cache';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockSkew,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ServerMetadata,
} from 'openid-client';
import { type Outbound, OutboundError, type OutboundRequest } from '#server/platform/outbound.ts';
import type { OidcOutcome } from '#shared/domain/oidc.ts';
import type { Provider } from './providers.store.ts';

/** Who somebody is to a provider, by its word. */
export type Claims = {
  readonly issuer: string;
  readonly subject: string;
  /** Theirs, as the provider confirms; undefined where it does not. */
  readonly email: string | undefined;
};

/** What must come back as it went. */
export type Checks = { readonly state: string; readonly nonce: string; readonly codeVerifier: string };

/** Characters; an issuer may call itself anything. */
const MAX_MESSAGE_LENGTH = 300;

/** The way to the provider and back did not end well. The message is for a log, and holds nothing that somebody typed. */
export class OidcError extends Error {
  override readonly name = 'OidcError';
  readonly outcome: OidcOutcome;
  /** Why there was no answer. */
  readonly out: OutboundError['reason'] | undefined;
  constructor(outcome: OidcOutcome, message: string, out?: OutboundError['reason']) {
    super(message.slice(0, MAX_MESSAGE_LENGTH));
    this.outcome = outcome;
    this.out = out;
  }
}

export type OidcClient = {
  /** The issuer as its own metadata writes it, which are asked anew. @throws OidcError */
  check(issuer: string): Promise<string>;
  /** Where the browser goes. @throws OidcError */
  begin(
    provider: Provider,
    redirectUri: string,
    loginHint?: string,
  ): Promise<{ url: string; checks: Checks }>;
  /** Who came back there. `current`: the address with all of its query. @throws OidcError */
  complete(provider: Provider, current: URL, checks: Checks): Promise<Claims>;
};

/** For the whole of a step: each request of it has as long (platform/outbound.ts). */
const TIMEOUT_MS = 10_000;
const METADATA_MS = 5 * 60_000;
const MOST_ISSUERS = 1_000;
/** Characters (OpenID Connect Core 1.0, section 2). */
const LONGEST_SUBJECT = 255;
const CANCELLED = new Set(['access_denied', 'login_required', 'consent_required', 'interaction_required']);
const LATER = new Set(['temporarily_unavailable', 'server_error']);
/** Error codes of an authorization response: RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6. Anybody can write another one into the address. */
const ERROR_CODES: ReadonlySet<string> = new Set([
  ...CANCELLED,
  ...LATER,
  'invalid_request',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'account_selection_required',
  'invalid_request_uri',
  'invalid_request_object',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
]);

/**
 * Authorization code with PKCE, state and nonce. Where the provider is stands in its metadata, which are kept for five
 * minutes; its keys are asked each time, so that new ones count at once, and the ID token's signature is checked
 * although it came over TLS.
 */
export function openOidcClient(outbound: Outbound, now: () => number): OidcClient {
  const known = new LRUCache<string, ServerMetadata>({ max: MOST_ISSUERS, ttl: METADATA_MS });

  /** By our way out, all of a step in one time. */
  function fetchBy(late: AbortSignal) {
    return (url: string, asked: { body?: unknown; method: string; headers: Record<string, string> }) =>
      outbound.fetch(url, {
        method: asked.method,
        headers: asked.headers,
        body: asked.body as OutboundRequest['body'] & {},
        signal: late,
      });
  }

  async function metadataOf(issuer: string, late: AbortSignal): Promise<ServerMetadata> {
    const found = await discovery(new URL(issuer), 'unused', undefined, undefined, {
      [customFetch]: fetchBy(late),
      timeout: TIMEOUT_MS / 1000,
      execute: isPlain(issuer) ? [allowInsecureRequests] : [],
    });
    const metadata = found.serverMetadata();
    // Of one that speaks for many (a tenant's name to be filled in) nobody would know whose people come.
    if (new URL(metadata.issuer).href !== new URL(issuer).href)
      throw new OidcError('refused', `it calls itself ${metadata.issuer}`);
    known.set(issuer, metadata);
    return metadata;
  }

  async function configurationOf(provider: Provider, late: AbortSignal): Promise<Configuration> {
    const metadata = known.get(provider.issuer) ?? (await metadataOf(provider.issuer, late));
    const ways = metadata.token_endpoint_auth_methods_supported;
    const authentication = ways?.includes('client_secret_post') ? ClientSecretPost : ClientSecretBasic;
    const configuration = new Configuration(
      metadata,
      provider.clientId,
      { [clockSkew]: Math.round((now() - Date.now()) / 1000) },
      authentication(provider.clientSecret),
    );
    configuration[customFetch] = fetchBy(late);
    configuration.timeout = TIMEOUT_MS / 1000;
    if (isPlain(provider.issuer)) allowInsecureRequests(configuration);
    enableNonRepudiationChecks(configuration);
    return configuration;
  }

  return {
    check: (issuer) => inTime(async (late) => (await metadataOf(issuer, late)).issuer),

    begin: (provider, redirectUri, loginHint) =>
      inTime(async (late) => {
        const configuration = await configurationOf(provider, late);
        const checks = {
          state: randomState(),
          nonce: randomNonce(),
          codeVerifier: randomPKCECodeVerifier(),
        };
        const url = buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: 'openid email',
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await calculatePKCECodeChallenge(checks.codeVerifier),
          code_challenge_method: 'S256',
          ...(loginHint !== undefined && { login_hint: loginHint }),
        });
        return { url: url.href, checks };
      }),

    complete: (provider, current, { state, nonce, codeVerifier }) =>
      inTime(async (late) => {
        const configuration = await configurationOf(provider, late);
        const tokens = await authorizationCodeGrant(configuration, current, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims || claims.iss !== provider.issuer) throw new OidcError('refused', 'another issuer');
        if (claims.sub.length > LONGEST_SUBJECT) throw new OidcError('refused', 'a subject that is too long');
        // Many tell the address to who asks with the token only.
        const told =
          claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
            ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims;
        return { issuer: claims.iss, subject: claims.sub, email: confirmedEmail(told) };
      }),
  };
}

const isPlain = (issuer: string): boolean => new URL(issuer).protocol === 'http:';

/**
 * Only an address that the provider confirms: anybody can write any address into their profile. `xms_edov` is how Entra
 * ID says so.
 */
function confirmedEmail(told: Readonly<Record<string, unknown>>): string | undefined {
  const isConfirmed =
    [true, 'true'].includes(told.email_verified as never) || [true, '1', 1].includes(told.xms_edov as never);
  return isConfirmed && typeof told.email === 'string' ? told.email.trim() : undefined;
}

async function inTime<T>(step: (late: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await step(AbortSignal.timeout(TIMEOUT_MS));
  } catch (error) {
    throw asOidcError(error);
  }
}

function asOidcError(error: unknown): OidcError {
  if (error instanceof OidcError) return error;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof OutboundError) return new OidcError('unreachable', cause.message, cause.reason);
  if (error instanceof AuthorizationResponseError) {
    if (CANCELLED.has(error.error)) return new OidcError('cancelled', error.error);
    return new OidcError(
      LATER.has(error.error) ? 'unreachable' : 'refused',
      ERROR_CODES.has(error.error)
        ? `the provider says ${error.error}`
        : 'the provider says an unknown error code',
    );
  }
  return new OidcError('refused', error instanceof Error ? error.message : String(error));
}
