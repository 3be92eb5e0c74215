import type { Mail } from '#server/mail/mail.ts';
import { isPlainAddress, writeLetter } from '#server/mail/mail-message.ts';
import type { Database } from '#server/platform/database.ts';
import { dateAndTime } from '#shared/domain/nl.ts';

/** Mails whoever has the account what was changed: a sentence. In the transaction of the change. */
export type TellOwner = (db: Database, email: string, what: string) => Promise<void>;

/** Nobody changes unnoticed with what somebody signs in. */
export function openTellOwner({
  mail,
  publicUrl,
  now,
}: {
  readonly mail: Mail;
  readonly publicUrl: string;
  readonly now: () => number;
}): TellOwner {
  return async (db, email, what) => {
    // What a setting made an account of may be no address.
    if (!isPlainAddress(email)) return;
    const letter = writeLetter({
      to: email,
      subject: 'De manier waarop je inlogt is gewijzigd',
      paragraphs: [
        `Op ${dateAndTime(now())} is bij je account van het portaal iets gewijzigd: ${what}`,
        "Was jij dit niet? Kies dan meteen een nieuw wachtwoord met 'Wachtwoord Vergeten?' op de inlogpagina, kijk bij Mijn account waarmee je inlogt, en vertel het je beheerder.",
      ],
      link: { label: 'Naar Mijn account', url: `${publicUrl}/account` },
    });
    await mail.queue(db, letter);
  };
}
