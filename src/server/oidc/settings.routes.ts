import type { FastifyBaseLogger } from 'fastify';
import { openNotifyOwner } from '#server/auth/notify-owner.ts';
import type { Caller } from '#server/auth/sessions.ts';
import {
  findOrganizationInScope,
  lockExistingOrganization,
} from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction } from '#server/platform/database.ts';
import { FieldErrors } from '#server/platform/field-errors.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import type { ServeCall } from '#server/platform/serve.ts';
import type { OidcSettings } from '#shared/contract/oidc.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { checkEmailDomain } from '#shared/domain/oidc.ts';
import { readLinkedIdentity, unlinkIdentity } from './identities.store.ts';
import { OidcError } from './oidc-client.ts';
import { findProviderOf, type Provider, saveProvider } from './providers.store.ts';
import { beginOidcSignIn, type OidcRouteDependencies, redirectUriOf } from './sign-in.routes.ts';

/** Registers the calls that configure an organization's provider and link accounts to it. */
export function oidcSettingsRoutes(serve: ServeCall<Caller>, parts: OidcRouteDependencies): void {
  const { pool, secrets, oidc, session, publicUrl } = parts;
  const notifyOwner = openNotifyOwner(parts);

  serve('GET /api/organization/oidc', async ({ caller, query }) => {
    const { id, name } = await findOrganizationInScope(pool, caller.scope, query.name);
    return settingsOf(pool, id, name);
  });

  serve('POST /api/organization/oidc', async ({ caller, body, request }) => {
    const { id, name } = await findOrganizationInScope(pool, caller.scope, body.name);
    const before = await findProviderOf(pool, secrets, id);
    const errors = new FieldErrors(['issuer', 'domain', 'clientId', 'clientSecret']);
    const typed = errors.take('issuer', checkIssuer(body.issuer));
    const domain = errors.take('domain', checkEmailDomain(body.domain));
    const clientSecret = body.clientSecret ?? before?.clientSecret;
    if (clientSecret === undefined) errors.add('clientSecret', 'Client-geheim ontbreekt.');
    // The stored secret belongs to the previous provider and must not be sent to another one.
    else if (body.clientSecret === undefined && before && !isSame(before.issuer, body.issuer))
      errors.add(
        'clientSecret',
        'Client-geheim ontbreekt: voor een andere inlogdienst hoort er een ander bij.',
      );
    const issuer = await errors.ask('issuer', () => canonicalIssuer(typed, request.log));
    errors.throwIfAny();
    const provider = {
      organizationId: id,
      issuer: issuer as string,
      domain,
      clientId: body.clientId,
      clientSecret: clientSecret as string,
    };
    await inTransaction(pool, async (client) => {
      await lockExistingOrganization(client, id);
      if (!(await saveProvider(client, secrets, provider))) throw domainTaken();
      await audit(client, {
        actor: caller.email,
        action: 'organization.oidc',
        subject: name,
        // The audit row only says whether there is a new secret, because audited values contain no secrets.
        data: { newClientSecret: body.clientSecret !== undefined },
        before: valuesOf(before),
        after: valuesOf(provider),
      });
    });
    return settingsOf(pool, id, name);
  });

  serve('POST /api/organization/oidc/delete', async ({ caller, body }) => {
    const { id, name } = await findOrganizationInScope(pool, caller.scope, body.name);
    const before = await findProviderOf(pool, secrets, id);
    await inTransaction(pool, async (client) => {
      await lockExistingOrganization(client, id);
      const { rowCount } = await client.query('delete from oidc_provider where organization_id = $1', [id]);
      if (rowCount === 1)
        await audit(client, {
          actor: caller.email,
          action: 'organization.oidc-delete',
          subject: name,
          data: {},
          before: valuesOf(before),
        });
    });
    return settingsOf(pool, id, name);
  });

  serve('POST /api/organization/oidc/only', async ({ caller, body }) => {
    const { id, name } = await findOrganizationInScope(pool, caller.scope, body.name);
    if (name === ADMIN_ORGANIZATION)
      throw new ProblemError(
        'conflict',
        'Beheerders van het portaal kunnen altijd met hun wachtwoord inloggen.',
      );
    await inTransaction(pool, async (client) => {
      await lockExistingOrganization(client, id);
      const provider = await findProviderOf(client, secrets, id);
      if (!provider) throw notFound('Deze organisatie heeft geen eigen inlogdienst.');
      if (body.isOnly && caller.organization !== ADMIN_ORGANIZATION) {
        const identity = await readLinkedIdentity(client, caller.accountId);
        if (identity?.issuer !== provider.issuer)
          throw new ProblemError(
            'conflict',
            'Koppel eerst je eigen account bij Mijn account: dan weet je zeker dat het werkt, en sluit je jezelf niet buiten.',
          );
      }
      await client.query('update oidc_provider set is_only = $2 where organization_id = $1', [
        id,
        body.isOnly,
      ]);
      if (provider.isOnly !== body.isOnly)
        await audit(client, {
          actor: caller.email,
          action: 'organization.oidc-only',
          subject: name,
          data: {},
          before: { isOnly: provider.isOnly },
          after: { isOnly: body.isOnly },
        });
    });
    return settingsOf(pool, id, name);
  });

  serve('GET /api/account/oidc', async ({ caller }) => {
    const provider = await findProviderOf(pool, secrets, caller.organizationId);
    return {
      isOffered: provider !== undefined,
      isOnly: provider?.isOnly ?? false,
      linked: (await readLinkedIdentity(pool, caller.accountId)) ?? null,
    };
  });

  serve('POST /api/account/oidc/link', async ({ caller, request, reply }) => {
    const provider = await findProviderOf(pool, secrets, caller.organizationId);
    if (!provider) throw notFound('Je organisatie heeft geen eigen inlogdienst.');
    return beginOidcSignIn(parts, provider, request, reply, { sessionToken: session.read(request) });
  });

  serve('POST /api/account/oidc/unlink', async ({ caller }) => {
    const provider = await findProviderOf(pool, secrets, caller.organizationId);
    if (provider?.isOnly)
      throw new ProblemError(
        'conflict',
        'Je organisatie laat alleen zo inloggen: zonder koppeling kom je er niet meer in.',
      );
    await unlinkIdentity(pool, caller.accountId, caller.email, notifyOwner);
    return { message: 'Je account is niet meer gekoppeld. Log voortaan in met je wachtwoord.' };
  });

  async function settingsOf(db: Database, id: number, name: string): Promise<OidcSettings> {
    const provider = await findProviderOf(db, secrets, id);
    return {
      redirectUri: redirectUriOf(publicUrl, name),
      provider: provider
        ? {
            issuer: provider.issuer,
            domain: provider.domain,
            clientId: provider.clientId,
            isOnly: provider.isOnly,
          }
        : null,
    };
  }

  /**
   * Returns the issuer as spelled in its metadata, so that no browser is redirected to a provider that does not exist. @throws
   * ProblemError
   */
  async function canonicalIssuer(issuer: string, log: FastifyBaseLogger): Promise<string> {
    try {
      return await oidc.check(issuer);
    } catch (error) {
      if (!(error instanceof OidcError)) throw error;
      log.info({ reason: error.message }, 'The address of an identity provider was refused');
      throw new ProblemError('invalid', WHAT_IS_WRONG[error.out ?? 'unusable']);
    }
  }
}

