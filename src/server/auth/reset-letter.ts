import { writeLetter } from '#server/mail/letter.ts';
import type { MailMessage } from '#server/mail/mail-message.ts';

/** The mail with the code of a password reset (MAIL-02). `code`: 8 characters, shown in two halves. */
export const resetLetter = (to: string, code: string, minutes: number, publicUrl: string): MailMessage =>
  writeLetter({
    to,
    subject: 'Je code voor een nieuw wachtwoord',
    paragraphs: [
      `Je hebt om een nieuw wachtwoord voor het portaal gevraagd. Vul de code hieronder in bij 'Wachtwoord Vergeten?' op de inlogpagina. De code is ${minutes} minuten geldig en werkt één keer.`,
      'Heb je hier niet om gevraagd? Dan hoef je niets te doen: je wachtwoord blijft wat het was. Geef de code aan niemand.',
    ],
    code: `${code.slice(0, 4)}-${code.slice(4)}`,
    link: { label: 'Naar de inlogpagina', url: `${publicUrl}/signin` },
  });
