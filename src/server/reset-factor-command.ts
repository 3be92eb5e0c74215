import { pino } from 'pino';
import { factorResetEmail } from './auth/factor-emails.ts';
import { resetFactors } from './auth/factors.store.ts';
import { beginCommand, CommandError, errorSentence } from './command.ts';
import { type Mailer, openMailQueue } from './mail/mail.ts';
import { isPlainAddress } from './mail/mail-message.ts';
import { openExisting } from './open-database.ts';
import { audit } from './platform/audit.ts';
import { inTransaction, type Pool } from './platform/database.ts';
import { readSettings } from './settings.ts';

const USAGE = `npm run reset-factor -- EMAIL

  Takes the second factors (passkeys, authenticator apps, recovery codes) of the account with that e-mail away and ends its
  sessions, beside a running portal or without one. They are told by mail. For who lost them and has nobody above them in the
  portal.`;

class ResetError extends CommandError {}

/** Removes the second factors of an account, and returns the account's stored e-mail address. @throws ResetError */
const reset = (pool: Pool, mail: Pick<Mailer, 'queue'>, publicUrl: string, email: string): Promise<string> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: number; email: string }>(
      'select id, email from account where lower(email) = lower($1) for no key update',
      [email],
    );
    const account = rows[0];
    if (!account) throw new ResetError(`There is no account ${email}.`);
    await resetFactors(client, account.id);
    await audit(client, {
      actor: 'npm run reset-factor',
      action: 'factor.reset',
      subject: account.email,
      data: {},
    });
    // An account that a setting created may have an invalid address, to which no e-mail can be sent.
    if (isPlainAddress(account.email)) await mail.queue(client, factorResetEmail(account.email, publicUrl));
    return account.email;
  });

async function run(): Promise<void> {
  const settings = readSettings();
  const { config, words } = settings;
  const [email, ...more] = words;
  if (!email || email.startsWith('-') || more.length > 0) throw new ResetError(USAGE);
  beginCommand(settings);
  const database = await openExisting(config, pino({ level: 'silent' }));
  try {
    const mail = await openMailQueue(database.pool);
    const account = await reset(database.pool, mail, config.PUBLIC_URL, email).finally(mail.close);
    process.stdout.write(
      `${account} has no second factor any more, and is signed out everywhere. The password stays as it is.\n`,
    );
  } finally {
    await database.close();
  }
}

/** Runs `npm run reset-factor -- EMAIL`. */
await run().catch((error: Error) => {
  process.stderr.write(`${errorSentence(error)}\n`);
  process.exitCode = 1;
});
