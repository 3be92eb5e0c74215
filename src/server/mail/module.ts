import { samplesByName, singleGauge, storedMetrics } from '#server/platform/metric.ts';
import type { Module } from '#server/platform/module.ts';
import type { MailTally } from './mail-tally.ts';
import { measureMailQueue } from './queued-mails.store.ts';

/** The mails that the portal sends. */
export const mail: Module<unknown, { readonly mailTally: MailTally }> = {
  metrics: ({ mailTally }) => ({
    ofProcess: [
      {
        name: 'werkstroom_mails_total',
        help: 'Tries to send a mail; a failed one is tried again, a refused one is given up.',
        type: 'counter',
        samples: () => samplesByName('outcome', mailTally),
      },
    ],
    stored: [
      storedMetrics(measureMailQueue, [
        singleGauge('mail_queue_depth', 'Mails that are not sent yet.', ({ count }) => count),
        singleGauge(
          'mail_queue_age_seconds',
          'How long ago the oldest of those was asked for; 0 when none waits.',
          ({ age }) => age,
        ),
      ]),
    ],
  }),
};
