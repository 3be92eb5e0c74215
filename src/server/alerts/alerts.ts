import type { UsualDays } from '#server/fleet-figures/usual-days.ts';
import { MAIL_POLICY, type Mail } from '#server/mail/mail.ts';
import type { MailMessage } from '#server/mail/mail-message.ts';
import { type Database, inTransaction, isRetryable, type Pool } from '#server/platform/database.ts';
import type { JobPolicy, Jobs } from '#server/platform/jobs.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Warn } from '#server/platform/warn.ts';
import type { Push } from '#server/push/push.ts';
import type { Webhooks } from '#server/webhooks/webhooks.ts';
import { alertLetter, alertNotice } from './alert-letter.ts';
import { lookAtReadings } from './alert-watch.ts';
import { chargingLetter } from './charging-letter.ts';
import { lookAtClock } from './clock.ts';
import { chargingOf, type MessageNews, newsOf } from './news.store.ts';
import { noteDisk } from './operating.store.ts';
import { type Channel, dropMessage, makeMessages, noteSent } from './outbox.store.ts';
import { lookAtPresences } from './presence-watch.ts';
import { alertUnsubscribeToken, chargingToken } from './unsubscribe-token.ts';

/** Finds out what somebody is to be told, and tells it (docs/alerts.md). Each of these is safe to repeat, in every process. */
export type Alerts = {
  /** At what came in. */
  lookAtReadings(): Promise<void>;
  /** At the clock. */
  lookAtClock(): Promise<void>;
  /** At where machines were. */
  lookAtPresences(): Promise<void>;
  /** Sends what is due. */
  tell(): Promise<void>;
  /** Does none of these by itself any more. */
  close(): Promise<void>;
};

type AlertParts = {
  readonly pool: Pool;
  readonly db: Database;
  readonly jobs: Jobs;
  readonly mail: Mail;
  readonly push: Push;
  readonly webhooks: Webhooks;
  readonly secrets: Secrets;
  readonly publicUrl: string;
  readonly dataDir: string;
  readonly warn: Warn;
  /** ms */
  readonly now: () => number;
};

const READINGS_EVERY_MS = 10_000;
const CLOCK_EVERY_MS = 60_000;
const TELL_EVERY_MS = 2_000;
/** A device that is off for longer gets it no more. */
const PUSH_POLICY: JobPolicy = { retries: 30, firstRetryS: 30, longestRetryS: 3_600 };

export async function startAlerts(parts: AlertParts, mailPolicy: JobPolicy = MAIL_POLICY): Promise<Alerts> {
  const { pool, db, jobs, mail, push, secrets, publicUrl, dataDir, warn, now } = parts;
  const host = new URL(publicUrl).hostname;
  type Job = { readonly messageId: string };

  async function letterOf(message: MessageNews): Promise<MailMessage | undefined> {
    const { accountId, to, news } = message;
    const unsubscribe = (token: string) => `${publicUrl}/api/mail/unsubscribe/${token}`;
    if (news[0]?.kind !== 'charging') {
      const token = alertUnsubscribeToken(secrets, accountId);
      return alertLetter(message, publicUrl, unsubscribe(token), (id) => `<${id}@${host}>`);
    }
    const charging = await chargingOf(db, news[0].alertId);
    if (!charging) return undefined;
    const { streamId, machine, event } = charging;
    const token = chargingToken(secrets, { streamId, accountId, serial: machine.serial });
    return chargingLetter({ to, machine, event, toldAt: now() }, publicUrl, unsubscribe(token));
  }

  /** What it says, and whether anything is sent, is decided now. */
  const send = async ({ messageId }: Job, channel: Channel): Promise<void> => {
    const message = await newsOf(db, messageId, now());
    if (message?.isSent) return;
    if (!message || message.news.length === 0) {
      await dropMessage(db, messageId);
      return;
    }
    if (channel === 'push') await push.send(message.accountId, alertNotice(messageId, message));
    else {
      const letter = await letterOf(message);
      if (letter) await mail.send(letter, messageId);
    }
    await noteSent(db, messageId, now());
  };
  const queues = {
    mail: await jobs.queue<Job>('alert-mail', mailPolicy, (job) => send(job, 'mail')),
    push: await jobs.queue<Job>('alert-push', PUSH_POLICY, (job) => send(job, 'push')),
  };

  let after = 0;
  const usualDays: UsualDays = new Map();
  const turns = {
    readings: inTurn(async () => {
      after = await lookAtReadings(parts, after);
    }),
    clock: inTurn(async () => {
      await noteDisk(pool, dataDir, now()).catch((error: Error) =>
        warn('The disk is measured again later', error.message),
      );
      await lookAtClock(parts, usualDays);
    }),
    presences: inTurn(() => lookAtPresences(parts)),
    tell: inTurn(() =>
      inTransaction(pool, async (client) => {
        for (const { id, channel } of await makeMessages(client, now()))
          await queues[channel].add(client, { messageId: id });
      }),
    ),
  };
  const repeat = (what: string, { next }: Turn, everyMs: number) =>
    setInterval(() => next().catch((error: Error) => warn(what, error.message)), everyMs).unref();
  const timers = [
    repeat('Alerts are looked for again later', turns.readings, READINGS_EVERY_MS),
    repeat('Silent machines are looked for again later', turns.clock, CLOCK_EVERY_MS),
    repeat('Arrivals are looked for again later', turns.presences, CLOCK_EVERY_MS),
    repeat('Alerts are told later', turns.tell, TELL_EVERY_MS),
  ];
  return {
    lookAtReadings: turns.readings.next,
    lookAtClock: turns.clock.next,
    lookAtPresences: turns.presences.next,
    tell: turns.tell.next,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(Object.values(turns).map(({ end }) => end()));
    },
  };
}

type Turn = { next(): Promise<void>; end(): Promise<void> };

/** One after the other. It begins anew where PostgreSQL took it back: somebody changed the same alerts at the same time. */
function inTurn(work: () => Promise<void>): Turn {
  let running: Promise<void> = Promise.resolve();
  const undisturbed = (): Promise<void> =>
    work().catch((error) => {
      if (isRetryable(error)) return undisturbed();
      throw error;
    });
  return {
    next() {
      const done = running.then(undisturbed);
      running = done.catch(() => {});
      return done;
    },
    end: () => running,
  };
}
