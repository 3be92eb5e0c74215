import { type MailTransport, RecipientRefused } from './mail-transport.ts';

/** Attempts of this process to send a mail; `failed` ones are retried. */
export type MailTally = { sent: number; refused: number; failed: number };

/** Wraps `transport` so that every outcome is counted in `tally`. */
export const tallyMails = (transport: MailTransport, tally: MailTally): MailTransport => ({
  async send(message, id) {
    try {
      await transport.send(message, id);
      tally.sent += 1;
    } catch (error) {
      tally[error instanceof RecipientRefused ? 'refused' : 'failed'] += 1;
      throw error;
    }
  },
});
