import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type ParsedMail = {
  readonly source: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
};

/** Returns the mails that a portal without SMTP_URL wrote to DATA_DIR/mail, oldest first. */
export async function readMailbox(dataDir: string): Promise<ParsedMail[]> {
  const folder = join(dataDir, 'mail');
  const names = await readdir(folder).catch(() => []);
  const mails = names.filter((name) => name.endsWith('.eml')).sort();
  return Promise.all(mails.map(async (name) => parseMail(await readFile(join(folder, name), 'utf8'))));
}

/** Returns the headers and the decoded plain text of a mail of the portal. */
export function parseMail(source: string): ParsedMail {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(source)?.[1]?.trim() ?? '';
  const part = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/i.exec(source)?.[1] ?? '';
  const bytes = part
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return {
    source,
    to: header('To'),
    subject: header('Subject'),
    text: Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n'),
  };
}
