import { fewAtOnce } from '#server/history/few-at-once.ts';
import { MAIL_POLICY, type Mail } from '#server/mail/mail.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import type { JobInfo, JobPolicy, JobQueue, Jobs } from '#server/platform/jobs.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Warn } from '#server/platform/warn.ts';
import type { ReportThread } from '#server/reports/report-thread.ts';
import { dueMail, RHYTHMS, type Rhythm } from '#shared/domain/reports/mail-rhythm.ts';
import type { Period } from '#shared/domain/reports/periods.ts';
import { reportLetter } from './report-letter.ts';
import { newsOf } from './report-news.ts';
import { reportUnsubscribeToken } from './unsubscribe-token.ts';

/** Reports by mail: each period once to each subscriber (14.5). */
export type ReportMails = {
  /** Asks for the mails that are due. Safe to repeat, in every process. */
  look(): Promise<void>;
  close(): Promise<void>;
};

type Job = Period & { readonly subscriptionId: number };

export type Mailing = {
  readonly pool: Pool;
  readonly jobs: Jobs;
  readonly mail: Mail;
  readonly files: ReportThread;
  readonly secrets: Secrets;
  readonly publicUrl: string;
  readonly warn: Warn;
  /** ms */
  readonly now: () => number;
};

const EVERY_MS = 30_000;
/** Mails that one transaction asks for. */
const BATCH = 200;
/** Few: whoever looks at a page goes before. pg-boss waits 2 s after each job where it is one. */
const POLICY: JobPolicy = { ...MAIL_POLICY, atOnce: 2 };

/** Looks every half a minute, and at the start: a portal that was down catches up. */
export async function startReportMails(mailing: Mailing): Promise<ReportMails> {
  const { pool, jobs, mail, files, secrets, publicUrl, warn, now } = mailing;
  const db = fewAtOnce(pool, 1);

  /** What it says, and whether it is sent at all, is decided now: a mail server may have been down for long. */
  async function send({ subscriptionId, from, to }: Job, { id }: JobInfo): Promise<void> {
    if (await wasSent(db, subscriptionId, from)) return;
    const news = await newsOf(db, files, subscriptionId, { from, to }, now(), publicUrl);
    if (!news) return;
    const token = reportUnsubscribeToken(secrets, subscriptionId);
    await mail.send(reportLetter(news, publicUrl, `${publicUrl}/api/mail/unsubscribe/${token}`), id);
    await db.query('update report_mail set sent_at = $3 where subscription_id = $1 and first_day = $2', [
      subscriptionId,
      from,
      new Date(now()),
    ]);
  }
  const queue = await jobs.queue<Job>('report-mail', POLICY, send);

  let running: Promise<void> = Promise.resolve();
  const look = (): Promise<void> => {
    const done = running.then(async () => {
      for (const rhythm of RHYTHMS) await askFor(pool, queue, rhythm, now());
    });
    running = done.catch(() => {});
    return done;
  };
  const tick = () => look().catch((error: Error) => warn('Reports are mailed later', error.message));
  const timer = setInterval(tick, EVERY_MS).unref();
  void tick();
  return {
    look,
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}

async function askFor(pool: Pool, queue: JobQueue<Job>, rhythm: Rhythm, now: number): Promise<void> {
  const due = dueMail(rhythm, now);
  if (!due) return;
  const { period, since } = due;
  const batch = async (client: Transaction): Promise<number> => {
    // Whoever subscribed since gets the next one. Of two processes the second finds the first one's rows.
    const { rows } = await client.query<{ subscriptionId: number }>(
      `insert into report_mail (subscription_id, first_day, asked_at)
       select r.id, $2, $4 from report_subscription r where r.rhythm = $1 and r.created_at <= $3
         and not exists (select from report_mail m where m.subscription_id = r.id and m.first_day = $2)
       order by r.id limit $5
       on conflict do nothing returning subscription_id as "subscriptionId"`,
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

/** What was asked for so long ago is asked for no more. */
export const forgetReportMails = async (db: Database): Promise<void> =>
  void (await db.query(`delete from report_mail where first_day < current_date - 100`));
