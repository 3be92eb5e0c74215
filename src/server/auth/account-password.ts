import { composeMail, type MailMessage } from '#server/mail/mail-message.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import type { GuessableFacts } from './guessable.ts';

/** Returns facts about an account's owner that an attacker may know: the e-mail, the name, and the organization's names. */
export async function loadGuessableFacts(db: Database, accountId: number): Promise<GuessableFacts> {
  const { rows } = await db.query<{ email: string; names: (string | null)[] }>(
    `select a.email, array[a.name, o.name, o.clean] as names from account a join organization o on o.id = a.organization_id where a.id = $1`,
    [accountId],
  );
  return rows[0] ?? { email: '' };
}

export type PasswordChange = {
  readonly email: string;
  /** Whether the old password was the one that the first start generated (first-start.ts). */
  readonly wasGenerated: boolean;
};

/**
 * Sets the password of an account. The account's sessions end (sql/end-sessions.sql), and earlier mailed codes and links become
 * void.
 * @returns undefined when the account no longer exists
 */
export async function setPassword(
  client: Transaction,
  accountId: number,
  passwordHash: string,
): Promise<PasswordChange | undefined> {
  const { rows } = await client.query<PasswordChange>(
    `with before as (
       select id, must_change_password from account
       where id = $1 for no key update
     )
     update account a set password_hash = $2, has_password = true, must_change_password = false
     from before where a.id = before.id
     returning a.email, before.must_change_password as was_generated`,
    [accountId, passwordHash],
  );
  if (rows[0])
    await client.query(
      'update password_reset set used_at = now() where account_id = $1 and used_at is null',
      [accountId],
    );
  return rows[0];
}

/** Returns the mail that informs the account's owner of a new password, so that a change by another person is noticed. */
export const passwordChangedEmail = (to: string, at: number, publicUrl: string): MailMessage =>
  composeMail({
    to,
    subject: 'Je wachtwoord is gewijzigd',
    paragraphs: [
      `Het wachtwoord van je account bij het portaal is gewijzigd, op ${dateAndTime(at)}. Op andere apparaten ben je uitgelogd.`,
      "Was jij dit niet? Kies dan meteen zelf een nieuw wachtwoord met 'Wachtwoord Vergeten?' op de inlogpagina, en vertel het je beheerder.",
    ],
    link: { label: 'Naar de inlogpagina', url: `${publicUrl}/signin` },
  });
