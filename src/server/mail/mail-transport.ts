import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { PermanentFailure } from '#server/platform/job-failure.ts';
import type { MailMessage } from './mail-message.ts';

/** Sends mails to a mail server, or writes them to a folder. */
export type MailTransport = {
  /**
   * Resolves when the mail server has accepted the mail. `id` stays the same if the same mail is sent again.
   * @throws RecipientRefused if a retry is useless; any other Error if a retry may succeed
   */
  send(message: MailMessage, id: string): Promise<void>;
};

/** The mail server permanently refused this recipient (SMTP 5xx on RCPT TO). */
export class RecipientRefused extends PermanentFailure {}

/** Timeout of each step of the conversation with the mail server. */
const TIMEOUT_MS = 20_000;

type MailSettings = {
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM?: string | undefined;
  readonly PUBLIC_URL: string;
  readonly DATA_DIR: string;
};

/**
 * Returns a transport to the server of SMTP_URL, or, without that setting, to .eml files in DATA_DIR/mail (docs/design.md section
 * 3).
 */
export function openMailTransport(
  { SMTP_URL, MAIL_FROM, PUBLIC_URL, DATA_DIR }: MailSettings,
  timeoutMs = TIMEOUT_MS,
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
    : toServer(SMTP_URL, timeoutMs, partsOf);
}

type PartsOf = (
  message: MailMessage,
  id: string,
) => Parameters<ReturnType<typeof createTransport>['sendMail']>[0];

function toServer(url: string, timeoutMs: number, partsOf: PartsOf): MailTransport {
  const smtp = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
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

/** Writes one file per mail, atomically and readable only by the portal's user. */
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
