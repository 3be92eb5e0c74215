import type { UsualDaysCache } from '#server/fleet-figures/usual-days.ts';
import { MAIL_RETRY_POLICY, type Mailer } from '#server/mail/mail.ts';
import type { MailMessage } from '#server/mail/mail-message.ts';
import { type Database, inTransaction, isRetryable, type Pool } from '#server/platform/database.ts';
import type { JobPolicy, Jobs } from '#server/platform/jobs.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { openSerialQueue } from '#server/platform/serial.ts';
import type { Warn } from '#server/platform/warn.ts';
import type { PushSender } from '#server/push/push.ts';
import type { Webhooks } from '#server/webhooks/webhooks.ts';
import { isSubscriptionAlertKind } from '#shared/domain/alerts/kinds.ts';
import { alertEmail, alertPushNotice } from './alert-texts.ts';
import { chargingEmail } from './charging-email.ts';
import { evaluatePresences } from './evaluate-presences.ts';
import { evaluateReadings } from './evaluate-readings.ts';
import { evaluateTimerRules } from './evaluate-timer-rules.ts';
import { loadChargingMail, loadNotification, type Notification } from './notification.store.ts';
import {
  createOutboxMessages,
  dropMessage,
  type NotificationChannel,
  recordMessageSent,
} from './outbox.store.ts';
import { recordDiskSpace } from './portal-state.store.ts';
import { alertUnsubscribeToken, chargingUnsubscribeToken } from './unsubscribe-token.ts';

/** Evaluates alert rules and sends notifications (docs/alerts.md). Each call is safe to repeat, in every process. */
export type Alerts = {
  /** Evaluates rules against readings that arrived. */
  evaluateReadings(): Promise<void>;
  /** Evaluates rules that depend on time: silence, shifts, the portal itself. */
  evaluateClock(): Promise<void>;
  /** Evaluates rules of arrivals and departures. */
  evaluatePresences(): Promise<void>;
  /** Sends the notifications that are due. */
  notify(): Promise<void>;
  /** Stops the timers and waits for the running evaluations. */
  close(): Promise<void>;
};

type AlertParts = {
  readonly pool: Pool;
  readonly db: Database;
  readonly jobs: Jobs;
  readonly mail: Mailer;
  readonly push: PushSender;
  readonly webhooks: Webhooks;
  readonly secrets: Secrets;
  readonly publicUrl: string;
  readonly dataDir: string;
  readonly warn: Warn;
  /** Returns the current time, in ms. */
  readonly now: () => number;
};

const READINGS_EVERY_MS = 10_000;
const CLOCK_EVERY_MS = 60_000;
const NOTIFY_EVERY_MS = 2_000;
/** Retries a push notification for about a day: a device that is off for longer misses it. */
const PUSH_POLICY: JobPolicy = { retries: 30, firstRetryS: 30, longestRetryS: 3_600 };

export async function startAlerts(
  parts: AlertParts,
  mailPolicy: JobPolicy = MAIL_RETRY_POLICY,
): Promise<Alerts> {
  const { pool, db, jobs, mail, push, secrets, publicUrl, dataDir, warn, now } = parts;
  const host = new URL(publicUrl).hostname;
  type Job = { readonly messageId: string };

  async function emailOf(message: Notification): Promise<MailMessage | undefined> {
    const { accountId, to, items } = message;
    const unsubscribe = (token: string) => `${publicUrl}/api/mail/unsubscribe/${token}`;
    if (!items[0] || !isSubscriptionAlertKind(items[0].kind)) {
      const token = alertUnsubscribeToken.make(secrets, accountId);
      return alertEmail(message, publicUrl, unsubscribe(token), (id) => `<${id}@${host}>`);
    }
    const charging = await loadChargingMail(db, items[0].alertId);
    if (!charging) return undefined;
    const { streamId, machine, event } = charging;
    const token = chargingUnsubscribeToken(secrets, { streamId, accountId, serial: machine.serial });
    return chargingEmail({ to, machine, event, sentAt: now() }, publicUrl, unsubscribe(token));
  }

  /** The text, and whether anything is sent, is decided at the moment of sending. */
  const send = async ({ messageId }: Job, channel: NotificationChannel): Promise<void> => {
    const message = await loadNotification(db, messageId, now());
    if (message?.isSent) return;
    if (!message || message.items.length === 0) {
      await dropMessage(db, messageId);
      return;
    }
    if (channel === 'push') await push.send(message.accountId, alertPushNotice(messageId, message));
    else {
      const email = await emailOf(message);
      if (email) await mail.send(email, messageId);
    }
    await recordMessageSent(db, messageId, now());
  };
  const queues = {
    mail: await jobs.queue<Job>('alert-mail', mailPolicy, (job) => send(job, 'mail')),
    push: await jobs.queue<Job>('alert-push', PUSH_POLICY, (job) => send(job, 'push')),
  };

  let after = 0;
  const usualDays: UsualDaysCache = new Map();
  const runs = {
    readings: serialized(async () => {
      after = await evaluateReadings(parts, after);
    }),
    clock: serialized(async () => {
      await recordDiskSpace(pool, dataDir, now()).catch((error: Error) =>
        warn(`Disk measurement failed; retrying in ${CLOCK_EVERY_MS / 1000} s`, error.message),
      );
      await evaluateTimerRules(parts, usualDays);
    }),
    presences: serialized(() => evaluatePresences(parts)),
    notify: serialized(() =>
      inTransaction(pool, async (client) => {
        for (const { id, channel } of await createOutboxMessages(client, now()))
          await queues[channel].add(client, { messageId: id });
      }),
    ),
  };
  const repeat = (what: string, { next }: SerializedRun, everyMs: number) =>
    setInterval(() => next().catch((error: Error) => warn(what, error.message)), everyMs).unref();
  const timers = [
    repeat(
      `Evaluation of readings failed; retrying in ${READINGS_EVERY_MS / 1000} s`,
      runs.readings,
      READINGS_EVERY_MS,
    ),
    repeat(
      `Evaluation of timer rules failed; retrying in ${CLOCK_EVERY_MS / 1000} s`,
      runs.clock,
      CLOCK_EVERY_MS,
    ),
    repeat(`Presence check failed; retrying in ${CLOCK_EVERY_MS / 1000} s`, runs.presences, CLOCK_EVERY_MS),
    repeat(
      `Sending notifications failed; retrying in ${NOTIFY_EVERY_MS / 1000} s`,
      runs.notify,
      NOTIFY_EVERY_MS,
    ),
  ];
  return {
    evaluateReadings: runs.readings.next,
    evaluateClock: runs.clock.next,
    evaluatePresences: runs.presences.next,
    notify: runs.notify.next,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(Object.values(runs).map(({ end }) => end()));
    },
  };
}

type SerializedRun = { next(): Promise<void>; end(): Promise<void> };

/** Serializes the runs of `work`. Repeats a run after a deadlock or serialization failure. */
function serialized(work: () => Promise<void>): SerializedRun {
  const runs = openSerialQueue();
  const undisturbed = (): Promise<void> =>
    work().catch((error) => {
      if (isRetryable(error)) return undisturbed();
      throw error;
    });
  return {
    next: () => runs.run(undisturbed),
    end: runs.ended,
  };
}
