import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { PermanentFailure } from '#server/platform/job-failure.ts';
import type { MailMessage } from './mail-message.ts';

/** The way out: a mail server, or a folder. */
export type MailTransport = {
  /**
   * Resolves when the mail server has taken the mail over. `id` is the same when the same mail is sent again.
   * @throws RecipientRefused when trying again is useless; any other Error when it is not
   */
  send(message: MailMessage, id: string): Promise<void>;
};

/** The mail server does not know this recipient (SMTP 5xx on RCPT TO). */
export class RecipientRefused extends PermanentFailure {}

/** A server that hangs holds a job up for this long at most, per step of the conversation. */
const PATIENCE_MS = 20_000;

type MailSettings = {
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM?: string | undefined;
  readonly PUBLIC_URL: string;
  readonly DATA_DIR: string;
};

/** SMTP_URL's server, else .eml files in DATA_DIR/mail (docs/design.md section 3). */
export function openMailTransport(
  { SMTP_URL, MAIL_FROM, PUBLIC_URL, DATA_DIR }: MailSettings,
  patienceMs = PATIENCE_MS,
): MailTransport {
  const host = new URL(PUBLIC_URL).hostname;
  const partsOf = ({ to, subject, text, html, headers, attachment }: MailMessage, id: string) => ({
    from: MAIL_FROM ?? `Werkstroom <noreply@${host}>`,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${host}>`,
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' }, // RFC 3834: no out-of-office answers
    ...(attachment && {
      attachments: [
        { filename: attachment.name, contentType: attachment.contentType, content: attachment.bytes },
      ],
    }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return SMTP_URL === undefined
    ? toFolder(join(DATA_DIR, 'mail'), partsOf)
    : toServer(SMTP_URL, patienceMs, partsOf);
}

type PartsOf = (
  message: MailMessage,
  id: string,
) => Parameters<ReturnType<typeof createTransport>['sendMail']>[0];

function toServer(url: string, patienceMs: number, partsOf: PartsOf): MailTransport {
  const smtp = createTransport({
    url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    dnsTimeout: patienceMs,
  });
  return {
    async send(message, id) {
      try {
        await smtp.sendMail(partsOf(message, id));
      } catch (error) {
        const {
          command,
          responseCode,
          message: reason,
        } = error as Error & {
          command?: string;
          responseCode?: number;
        };
        if (command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500) {
          throw new RecipientRefused(reason);
        }
        throw error;
      }
    },
  };
}

/** One file per mail, readable for us alone; whole or not there. */
function toFolder(folder: string, partsOf: PartsOf): MailTransport {
  const compose = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(message, id) {
      const { message: source } = await compose.sendMail(partsOf(message, id));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`;
      await writeFile(join(folder, `${name}.tmp`), source as Buffer, { mode: 0o600 });
      await rename(join(folder, `${name}.tmp`), join(folder, `${name}.eml`));
    },
  };
}