/** The answer is the same for a private and for an unreachable address, so that it does not disclose internal host names. */
const UNREACHABLE =
  'Adres van de inlogdienst: daar mag het portaal niet heen, of daar antwoordt niemand met een geldig certificaat. Alleen https op poort 443 mag, op een openbaar adres; uitzonderingen staan in OUTBOUND_ALLOW_OIDC.';
const WHAT_IS_WRONG = {
  refused: UNREACHABLE,
  unreachable: UNREACHABLE,
  slow: 'Adres van de inlogdienst: daar kwam binnen 10 seconden geen antwoord.',
  unusable:
    'Adres van de inlogdienst: wat daar antwoordt is geen inlogdienst (OpenID Connect) met dat adres.',
} as const;

type Checked =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly reason: string };

/** The metadata's address is derived from the issuer, which therefore has no query or fragment. */
function checkIssuer(typed: string): Checked {
  const url = URL.parse(typed);
  const isAddress = url && /^https?:$/.test(url.protocol) && !/[?#]/.test(typed) && url.username === '';
  if (!isAddress || typed.includes('/.well-known/'))
    return {
      ok: false,
      reason: 'Adres van de inlogdienst is geen adres, zoals https://inlog.bedrijf.nl.',
    };
  return { ok: true, value: typed };
}

/** Returns the provider's values for the audit log, without its secret. */
const valuesOf = (provider: Pick<Provider, 'issuer' | 'domain' | 'clientId'> | undefined) =>
  provider ? { issuer: provider.issuer, domain: provider.domain, clientId: provider.clientId } : {};

const isSame = (issuer: string, typed: string): boolean => URL.parse(issuer)?.href === URL.parse(typed)?.href;

function domainTaken(): ProblemError {
  const message = 'Domein hoort al bij een andere organisatie.';
  return new ProblemError('conflict', message, [{ field: 'domain', message }]);
}
