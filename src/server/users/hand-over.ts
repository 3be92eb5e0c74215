import type { AddressConfirmation } from '#server/auth/address-confirmation.ts';
import { IS_ONLY_OIDC_SQL } from '#server/auth/local-sign-in.ts';
import type { PasswordResets } from '#server/auth/password-resets.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { forbidden, notFound, ProblemError } from '#server/platform/problem.ts';
import { mayResetFactorOf, type Role } from '#shared/domain/access.ts';

const MAILED = 'Dit portaal verstuurt zelf mail: vraag de link aan op de inlogpagina of bij Mijn account.';
const EQUAL =
  'Van iemand met dezelfde rol kun je geen nieuw wachtwoord regelen. Een administrator kan het voor een beheerder; voor een administrator ligt de mail als bestand op de server, in DATA_DIR/mail.';
const BY_PROVIDER =
  'Deze organisatie laat alleen inloggen met haar eigen account toe: een wachtwoord helpt niet.';
const ENOUGH =
  'Er zijn al vijf links doorgegeven voor dit account die nog werken, of de organisatie is uitgeschakeld. Geef een van die links door, of wacht een half uur.';

type HandOverParts = {
  readonly pool: Pool;
  readonly confirmation: AddressConfirmation;
  readonly resets: PasswordResets;
};
type LinkRequest = { readonly email: string; readonly what: 'confirm' | 'password' };
type Row = {
  readonly email: string;
  readonly role: Role;
  readonly organizationId: number;
  readonly mustConfirm: boolean;
  readonly isOnlyOidc: boolean;
};

/**
 * Returns a link that the caller passes on to a user, for a portal without a mail server: to confirm the account, or to set a new password.
 * @throws ProblemError 404 outside the caller's scope; 403 for a new password of a person who is not below the caller; 409 when the portal
 * sends mail, the account is confirmed already, or the account has the maximum number of links
 */
export function createHandOverLink(
  { pool, confirmation, resets }: HandOverParts,
  caller: Caller,
  { email, what }: LinkRequest,
): Promise<string> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Row>(
      `select a.email, a.role, o.id as organization_id, a.confirmed_at is null and a.must_confirm as must_confirm,
         ${IS_ONLY_OIDC_SQL} as is_only_oidc
       from account a join organization o on o.id = a.organization_id
       where ($1::integer[] is null or o.id = any ($1)) and lower(a.email) = lower($2)`,
      [organizationsParameter(caller.scope), email],
    );
    const user = rows[0];
    if (!user) throw notFound('Deze gebruiker bestaat niet.');
    if (what === 'password' && !mayResetFactorOf(caller.role, user.role)) throw forbidden(EQUAL);
    if (caller.hasMailServer) throw conflict(MAILED);
    if (what === 'confirm' && !user.mustConfirm) throw conflict('Dit account is al bevestigd.');
    if (what === 'password' && user.isOnlyOidc) throw conflict(BY_PROVIDER);
    const link =
      what === 'confirm'
        ? confirmation.handOver(user.organizationId, user.email)
        : await resets.handOver(client, user.email);
    if (link === undefined) throw conflict(ENOUGH);
    const action = what === 'confirm' ? 'user.hand-over-confirmation' : 'user.hand-over-password';
    await audit(client, { actor: caller.email, action, subject: user.email, data: {} });
    return link;
  });
}

const conflict = (message: string): ProblemError => new ProblemError('conflict', message);
