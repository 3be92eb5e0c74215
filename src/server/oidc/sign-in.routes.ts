import type { FastifyReply, FastifyRequest } from 'fastify';
import { completeSignIn } from '#server/auth/complete-sign-in.ts';
import type { TokenCookie } from '#server/auth/cookies.ts';
import { countSignInAttempt } from '#server/auth/login-limits.ts';
import { openNotifyOwner } from '#server/auth/notify-owner.ts';
import { passwordMatches } from '#server/auth/passwords.ts';
import {
  checkSecondFactor,
  type SecondStepDependencies,
  type SigningInAccount,
} from '#server/auth/second-step.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { readPendingInvitation } from '#server/invitations/accept-invitation.ts';
import { invitationHash } from '#server/invitations/invitation-mails.ts';
import { getCurrentRequest } from '#server/platform/audit.ts';
import {
  catchWrongGuess,
  type GuessedAccount,
  markWrongGuess,
  notFound,
  ProblemError,
} from '#server/platform/problem.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';
import type { Refusals } from '#server/platform/refusals.ts';
import type { ServeCall } from '#server/platform/serve.ts';
import { networkOf } from '#server/platform/visitor-address.ts';
import {
  emailDomainOf,
  factorKindsHash,
  OIDC_OUTCOME_TEXTS,
  type OidcOutcome,
  oidcOutcomeHash,
} from '#shared/domain/oidc.ts';
import {
  type AttemptPurpose,
  beginAttempt,
  consumeAttempt,
  deleteUnlinkedSignIn,
  findUnlinkedSignIn,
  storeUnlinkedSignIn,
} from './attempts.store.ts';
import { type CallbackResult, resolveCallback, resolveInvitedCallback } from './callback.ts';
import { findByIdentity, linkIdentity } from './identities.store.ts';
import { type IdentityClaims, type OidcClient, OidcError } from './oidc-client.ts';
import { findProviderOf, findProviderOfDomain, type Provider } from './providers.store.ts';

export type OidcRouteDependencies = SecondStepDependencies & {
  readonly oidc: OidcClient;
  readonly attempt: TokenCookie;
  readonly refusals: Refusals;
};

const CALLBACK = 'GET /api/auth/oidc/callback/:organization';
/** Outcomes that are not refusals: success, a further step at the portal, or an end by the provider or the person. */
const NOT_REFUSED: ReadonlySet<OidcOutcome> = new Set([
  'linked',
  'waits',
  'exists',
  'cancelled',
  'unreachable',
]);

/** Sign-ins that may start from one network address in 15 minutes: enough for an office of 300 people in the morning. */
const STARTS_PER_ADDRESS = 300;

