import { type MailTransport, RecipientRefused } from '#server/mail/mail-transport.ts';
import type { CounterName, Counters } from '#server/telemetry/counters.ts';

/** What this process did since its start: counted where it passes by. */
export type Tallies = {
  /** The counters of all loggers together, and uploads with a key that nobody has. */
  readonly uploads: Record<CounterName | 'unknownKey', number>;
  /** Tries to send a mail; `failed` ones are tried again. */
  readonly mails: { sent: number; refused: number; failed: number };
};

export const newTallies = (): Tallies => ({
  uploads: {
    uploads: 0,
    readings: 0,
    merged: 0,
    duplicates: 0,
    quarantined: 0,
    skippedSignals: 0,
    frozenClocks: 0,
    frames: 0,
    unknownFrames: 0,
    badLines: 0,
    refused: 0,
    unknownKey: 0,
  },
  mails: { sent: 0, refused: 0, failed: 0 },
});

/** The same counters, added up in `tallies` too. */
export function tallyCounters(counters: Counters, { uploads }: Tallies): Counters {
  return {
    ...counters,
    add(writerId, counts, seen) {
      for (const name of Object.keys(counts) as CounterName[]) uploads[name] += counts[name] ?? 0;
      return counters.add(writerId, counts, seen);
    },
    addUnknownKey(accessKey, objectKey) {
      uploads.unknownKey += 1;
      counters.addUnknownKey(accessKey, objectKey);
    },
  };
}

/** The same transport, its outcomes counted. */
export function tallyMails(transport: MailTransport, { mails }: Tallies): MailTransport {
  return {
    async send(message, id) {
      try {
        await transport.send(message, id);
        mails.sent += 1;
      } catch (error) {
        mails[error instanceof RecipientRefused ? 'refused' : 'failed'] += 1;
        throw error;
      }
    },
  };
}
