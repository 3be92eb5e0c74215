import type { FastifyReply, FastifyRequest } from 'fastify';
import { completeSignIn } from '#server/auth/complete-sign-in.ts';
import type { TokenCookie } from '#server/auth/cookies.ts';
import { countTries } from '#server/auth/login-limits.ts';
import { openNotifyOwner } from '#server/auth/notify-owner.ts';
import { passwordMatches } from '#server/auth/passwords.ts';
import { passSecondFactor, type SecondStepParts, type SigningIn } from '#server/auth/second-step.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { readOffer } from '#server/invitations/accept-invitation.ts';
import { invitationHash } from '#server/invitations/invitation-mails.ts';
import { whoAsks } from '#server/platform/audit.ts';
import { type Guess, guessOf, notFound, ProblemError, wrongGuess } from '#server/platform/problem.ts';
import { countTry } from '#server/platform/rate-limit.ts';
import type { Refusals } from '#server/platform/refusals.ts';
import type { Serve } from '#server/platform/serve.ts';
import { networkOf } from '#server/platform/visitor-address.ts';
import { domainOf, factorsHash, OIDC_OUTCOMES, type OidcOutcome, outcomeHash } from '#shared/domain/oidc.ts';
import { type Arrived, arrive, arriveInvited } from './arrivals.ts';
import {
  beginAttempt,
  endArrival,
  findArrival,
  noteArrival,
  type Purpose,
  takeAttempt,
} from './attempts.store.ts';
import { findByIdentity, linkIdentity } from './identities.store.ts';
import { type Claims, type OidcClient, OidcError } from './oidc-client.ts';
import { findProviderOf, findProviderOfDomain, type Provider } from './providers.store.ts';

export type OidcParts = SecondStepParts & {
  readonly oidc: OidcClient;
  readonly attempt: TokenCookie;
  readonly refusals: Refusals;
};

const CALLBACK = 'GET /api/auth/oidc/callback/:organization';
/** What is no refusal: it worked, it goes on here, or the provider or the person ended it. */
const NOT_REFUSED: ReadonlySet<OidcOutcome> = new Set([
  'linked',
  'waits',
  'exists',
  'cancelled',
  'unreachable',
]);

/** In 15 minutes, of one address: an office of that size signs in by its provider in the morning. */
const STARTS_PER_ADDRESS = 300;

