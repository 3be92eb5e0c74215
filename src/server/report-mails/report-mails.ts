import { limitConcurrency } from '#server/history/limit-concurrency.ts';
import { MAIL_RETRY_POLICY, type Mailer } from '#server/mail/mail.ts';
import { unsubscribeToken } from '#server/mail/unsubscribe-token.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { JobInfo, JobPolicy, JobQueue, Jobs } from '#server/platform/jobs.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { openSerialQueue } from '#server/platform/serial.ts';
import type { Warn } from '#server/platform/warn.ts';
import type { ReportThread } from '#server/reports/report-thread.ts';
import type { Period } from '#shared/domain/periods.ts';
import { dueMail, RHYTHMS, type Rhythm } from '#shared/domain/reports/mail-rhythm.ts';
import { reportEmail } from './report-email.ts';
import { loadReportMail } from './report-mail-content.ts';

/** Mails the report of each period to each subscriber, once. */
export type ReportMails = {
  /** Queues the mails that are due. Safe to repeat, in every process. */
  queueDue(): Promise<void>;
  close(): Promise<void>;
};

/** Makes and checks the token in the unsubscribe link of report mails. */
export const reportUnsubscribeToken = unsubscribeToken('report-unsubscribe');

type Job = Period & { readonly subscriptionId: number };

export type ReportMailDependencies = {
  readonly pool: Pool;
  readonly jobs: Jobs;
  readonly mail: Mailer;
  readonly files: ReportThread;
  readonly secrets: Secrets;
  readonly publicUrl: string;
  readonly warn: Warn;
  /** Returns the current time, in ms. */
  readonly now: () => number;
};

const EVERY_MS = 30_000;
/** Maximum number of mails that one transaction queues. */
const BATCH = 200;
/** Two jobs at a time: more would slow down pages, and with one at a time pg-boss would wait 2 s after each job. */
const POLICY: JobPolicy = { ...MAIL_RETRY_POLICY, atOnce: 2 };

/** Queues due mails every half a minute and at the start, so that a portal that was down catches up. */
export async function startReportMails(mailing: ReportMailDependencies): Promise<ReportMails> {
  const { pool, jobs, mail, files, secrets, publicUrl, warn, now } = mailing;
  const db = limitConcurrency(pool, 1);

  /**
   * Sends the mail of a job. Decides only now on the content, and on whether there is a mail at all, because the mail server may have been
   * down for long.
   */
  async function send({ subscriptionId, from, to }: Job, { id }: JobInfo): Promise<void> {
    if (await wasSent(db, subscriptionId, from)) return;
    const content = await loadReportMail(db, files, subscriptionId, { from, to }, now(), publicUrl);
    if (!content) return;
    const token = reportUnsubscribeToken.make(secrets, subscriptionId);
    await mail.send(reportEmail(content, publicUrl, `${publicUrl}/api/mail/unsubscribe/${token}`), id);
    await db.query('update report_mail set sent_at = $3 where subscription_id = $1 and first_day = $2', [
      subscriptionId,
      from,
      new Date(now()),
    ]);
  }
  const queue = await jobs.queue<Job>('report-mail', POLICY, send);

  const runs = openSerialQueue();
  const queueDue = (): Promise<void> =>
    runs.run(async () => {
      for (const rhythm of RHYTHMS) await queueMails(pool, queue, rhythm, now());
    });
  const tick = () =>
    queueDue().catch((error: Error) =>
      warn(`Queueing report mails failed; retrying in ${EVERY_MS / 1000} s`, error.message),
    );
  const timer = setInterval(tick, EVERY_MS).unref();
  void tick();
  return {
    queueDue,
    async close() {
      clearInterval(timer);
      await runs.ended();
    },
  };
}

async function queueMails(pool: Pool, queue: JobQueue<Job>, rhythm: Rhythm, now: number): Promise<void> {
  const due = dueMail(rhythm, now);
  if (!due) return;
  const { period, since } = due;
  const batch = async (client: Transaction): Promise<number> => {
    // A person who subscribed after the mails of a period were due gets the next mail. If two processes run this at once, the second
    // inserts nothing, because it finds the rows of the first.
    const { rows } = await client.query<{ subscriptionId: number }>(
      `insert into report_mail (subscription_id, first_day, asked_at)
       select r.id, $2, $4 from report_subscription r where r.rhythm = $1 and r.created_at <= $3
         and not exists (select from report_mail m where m.subscription_id = r.id and m.first_day = $2)
       order by r.id limit $5
       on conflict do nothing returning subscription_id`,
      [rhythm, period.from, new Date(since), new Date(now), BATCH],
    );
    for (const { subscriptionId } of rows) await queue.add(client, { subscriptionId, ...period });
    return rows.length;
  };
  while ((await inTransaction(pool, batch)) > 0);
}

async function wasSent(db: Database, subscriptionId: number, firstDay: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from report_mail where subscription_id = $1 and first_day = $2 and sent_at is not null',
    [subscriptionId, firstDay],
  );
  return rowCount === 1;
}

/** Deletes the records of report mails about periods that began more than 100 days ago. */
export const expireReportMails = async (db: Database): Promise<void> =>
  void (await db.query(`delete from report_mail where first_day < current_date - 100`));
