import type { Mailer } from '#server/mail/mail.ts';
import { composeMail } from '#server/mail/mail-message.ts';
import type { Database } from '#server/platform/database.ts';
import { forbidden } from '#server/platform/problem.ts';
import { ONLY_OIDC_MESSAGE } from '#shared/domain/oidc.ts';

/** SQL condition on an organization `o`: its people sign in only through its own identity provider (src/server/oidc). */
export const IS_ONLY_OIDC_SQL =
  'exists (select from oidc_provider p where p.organization_id = o.id and p.is_only)';

/**
 * Refuses a sign-in by password or passkey if the organization allows only its identity provider. Call it after the password or
 * passkey was found right, so that it does not reveal which accounts exist.
 * @throws ProblemError 403
 */
export async function requireLocalSignIn(db: Database, accountId: number): Promise<void> {
  const { rowCount } = await db.query(
    `select from account a join organization o on o.id = a.organization_id where a.id = $1 and ${IS_ONLY_OIDC_SQL}`,
    [accountId],
  );
  if (rowCount === 1) throw forbidden(ONLY_OIDC_MESSAGE);
}

/**
 * Mails an account that may only sign in through its identity provider, in place of a reset code, which would be useless.
 * @param email in lower case
 * @param key the key of the mail in its queue, so that it is sent once
 * @returns false when there is no such account, or it may have a password
 */
export async function mailOidcOnlyAccount(
  db: Database,
  mail: Mailer,
  publicUrl: string,
  email: string,
  key: string,
): Promise<boolean> {
  const { rows } = await db.query<{ email: string; organization: string }>(
    `select a.email, o.clean as organization from account a join organization o on o.id = a.organization_id
     where lower(a.email) = $1 and o.is_active and ${IS_ONLY_OIDC_SQL}`,
    [email],
  );
  const account = rows[0];
  if (!account) return false;
  const message = composeMail({
    to: account.email,
    subject: 'Inloggen via je organisatie',
    paragraphs: [
      `Je hebt om een nieuw wachtwoord voor het portaal gevraagd. Dat is niet nodig: ${account.organization} laat alleen inloggen met haar eigen account toe.`,
      "Kies op de inlogpagina 'Log in via je organisatie'. Lukt dat niet? Vraag het je beheerder.",
    ],
    link: { label: 'Naar de inlogpagina', url: `${publicUrl}/signin` },
  });
  await mail.send(message, key);
  return true;
}
