import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { openFairQueue, queuedCallerOf } from '#server/platform/fair-queue.ts';
import type { Module, ServiceOpener } from '#server/platform/module.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { listAlerts, lockAlert, markAlertsSeen } from './alert-list.store.ts';
import { type Alerts, startAlerts } from './alerts.ts';
import { expireAlerts, expireMovements } from './expire-alerts.ts';
import { endAlertMails, mute, readPreferences, savePreferences, unmute } from './preferences.store.ts';
import { previewRule } from './preview.ts';
import { deleteRule, saveRule } from './rule-changes.ts';
import { listRules } from './rules.store.ts';
import { alertUnsubscribeToken } from './unsubscribe-token.ts';

/** Maximum number of concurrent previews in this process, and per account: previews must not slow other pages down. */
const PREVIEWS = 2;
const MAX_PER_ACCOUNT = 1;
const MAX_WAITING_PER_ACCOUNT = 5;

/** Registers the calls about alerts, notification preferences and rules (docs/alerts.md). `now` returns the time in ms. */
export const alerts: Module<
  Caller,
  { readonly pool: Pool; readonly secrets: Secrets; readonly now: () => number }
> &
  ServiceOpener<Parameters<typeof startAlerts>[0], { readonly alerts: Alerts }> = {
  open: async (shared) => ({ alerts: await startAlerts(shared) }),
  topics: {
    alert: {
      title: 'Meldingen',
      about: 'Wat het portaal vanzelf vertelt, en hoe iemand dat te horen krijgt.',
    },
    'alert-rule': {
      title: 'Regels voor meldingen',
      about: 'Waarover het portaal iemand waarschuwt, en wie.',
    },
  },
  routes: (serve, { pool, now }) => {
    const previews = openFairQueue(PREVIEWS, MAX_PER_ACCOUNT, MAX_WAITING_PER_ACCOUNT);
    serve('GET /api/alert/get', ({ caller, query }) => listAlerts(pool, caller, query, now()));

    serve('POST /api/alert/seen', async ({ caller, body: { alerts } }) => {
      await inTransaction(pool, (client) => markAlertsSeen(client, caller, alerts, now()));
      return { message: 'Gezien.' };
    });

    serve('POST /api/alert/take', async ({ caller, body: { alert, takes } }) => {
      await take(pool, caller, alert, takes, new Date(now()));
      return { message: takes ? 'Je hebt deze melding opgepakt.' : 'Je hebt deze melding weer vrijgegeven.' };
    });

    serve('POST /api/alert/mute', async ({ caller, body }) => {
      await mute(pool, caller, body, now());
      return { message: 'Je hoort hier niets meer van.' };
    });

    serve('POST /api/alert/unmute', async ({ caller, body: { _id } }) => {
      await unmute(pool, caller, _id);
      return { message: 'Je hoort hier weer van.' };
    });

    serve('GET /api/alert/preferences', ({ caller }) => readPreferences(pool, caller, now()));

    serve('POST /api/alert/preferences', async ({ caller, body }) => {
      await savePreferences(pool, caller, body);
      return { message: 'Bewaard.' };
    });

    serve('GET /api/alert-rule/get', ({ caller }) => listRules(pool, caller, now()));

    serve('POST /api/alert-rule/save', async ({ caller, body }) => {
      const { id, message } = await saveRule(pool, caller, body, new Date(now()));
      return { _id: id, message };
    });

    serve('POST /api/alert-rule/preview', (call) =>
      previews.run(queuedCallerOf(call), () => previewRule(pool, call.caller, call.body, now())),
    );

    serve('POST /api/alert-rule/delete', async ({ caller, body: { _id } }) => {
      await deleteRule(pool, caller, _id);
      return { message: 'De regel is verwijderd.' };
    });
  },
  oneClick: ({ pool, secrets }) => ({
    isOf: (token) => alertUnsubscribeToken.read(secrets, token) !== undefined,
    async end(token) {
      await endAlertMails(pool, alertUnsubscribeToken.read(secrets, token) ?? 0);
      return 'Je krijgt geen meldingen meer per mail.';
    },
    page: () => '/account/#meldingen',
  }),
  periodic: [
    ['movements whose positions are kept no longer', expireMovements],
    ['old alerts', expireAlerts],
  ],
};

/** Assigns an alert to the caller, also if another person had it, or releases the caller's alert. Safe to repeat. */
const take = (pool: Pool, caller: Caller, id: string, takes: boolean, now: Date): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { accountId, email } = caller;
    const { takenBy, kind, serial, organizationId, streamId } = await lockAlert(
      client,
      caller,
      id,
      now.getTime(),
    );
    // Only the person who has the alert can release it.
    if (takes ? takenBy === accountId : takenBy !== accountId) return;
    await client.query('update alert set taken_by = $2, taken_at = $3 where id = $1', [
      id,
      takes ? accountId : null,
      takes ? now : null,
    ]);
    await audit(client, {
      actor: email,
      action: takes ? 'alert.take' : 'alert.release',
      subject: email,
      organizationId,
      data: { kind, ...(serial !== null && { serial }) },
      ...(streamId !== null && { streamId }),
    });
  });
