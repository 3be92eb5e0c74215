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
import { type OutboundClient, OutboundError, type OutboundRequest } from '#server/platform/outbound.ts';
import type { OidcOutcome } from '#shared/domain/oidc.ts';
import type { Provider } from './providers.store.ts';

/** Claims of a provider about a person. */
export type IdentityClaims = {
  readonly issuer: string;
  readonly subject: string;
  /** The person's e-mail, when the provider confirms it. */
  readonly email: string | undefined;
};

/** Values of a started sign-in that the provider's response must match. */
export type ExpectedCallbackValues = {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
};

/** Maximum length of an error message, so that an issuer cannot fill the log. */
const MAX_MESSAGE_LENGTH = 300;

/** A failed sign-in at the provider. The message is for the log and contains no input of the person. */
export class OidcError extends Error {
  override readonly name = 'OidcError';
  readonly outcome: OidcOutcome;
  /** Why the provider gave no answer; undefined if it gave one. */
  readonly out: OutboundError['reason'] | undefined;
  constructor(outcome: OidcOutcome, message: string, out?: OutboundError['reason']) {
    super(message.slice(0, MAX_MESSAGE_LENGTH));
    this.outcome = outcome;
    this.out = out;
  }
}

export type OidcClient = {
  /** Returns the issuer as spelled in its metadata, which are fetched now. @throws OidcError */
  check(issuer: string): Promise<string>;
  /** Returns the address at the provider to which the browser is redirected. @throws OidcError */
  begin(
    provider: Provider,
    redirectUri: string,
    loginHint?: string,
  ): Promise<{ url: string; checks: ExpectedCallbackValues }>;
  /**
   * Returns the claims about the person whom the provider redirected back.
   * @param current the address to which the provider redirected, with its query
   * @throws OidcError
   */
  complete(provider: Provider, current: URL, checks: ExpectedCallbackValues): Promise<IdentityClaims>;
};

/** Time limit of one call of OidcClient for all its requests together. A single request has an equal limit (platform/outbound.ts). */
const TIMEOUT_MS = 10_000;
const METADATA_MS = 5 * 60_000;
const MAX_ISSUERS = 1_000;
/** Maximum length of a subject in characters (OpenID Connect Core 1.0, section 2). */
const MAX_SUBJECT_LENGTH = 255;
const CANCELLED = new Set(['access_denied', 'login_required', 'consent_required', 'interaction_required']);
const LATER = new Set(['temporarily_unavailable', 'server_error']);
/**
 * Error codes of an authorization response: RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6. Other codes are not logged, because
 * anyone can put them into the address.
 */
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
 * Opens a client for the authorization code flow with PKCE, state and nonce. Metadata are cached for five minutes; keys are
 * fetched each time, so that new ones work at once. The ID token's signature is checked, although the token came over TLS.
 */
export function openOidcClient(outbound: OutboundClient, now: () => number): OidcClient {
  const known = new LRUCache<string, ServerMetadata>({ max: MAX_ISSUERS, ttl: METADATA_MS });

  /** Returns a function that fetches through the portal's outbound client, until `late` aborts the request. */
  function fetchWithin(late: AbortSignal) {
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
      [customFetch]: fetchWithin(late),
      timeout: TIMEOUT_MS / 1000,
      execute: isPlain(issuer) ? [allowInsecureRequests] : [],
    });
    const metadata = found.serverMetadata();
    // Rejects multi-tenant issuers, whose metadata have a placeholder for the tenant: such an issuer does not identify the
    // organization whose people sign in.
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
    configuration[customFetch] = fetchWithin(late);
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
        if (claims.sub.length > MAX_SUBJECT_LENGTH)
          throw new OidcError('refused', 'a subject that is too long');
        // Many providers return the address only from the userinfo endpoint.
        const userInfo =
          claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
            ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims;
        return { issuer: claims.iss, subject: claims.sub, email: confirmedEmail(userInfo) };
      }),
  };
}

const isPlain = (issuer: string): boolean => new URL(issuer).protocol === 'http:';

/**
 * Returns the e-mail only when the provider confirms it, because people can enter any address in their profile. Entra ID
 * confirms it by `xms_edov`.
 */
function confirmedEmail(userInfo: Readonly<Record<string, unknown>>): string | undefined {
  const isConfirmed =
    [true, 'true'].includes(userInfo.email_verified as never) ||
    [true, '1', 1].includes(userInfo.xms_edov as never);
  return isConfirmed && typeof userInfo.email === 'string' ? userInfo.email.trim() : undefined;
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
