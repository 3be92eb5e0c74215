import type { Mailer } from '#server/mail/mail.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { forbidden, invalidInputError, markWrongGuess } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Registration } from '#shared/contract/auth.ts';
import type { RegistrationMode as Mode } from '#shared/contract/organizations.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { addApplicant, notifyOfApplicants } from './add-applicant.ts';
import type { AddressConfirmation } from './address-confirmation.ts';
import { isAddressBlocked } from './blocked-addresses.ts';
import { requireAcceptablePassword } from './guessable.ts';
import type { HashClient } from './hash-queue.ts';
import { notifyKnownAddress } from './known-address.ts';
import { IS_ONLY_OIDC_SQL } from './local-sign-in.ts';
import { createAccount } from './new-account.ts';
import { hashPassword } from './passwords.ts';

type RegistrationParts = {
  readonly secrets: Secrets;
  readonly confirmation: AddressConfirmation;
  readonly mail: Mailer;
  readonly publicUrl: string;
};

type Registered = { readonly waits: boolean; readonly known?: number | undefined };

/** The organization that a registration code belongs to. */
type Joined = {
  readonly id: number;
  readonly name: string;
  readonly clean: string;
  readonly registration: Mode;
  readonly isOnlyOidc: boolean;
};

const NO_CODE_NEEDED =
  "Deze organisatie laat alleen inloggen met haar eigen account toe. Kies 'Log in via je organisatie': een code is niet nodig.";

/**
 * Creates an account in the active organization with this code, or an applicant when the organization approves each
 * registration; never in `admin` (AUTH-08). A wrong code, a deleted person and an organization that only invites get the
 * same answer after the same time. An address with an account gets the answer of an address without one: nothing is stored, and its
 * owner gets a mail.
 * @returns `waits`: the registration needs approval; `known`: the id of the account that the address already has
 * @throws ProblemError 400
 */
export async function registerAccount(
  pool: Pool,
  parts: RegistrationParts,
  { email, password, organizationCode }: Registration,
  by: HashClient,
): Promise<Registered> {
  const code = organizationCode.replace(/[\s-]/g, '').toUpperCase();
  const passwordHash = await hashPassword(password, by);
  const registered = await inTransaction(pool, async (client): Promise<Registered | undefined> => {
    // The lock waits for a simultaneous change of the organization: after it was disabled or deleted, or got another code, no
    // person can register.
    const { rows } = await client.query<Joined>(
      `select id, name, clean, registration, ${IS_ONLY_OIDC_SQL} as is_only_oidc from organization o
       where upper(translate(code, ' -', '')) = $1 and is_active and registration <> 'invitation' and name <> $2
       for no key update`,
      [code, ADMIN_ORGANIZATION],
    );
    const organization = rows[0];
    if (!organization || (await isAddressBlocked(client, parts.secrets, organization.id, email)))
      return undefined;
    if (organization.isOnlyOidc) throw forbidden(NO_CODE_NEEDED);
    // Checked only after the code was found right, because the refusal shows the organization's names.
    await requireAcceptablePassword(password, { email, names: [organization.name, organization.clean] });
    const waits = organization.registration === 'approval';
    const newcomer = { email, passwordHash, organizationId: organization.id };
    const known = async () => ({
      waits,
      known: await notifyKnownAddress(client, parts, email, organization.clean),
    });
    if (waits) {
      const applied = await addApplicant(client, newcomer);
      if (applied === 'full') return undefined;
      if (applied === 'known') return known();
      if (applied === 'again') return { waits };
      await notifyOfApplicants(client, parts, organization.id);
    } else {
      const accountId = await createAccount(client, { ...newcomer, mustConfirm: true });
      if (accountId === undefined) return known();
      await parts.confirmation.ask(client, accountId);
    }
    await audit(client, {
      actor: email,
      action: waits ? 'user.apply' : 'user.register',
      subject: email,
      data: { organization: organization.name },
      organizationId: organization.id,
    });
    return { waits };
  });
  if (!registered) {
    throw markWrongGuess(
      invalidInputError(
        "Registreren is niet gelukt. Controleer de organisatiecode. Heb je al een account? Log dan in, of kies 'Wachtwoord Vergeten?'. Lukt het niet, vraag je beheerder dan om een uitnodiging.",
      ),
    );
  }
  return registered;
}
