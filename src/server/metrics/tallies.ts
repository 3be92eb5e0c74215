import { type MailTransport, RecipientRefused } from '#server/mail/mail-transport.ts';
import type { CounterName, Counters } from '#server/telemetry/counters.ts';

/** Counts of this process since its start. */
export type Tallies = {
  /** The counters of all loggers together, and the uploads with an unknown key. */
  readonly uploads: Record<CounterName | 'unknownKey', number>;
  /** Attempts to send a mail; `failed` ones are retried. */
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

/** Wraps `counters` so that every count is also added to `tallies`. */
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

/** Wraps `transport` so that every outcome is counted in `tallies`. */
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