/** Signing in by an organization's own provider. */
export function oidcSignInRoutes(serve: Serve<Caller>, parts: OidcParts): void {
  const { pool, secrets, oidc, device, attempt, refusals, publicUrl } = parts;
  const notifyOwner = openNotifyOwner(parts);

  serve('GET /api/auth/oidc', async ({ query }) => {
    const domain = domainOf(`@${query.domain}`);
    const provider = domain === undefined ? undefined : await findProviderOfDomain(pool, secrets, domain);
    return { isOffered: provider !== undefined, isOnly: provider?.isOnly ?? false };
  });

  const countStart = (ip: string) =>
    countTry(pool, [{ key: `oidc from ${networkOf(ip)}`, tries: STARTS_PER_ADDRESS }]);

  serve('POST /api/auth/oidc/start', async ({ body, request, reply }) => {
    await countStart(request.ip);
    const domain = domainOf(body.email);
    const provider = domain === undefined ? undefined : await findProviderOfDomain(pool, secrets, domain);
    if (!provider)
      throw notFound('Met dit adres kun je niet inloggen via een organisatie. Log in met je wachtwoord.');
    return begin(parts, provider, request, reply, { loginHint: body.email });
  });

  serve('POST /api/auth/oidc/invitation', async ({ body: { token }, request, reply }) => {
    await countStart(request.ip);
    const { organizationId, email } = await readOffer(pool, token);
    const provider = await findProviderOf(pool, secrets, organizationId);
    if (!provider) throw notFound('Deze organisatie heeft geen eigen inlogdienst. Kies een wachtwoord.');
    const purpose = { loginHint: email, invitation: invitationHash(token) };
    return begin(parts, provider, request, reply, purpose);
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
    const arrival = token === undefined ? undefined : await findArrival(pool, token);
    if (!arrival || token === undefined) throw wrongGuess(new ProblemError('conflict', OIDC_OUTCOMES.again));
    const tries = await countTries(pool, device, request, 'login', arrival.email).catch(guessOf(arrival));
    if (!(await passwordMatches(arrival.passwordHash, body.password, tries.by)))
      throw wrongGuess(
        new ProblemError('bad_credentials', 'Dit is niet het wachtwoord van dat account.'),
        arrival,
      );
    await tries.succeeded();
    const taken = () => wrongGuess(new ProblemError('conflict', OIDC_OUTCOMES.taken), arrival);
    const holder = await findByIdentity(pool, arrival);
    if (holder && holder.accountId !== arrival.accountId) throw taken();
    await endArrival(pool, token);
    attempt.clear(reply);
    // The link waits for the second factor of an account that has one (auth/second-step.ts).
    const hasPresentedFactor = await passSecondFactor(parts, arrival, undefined, request, reply, arrival);
    // Before the session: another account may have got the identity since it was looked up.
    if (!(await linkIdentity(pool, arrival.accountId, arrival, notifyOwner))) throw taken();
    await completeSignIn(parts, arrival, hasPresentedFactor, request, reply).catch(guessOf(arrival));
    return { message: 'Gekoppeld en ingelogd.' };
  });

  /** @returns the page where somebody who came back goes on */
  async function finish(
    token: string | undefined,
    organization: string,
    current: URL,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> {
    const state = current.searchParams.get('state') ?? '';
    const taken = token === undefined ? undefined : await takeAttempt(pool, token, organization, state);
    const provider = taken && (await findProviderOf(pool, secrets, taken.organizationId));
    if (!taken || !provider) return pageOf('/signin', 'again');
    const { accountId, invitation } = taken;
    const page = accountId !== undefined ? '/account' : invitation ? '/uitnodiging' : '/signin';
    let claims: Claims;
    try {
      claims = await oidc.complete(provider, current, taken.checks);
    } catch (error) {
      return pageOf(page, told(provider, request, error), { accountId });
    }
    if (accountId !== undefined)
      return pageOf(page, (await linkIdentity(pool, accountId, claims, notifyOwner)) ? 'linked' : 'taken', {
        accountId,
      });
    const arrived = invitation
      ? await arriveInvited(parts, provider, claims, invitation)
      : await arrive(parts, provider, claims);
    if (!('outcome' in arrived)) return signIn(arrived, claims, request, reply);
    return pageOf(page, arrived.outcome, { accountId: arrived.accountId, email: claims.email });
  }

  async function signIn(
    arrived: Exclude<Arrived, { outcome: OidcOutcome }>,
    claims: Claims,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> {
    if ('unlinked' in arrived) {
      attempt.write(reply, await noteArrival(pool, arrived.unlinked, claims));
      return pageOf('/signin', 'exists');
    }
    try {
      await pass(arrived.account, request, reply);
      return '/signin';
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.factors) return `/signin${factorsHash(error.factors)}`;
      if (error.code === 'forbidden') return pageOf('/signin', 'disabled', arrived.account);
      throw error;
    }
  }

  /** Where somebody is told what became of it. What is refused by a page is no problem that serve.ts would note. */
  function pageOf(page: string, outcome: OidcOutcome, { accountId, email = '' }: Guess = {}): string {
    const who = whoAsks() ?? { address: '', userAgent: undefined };
    if (!NOT_REFUSED.has(outcome))
      refusals.note({ action: 'session.refuse', who, accountId, email: email.toLowerCase(), call: CALLBACK });
    return page + outcomeHash(outcome);
  }

  /** The provider stands in for the password only: who has a second factor here shows it here. */
  async function pass(account: SigningIn, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const hasPresentedFactor = await passSecondFactor(parts, account, undefined, request, reply);
    await completeSignIn(parts, account, hasPresentedFactor, request, reply).catch(guessOf(account));
  }
}

/** Where an organization's provider sends people back: an address of its own, so that no other can send somebody there. */
export const redirectUriOf = (publicUrl: string, organization: string): string =>
  `${publicUrl}/api/auth/oidc/callback/${encodeURIComponent(organization)}`;

/**
 * Sends somebody to the provider.
 * @throws ProblemError with what is the matter there
 */
export async function begin(
  { pool, oidc, attempt, publicUrl }: OidcParts,
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  { loginHint, ...purpose }: Purpose & { readonly loginHint?: string },
): Promise<{ url: string }> {
  const redirectUri = redirectUriOf(publicUrl, provider.organization);
  const { url, checks } = await oidc.begin(provider, redirectUri, loginHint).catch((error: unknown) => {
    throw new ProblemError('bad_gateway', OIDC_OUTCOMES[told(provider, request, error)]);
  });
  const token = await beginAttempt(pool, provider.organizationId, checks, purpose);
  if (token === undefined) throw new ProblemError('conflict', OIDC_OUTCOMES.again);
  attempt.write(reply, token);
  return { url };
}

/** What a person may hear of a failure; the log has the rest. @throws what is none of the provider */
function told({ organization }: Provider, request: FastifyRequest, error: unknown): OidcOutcome {
  if (!(error instanceof OidcError)) throw error;
  const { outcome, message: reason } = error;
  if (outcome !== 'cancelled')
    request.log.warn({ organization, reason }, "Sign-in by an organization's provider failed");
  return outcome;
}
