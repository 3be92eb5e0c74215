import { readChargingUnsubscribeToken } from '#server/alerts/unsubscribe-token.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Module } from '#server/platform/module.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import {
  isSubscribed,
  subscribeToMachine,
  unsubscribeByMail,
  unsubscribeFromMachine,
} from './subscriptions.store.ts';

/** Registers the calls about charging mails (API-01, MAIL-01, MDET-07). */
export const subscriptions: Module<Caller, { readonly pool: Pool; readonly secrets: Secrets }> = {
  topics: {
    mail: { title: 'Laadupdates', about: 'Mail over het laden van een machine.' },
  },
  routes: (serve, { pool }) => {
    serve('GET /api/mail/subscription-status', async ({ caller, query: { serialNumber } }) => ({
      isSubscribed: await isSubscribed(pool, caller, serialNumber),
    }));

    serve('POST /api/mail/subscribe', async ({ caller, body: { serialNumber } }) => {
      await subscribeToMachine(pool, caller, serialNumber);
      return { message: 'Je krijgt een mail als het laden begint, stopt of klaar is.' };
    });

    serve('POST /api/mail/unsubscribe', async ({ caller, body: { serialNumber } }) => {
      await unsubscribeFromMachine(pool, caller, serialNumber);
      return { message: UNSUBSCRIBED };
    });
  },
  oneClick: ({ pool, secrets }) => ({
    isOf: (token) => readChargingUnsubscribeToken(secrets, token) !== undefined,
    async end(token) {
      const subscription = readChargingUnsubscribeToken(secrets, token);
      if (subscription) await unsubscribeByMail(pool, subscription);
      return UNSUBSCRIBED;
    },
    page(token) {
      // Names the machine by the serial number in the mail, not by the present one, because the reader may no longer see the
      // machine.
      const serial = readChargingUnsubscribeToken(secrets, token)?.serial;
      return serial ? `/machine/${encodeURIComponent(serial)}?afmelden=1` : '/';
    },
  }),
};

const UNSUBSCRIBED = 'Je krijgt geen mail meer over het laden van deze machine.';
