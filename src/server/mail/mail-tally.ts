import { type MailTransport, RecipientRefused } from './mail-transport.ts';

/** Numbers of attempts of this process to send a mail. `refused`: the mail server refused the recipient; `failed`: any other error. */
export type MailTally = { sent: number; refused: number; failed: number };

/** Wraps `transport` so that every outcome is counted in `tally`. */
export const countingMailTransport = (transport: MailTransport, tally: MailTally): MailTransport => ({
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
