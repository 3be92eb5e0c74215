import type { Mailer } from '#server/mail/mail.ts';
import { composeMail, isPlainAddress } from '#server/mail/mail-message.ts';
import type { Database } from '#server/platform/database.ts';
import { dateAndTime } from '#shared/domain/nl.ts';

/** Mails the account's owner a sentence about a change, in the transaction of the change. */
export type NotifyOwner = (db: Database, email: string, what: string) => Promise<void>;

/** Returns the function that notifies owners of changes to the factors of their account. */
export function openNotifyOwner({
  mail,
  publicUrl,
  now,
}: {
  readonly mail: Mailer;
  readonly publicUrl: string;
  readonly now: () => number;
}): NotifyOwner {
  return async (db, email, what) => {
    // ADMIN_EMAIL may be something other than an e-mail address.
    if (!isPlainAddress(email)) return;
    const message = composeMail({
      to: email,
      subject: 'De manier waarop je inlogt is gewijzigd',
      paragraphs: [
        `Op ${dateAndTime(now())} is bij je account van het portaal iets gewijzigd: ${what}`,
        "Was jij dit niet? Kies dan meteen een nieuw wachtwoord met 'Wachtwoord Vergeten?' op de inlogpagina, kijk bij Mijn account waarmee je inlogt, en vertel het je beheerder.",
      ],
      link: { label: 'Naar Mijn account', url: `${publicUrl}/account` },
    });
    await mail.queue(db, message);
  };
}
