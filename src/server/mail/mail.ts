import type { Database, Pool } from '#server/platform/database.ts';
import { isPermanent } from '#server/platform/job-failure.ts';
import { type JobPolicy, type Jobs, openJobQueue } from '#server/platform/jobs.ts';
import type { Warn } from '#server/platform/warn.ts';
import { type MailMessage, requireSafeMail } from './mail-message.ts';
import type { MailTransport } from './mail-transport.ts';

/** Sends mails. No mail is lost while the mail server is down (MAIL-01). */
export type Mailer = {
  /**
   * Queues a mail that a job sends, with retries for about two days. If `db` is the client of a transaction, the mail is sent if
   * and only if that transaction commits.
   * @throws PermanentFailure if `to` is not one plain address or the subject not one line
   */
  queue(db: Database, message: MailMessage): Promise<void>;
  /**
   * Sends a mail immediately, for a job that composes its mail when it runs. Logs a warning if the server permanently refuses the
   * recipient.
   * @param id the id of the job, which stays the same if the mail is sent again
   * @throws Error if a retry may succeed; PermanentFailure as `queue` does
   */
  send(message: MailMessage, id: string): Promise<void>;
};

/** Retries after 30 s, 1, 2, 4 … minutes, then every hour, for about two days. */
export const MAIL_RETRY_POLICY: JobPolicy = { retries: 55, firstRetryS: 30, longestRetryS: 3_600 };

const QUEUE = 'mail';

export async function openMailer(
  jobs: Jobs,
  transport: MailTransport,
  warn: Warn,
  policy: JobPolicy = MAIL_RETRY_POLICY,
): Promise<Mailer> {
  async function send(message: MailMessage, id: string): Promise<void> {
    requireSafeMail(message);
    try {
      await transport.send(message, id);
    } catch (error) {
      if (!isPermanent(error)) throw error;
      warn('A mail was permanently refused', (error as Error).message);
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

/** Returns a queue for commands. A command only queues mails: a running portal process sends them, or the next one that starts. */
export async function openMailQueue(pool: Pool): Promise<Pick<Mailer, 'queue'> & { close(): Promise<void> }> {
  const { add, close } = await openJobQueue<MailMessage>(pool, QUEUE, MAIL_RETRY_POLICY);
  return {
    async queue(db, message) {
      requireSafeMail(message);
      await add(db, message);
    },
    close,
  };
}
