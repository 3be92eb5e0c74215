import type { Mail } from '#server/mail/mail.ts';
import { writeLetter } from '#server/mail/mail-message.ts';
import type { Database } from '#server/platform/database.ts';
import { forbidden } from '#server/platform/problem.ts';
import { ONLY_OIDC } from '#shared/domain/oidc.ts';

/** As a condition on an organization `o`: nobody signs in to it but by its own identity provider (src/server/oidc). */
export const IS_ONLY_OIDC =
  'exists (select from oidc_provider p where p.organization_id = o.id and p.is_only)';

/**
 * For every sign-in that is not by the organization's provider, once it is known to be right: nobody else hears of it.
 * @throws ProblemError 403
 */
export async function requireLocalSignIn(db: Database, accountId: number): Promise<void> {
  const { rowCount } = await db.query(
    `select from account a join organization o on o.id = a.organization_id where a.id = $1 and ${IS_ONLY_OIDC}`,
    [accountId],
  );
  if (rowCount === 1) throw forbidden(ONLY_OIDC);
}

/**
 * In place of a code for a new password, which would let nobody in. @param email in lower case
 * @param key of the mail, so that it goes once
 * @returns false when there is no such account, or it may have a password
 */
export async function mailOnlyOidc(
  db: Database,
  mail: Mail,
  publicUrl: string,
  email: string,
  key: string,
): Promise<boolean> {
  const { rows } = await db.query<{ email: string; organization: string }>(
    `select a.email, o.clean as organization from account a join organization o on o.id = a.organization_id
     where lower(a.email) = $1 and o.is_active and ${IS_ONLY_OIDC}`,
    [email],
  );
  const account = rows[0];
  if (!account) return false;
  const letter = writeLetter({
    to: account.email,
    subject: 'Inloggen via je organisatie',
    paragraphs: [
      `Je hebt om een nieuw wachtwoord voor het portaal gevraagd. Dat is niet nodig: ${account.organization} laat alleen inloggen met haar eigen account toe.`,
      "Kies op de inlogpagina 'Log in via je organisatie'. Lukt dat niet? Vraag het je beheerder.",
    ],
    link: { label: 'Naar de inlogpagina', url: `${publicUrl}/signin` },
  });
  await mail.send(letter, key);
  return true;
}
