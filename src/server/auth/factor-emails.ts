import { composeMail, type MailMessage } from '#server/mail/mail-message.ts';

/** Returns the mail to a person whose second factors were reset by a beheerder or administrator. */
export const factorResetEmail = (to: string, publicUrl: string): MailMessage =>
  composeMail({
    to,
    subject: 'Je tweede stap bij het inloggen is weggehaald',
    paragraphs: [
      'Een beheerder heeft de tweede stap van je account weggehaald: je passkeys, authenticator-apps en herstelcodes werken niet meer. Je bent overal uitgelogd. Log in met je wachtwoord en stel een nieuwe tweede stap in bij Mijn account.',
      'Heb je hier niet om gevraagd? Neem dan meteen contact op met je beheerder: iemand anders kan zich voor jou hebben uitgegeven.',
    ],
    link: { label: 'Naar het portaal', url: `${publicUrl}/account` },
  });

/** Returns the mail to the owner of a passkey whose counter did not increase: it may be copied. `name`: the owner's name for it. */
export const copiedPasskeyEmail = (to: string, name: string, publicUrl: string): MailMessage =>
  composeMail({
    to,
    subject: 'Een passkey van je account is geblokkeerd',
    paragraphs: [
      `Iemand wilde inloggen met je passkey ‘${name}’, maar er lijkt een kopie van te zijn: een ander apparaat gebruikt dezelfde. Daarom is deze passkey geblokkeerd en is er niet ingelogd.`,
      'Log in met je wachtwoord en een andere tweede stap of een herstelcode. Verwijder de passkey bij Mijn account en maak een nieuwe. Lukt dat niet? Vraag het je beheerder.',
    ],
    link: { label: 'Naar Mijn account', url: `${publicUrl}/account` },
  });
