/** Sends queued mails until it is killed: `mail-process.ts CONNECTION PORT`, the database connection and the port of the mail server. */
import { openMailer } from '#server/mail/mail.ts';
import { openMailTransport } from '#server/mail/mail-transport.ts';
import { openPool } from '#server/platform/database.ts';
import { openJobs } from '#server/platform/jobs.ts';

const [connection = '{}', port] = process.argv.slice(2);
const warn = (what: string, reason: string) => void process.stderr.write(`${what}: ${reason}\n`);
const pool = openPool(JSON.parse(connection), (message) => warn('Database', message));
const jobs = await openJobs(pool, warn);
const transport = openMailTransport({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  PUBLIC_URL: 'https://portaal.nl',
  DATA_DIR: '/nowhere',
});
await openMailer(jobs, transport, warn);
