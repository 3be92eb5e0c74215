import type { Database, Pool } from '#server/platform/database.ts';
import { isPermanent } from '#server/platform/job-failure.ts';
import { type JobPolicy, type Jobs, openJobQueue } from '#server/platform/jobs.ts';
import type { Warn } from '#server/platform/warn.ts';
import { type MailMessage, requireSafeMail } from './mail-message.ts';
import type { MailTransport } from './mail-transport.ts';

/** Ways to send a mail. A mail server that is down loses none (MAIL-01). */
export type Mail = {
  /**
   * Sent by a job, tried for about two days. In the caller's transaction when `db` is its client: the mail goes out
   * exactly when the change is committed.
   * @throws PermanentFailure when `to` is not one plain address or the subject not one line
   */
  queue(db: Database, message: MailMessage): Promise<void>;
  /**
   * At once, for a job that makes its mail when it is sent. A recipient that the server refuses for good is warned of.
   * @param id the job's: the same when the same mail is sent again
   * @throws Error when it is worth another try; PermanentFailure as `queue` does
   */
  send(message: MailMessage, id: string): Promise<void>;
};

/** How often a mail is tried: after 30 s, 1, 2, 4 … minutes, then every hour, for about two days. */
export const MAIL_POLICY: JobPolicy = { retries: 55, firstRetryS: 30, longestRetryS: 3_600 };

const QUEUE = 'mail';

export async function openMail(
  jobs: Jobs,
  transport: MailTransport,
  warn: Warn,
  policy: JobPolicy = MAIL_POLICY,
): Promise<Mail> {
  async function send(message: MailMessage, id: string): Promise<void> {
    requireSafeMail(message);
    try {
      await transport.send(message, id);
    } catch (error) {
      if (!isPermanent(error)) throw error;
      warn('A mail was refused for good', (error as Error).message);
    }
  }
  const queue = await jobs.queue<MailMessage>(QUEUE, policy, (message, { id }) => send(message, id));
  return {
    async queue(db, message) {
      requireSafeMail(message);
      await queue.add(db, message);
    },
    send,
  };
}

/** For a command, which sends nothing itself: a portal does, now or when it starts. */
export async function openMailQueue(pool: Pool): Promise<Pick<Mail, 'queue'> & { close(): Promise<void> }> {
  const { add, close } = await openJobQueue<MailMessage>(pool, QUEUE, MAIL_POLICY);
  return {
    async queue(db, message) {
      requireSafeMail(message);
      await add(db, message);
    },
    close,
  };
}