/** Registers the calls with which people sign in through their organization's provider. */
export function oidcSignInRoutes(serve: ServeCall<Caller>, parts: OidcRouteDependencies): void {
  const { pool, secrets, oidc, device, attempt, refusals, publicUrl } = parts;
  const notifyOwner = openNotifyOwner(parts);

  serve('GET /api/auth/oidc', async ({ query }) => {
    const domain = emailDomainOf(`@${query.domain}`);
    const provider = domain === undefined ? undefined : await findProviderOfDomain(pool, secrets, domain);
    return { isOffered: provider !== undefined, isOnly: provider?.isOnly ?? false };
  });

  const countStart = (ip: string) =>
    countAttempt(pool, [{ key: `oidc from ${networkOf(ip)}`, tries: STARTS_PER_ADDRESS }]);

  serve('POST /api/auth/oidc/start', async ({ body, request, reply }) => {
    await countStart(request.ip);
    const domain = emailDomainOf(body.email);
    const provider = domain === undefined ? undefined : await findProviderOfDomain(pool, secrets, domain);
    if (!provider)
      throw notFound('Met dit adres kun je niet inloggen via een organisatie. Log in met je wachtwoord.');
    return beginOidcSignIn(parts, provider, request, reply, { loginHint: body.email });
  });

  serve('POST /api/auth/oidc/invitation', async ({ body: { token }, request, reply }) => {
    await countStart(request.ip);
    const { organizationId, email } = await readPendingInvitation(pool, token);
    const provider = await findProviderOf(pool, secrets, organizationId);
    if (!provider) throw notFound('Deze organisatie heeft geen eigen inlogdienst. Kies een wachtwoord.');
    const purpose = { loginHint: email, invitation: invitationHash(token) };
    return beginOidcSignIn(parts, provider, request, reply, purpose);
  });

  serve(CALLBACK, async ({ params, request, reply }) => {
    const token = attempt.read(request);
    const current = new URL(request.url, `${publicUrl}/`);
    attempt.clear(reply);
    const page = await finish(token, params.organization, current, request, reply);
    return reply.redirect(publicUrl + page, 303);
  });

  serve('POST /api/auth/oidc/confirm', async ({ body, request, reply }) => {
    const token = attempt.read(request);
    const unlinked = token === undefined ? undefined : await findUnlinkedSignIn(pool, token);
    if (!unlinked || token === undefined)
      throw markWrongGuess(new ProblemError('conflict', OIDC_OUTCOME_TEXTS.again));
    const tries = await countSignInAttempt(pool, device, request, 'login', unlinked.email).catch(
      catchWrongGuess(unlinked),
    );
    if (!(await passwordMatches(unlinked.passwordHash, body.password, tries.by)))
      throw markWrongGuess(
        new ProblemError('bad_credentials', 'Dit is niet het wachtwoord van dat account.'),
        unlinked,
      );
    await tries.succeeded();
    const taken = () => markWrongGuess(new ProblemError('conflict', OIDC_OUTCOME_TEXTS.taken), unlinked);
    const holder = await findByIdentity(pool, unlinked);
    if (holder && holder.accountId !== unlinked.accountId) throw taken();
    await deleteUnlinkedSignIn(pool, token);
    attempt.clear(reply);
    // An account that has a second factor must present it before the identity is linked (auth/second-step.ts).
    const hasPresentedFactor = await checkSecondFactor(parts, unlinked, undefined, request, reply, unlinked);
    // The identity is linked before the session begins, because another account may have got it in the meantime.
    if (!(await linkIdentity(pool, unlinked.accountId, unlinked, notifyOwner))) throw taken();
    await completeSignIn(parts, unlinked, hasPresentedFactor, request, reply).catch(
      catchWrongGuess(unlinked),
    );
    return { message: 'Gekoppeld en ingelogd.' };
  });

  /** Completes a callback. @returns the page to which the browser is redirected */
  async function finish(
    token: string | undefined,
    organization: string,
    current: URL,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> {
    const state = current.searchParams.get('state') ?? '';
    const taken = token === undefined ? undefined : await consumeAttempt(pool, token, organization, state);
    const provider = taken && (await findProviderOf(pool, secrets, taken.organizationId));
    if (!taken || !provider) return pageOf('/signin', 'again');
    const { accountId, invitation } = taken;
    const page = accountId !== undefined ? '/account' : invitation ? '/uitnodiging' : '/signin';
    let claims: IdentityClaims;
    try {
      claims = await oidc.complete(provider, current, taken.checks);
    } catch (error) {
      return pageOf(page, toOutcome(provider, request, error), { accountId });
    }
    if (accountId !== undefined)
      return pageOf(page, (await linkIdentity(pool, accountId, claims, notifyOwner)) ? 'linked' : 'taken', {
        accountId,
      });
    const result = invitation
      ? await resolveInvitedCallback(parts, provider, claims, invitation)
      : await resolveCallback(parts, provider, claims);
    if (!('outcome' in result)) return signIn(result, claims, request, reply);
    return pageOf(page, result.outcome, { accountId: result.accountId, email: claims.email });
  }

  async function signIn(
    result: Exclude<CallbackResult, { outcome: OidcOutcome }>,
    claims: IdentityClaims,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> {
    if ('unlinked' in result) {
      attempt.write(reply, await storeUnlinkedSignIn(pool, result.unlinked, claims));
      return pageOf('/signin', 'exists');
    }
    try {
      await completeOidcSignIn(result.account, request, reply);
      return '/signin';
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.factors) return `/signin${factorKindsHash(error.factors)}`;
      if (error.code === 'forbidden') return pageOf('/signin', 'disabled', result.account);
      throw error;
    }
  }

  /** Returns the page that shows the outcome. Logs a refusal here, because a redirect is not a problem that serve.ts would log. */
  function pageOf(
    page: string,
    outcome: OidcOutcome,
    { accountId, email = '' }: GuessedAccount = {},
  ): string {
    const who = getCurrentRequest() ?? { address: '', userAgent: undefined };
    if (!NOT_REFUSED.has(outcome))
      refusals.note({ action: 'session.refuse', who, accountId, email: email.toLowerCase(), call: CALLBACK });
    return page + oidcOutcomeHash(outcome);
  }

  /** Signs in. The provider replaces only the password: an account with a second factor must present it here. */
  async function completeOidcSignIn(
    account: SigningInAccount,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const hasPresentedFactor = await checkSecondFactor(parts, account, undefined, request, reply);
    await completeSignIn(parts, account, hasPresentedFactor, request, reply).catch(catchWrongGuess(account));
  }
}

/** Returns the callback address, one per organization, so that another organization's provider cannot redirect to it. */
export const redirectUriOf = (publicUrl: string, organization: string): string =>
  `${publicUrl}/api/auth/oidc/callback/${encodeURIComponent(organization)}`;

/**
 * Redirects the browser to the provider.
 * @throws ProblemError with the reason if the provider cannot be used
 */
export async function beginOidcSignIn(
  { pool, oidc, attempt, publicUrl }: OidcRouteDependencies,
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  { loginHint, ...purpose }: AttemptPurpose & { readonly loginHint?: string },
): Promise<{ url: string }> {
  const redirectUri = redirectUriOf(publicUrl, provider.organization);
  const { url, checks } = await oidc.begin(provider, redirectUri, loginHint).catch((error: unknown) => {
    throw new ProblemError('bad_gateway', OIDC_OUTCOME_TEXTS[toOutcome(provider, request, error)]);
  });
  const token = await beginAttempt(pool, provider.organizationId, checks, purpose);
  if (token === undefined) throw new ProblemError('conflict', OIDC_OUTCOME_TEXTS.again);
  attempt.write(reply, token);
  return { url };
}

/**
 * Returns the outcome that a person may see after a failure; the log has the details. @throws every error that the provider did not
 * cause
 */
function toOutcome({ organization }: Provider, request: FastifyRequest, error: unknown): OidcOutcome {
  if (!(error instanceof OidcError)) throw error;
  const { outcome, message: reason } = error;
  if (outcome !== 'cancelled')
    request.log.warn({ organization, reason }, "Sign-in through an organization's provider failed");
  return outcome;
}
