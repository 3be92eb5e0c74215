/**
 * Mails due reports until it is killed: `report-mail-process.ts CONNECTION PORT NOW`, the database connection, the port of the mail server
 * and the time in ms.
 */
import { openMailer } from '#server/mail/mail.ts';
import { openMailTransport } from '#server/mail/mail-transport.ts';
import { openPool } from '#server/platform/database.ts';
import { openJobs } from '#server/platform/jobs.ts';
import { deriveSecrets } from '#server/platform/secrets.ts';
import { loadShards } from '#server/platform/shards.ts';
import { startReportMails } from '#server/report-mails/report-mails.ts';
import { openReportThread } from '#server/reports/report-thread.ts';
import { SECRETS_KEY } from '#server/test/portal.ts';

const [connection = '{}', port, now] = process.argv.slice(2);
const publicUrl = 'https://portaal.nl';
const warn = (what: string, reason: string) => void process.stderr.write(`${what}: ${reason}\n`);
const database = JSON.parse(connection);
const pool = openPool(database, (message) => warn('Database', message));
await loadShards(pool);
const jobs = await openJobs(pool, warn);
const transport = openMailTransport({
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  PUBLIC_URL: publicUrl,
  DATA_DIR: '/nowhere',
});
const mail = await openMailer(jobs, transport, warn);
const secrets = deriveSecrets(SECRETS_KEY);
const files = openReportThread(database, warn);
await startReportMails({ pool, jobs, mail, files, secrets, publicUrl, warn, now: () => Number(now) });
