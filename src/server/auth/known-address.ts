import type { Mailer } from '#server/mail/mail.ts';
import { composeMail, isPlainAddress } from '#server/mail/mail-message.ts';
import type { Transaction } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';

/** Limit per account and 15 minutes, so that repeated registrations cannot flood a mailbox. */
const MAX_MAILS = 1;

/**
 * Mails the owner of an account when a person tries to register with the account's e-mail. The answer to the registration does not
 * depend on the account, which may belong to another organization.
 * @param organization display name of the organization for which the person registered
 * @returns the id of the account; undefined when no account has the address
 */
export async function notifyKnownAddress(
  client: Transaction,
  { mail, publicUrl }: { readonly mail: Mailer; readonly publicUrl: string },
  email: string,
  organization: string,
): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number; email: string }>(
    'select id, email from account where lower(email) = lower($1)',
    [email],
  );
  const account = rows[0];
  // ADMIN_EMAIL may be something other than an e-mail address.
  if (!account || !isPlainAddress(account.email)) return account?.id;
  if (!(await mayMail(client, account.id))) return account.id;
  const message = composeMail({
    to: account.email,
    subject: `Registratie bij ${organization}`,
    paragraphs: [
      `Iemand vroeg met dit e-mailadres om een account in het portaal van ${organization}. Met dit adres is er al een account, en een account hoort bij één organisatie. Er is daarom niets gewijzigd, ook je wachtwoord niet.`,
      `Was jij het? Log dan in met het account dat je al hebt, of kies 'Wachtwoord Vergeten?'. Wil je overstappen naar ${organization}, vraag dan eerst de beheerder van je huidige organisatie om je account te verwijderen.`,
      'Was jij het niet? Dan hoef je niets te doen. Wie erom vroeg hoort niet dat je al een account hebt.',
    ],
    link: { label: 'Naar het portaal', url: `${publicUrl}/signin` },
  });
  await mail.queue(client, message);
  return account.id;
}

async function mayMail(client: Transaction, accountId: number): Promise<boolean> {
  try {
    await countAttempt(client, [{ key: `known address ${accountId}`, tries: MAX_MAILS }]);
    return true;
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}
