import type { Mail } from '#server/mail/mail.ts';
import { writeLetter } from '#server/mail/mail-message.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import type { JobInfo, JobPolicy, Jobs } from '#server/platform/jobs.ts';
import { invalid, wrongGuess } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';

/**
 * Mail about machines goes only to an address of which its account's owner has shown that they read it. Until then an account that
 * was registered by code is served nothing but 'Mijn account'.
 */
export type AddressConfirmation = {
  /** Mails a link, unless it is confirmed by then. In the caller's transaction when `db` is its client. `admitted`: by whom it was asked is let in with it. */
  ask(db: Database, accountId: number, admitted?: boolean): Promise<void>;
  /** @returns the address. @throws ProblemError 400: no link of ours, too old, or of an address that is no account's any more */
  confirm(pool: Pool, token: string): Promise<string>;
};

const PURPOSE = 'confirm address';
const VALID_DAYS = 7;
const POLICY: JobPolicy = { retries: 55, firstRetryS: 30, longestRetryS: 3_600 };

type Asked = { readonly accountId: number; readonly admitted: boolean };

export async function openAddressConfirmation(
  pool: Pool,
  jobs: Jobs,
  mail: Mail,
  secrets: Secrets,
  publicUrl: string,
  now: () => number,
): Promise<AddressConfirmation> {
  async function send({ accountId, admitted }: Asked, { id }: JobInfo): Promise<void> {
    const { rows } = await pool.query<{ email: string; organization: string; mustConfirm: boolean }>(
      `select a.email, o.clean as organization, a.must_confirm as "mustConfirm" from account a join organization o on o.id = a.organization_id
       where a.id = $1 and a.confirmed_at is null and o.is_active`,
      [accountId],
    );
    const account = rows[0];
    if (!account) return;
    const { email, organization, mustConfirm } = account;
    const until = now() + VALID_DAYS * 86_400_000;
    const token = secrets.token(PURPOSE, `${accountId} ${until} ${email}`);
    const letter = writeLetter({
      to: email,
      subject: admitted ? `Je bent toegelaten bij ${organization}` : 'Bevestig je e-mailadres',
      paragraphs: [
        admitted
          ? `Je bent toegelaten tot het portaal van ${organization}: je kunt nu inloggen.`
          : `Met dit adres is een account gemaakt in het portaal van ${organization}.`,
        `Bevestig dat je deze mail leest. ${mustConfirm ? 'Pas daarna zie je in het portaal iets van de organisatie.' : 'Pas daarna krijg je mail over machines.'} De link is ${VALID_DAYS} dagen geldig.`,
        'Ken je dit portaal niet? Dan hoef je niets te doen.',
      ],
      link: { label: 'Bevestig je e-mailadres', url: `${publicUrl}/bevestigen#${token}` },
    });
    await mail.send(letter, id);
  }
  const queue = await jobs.queue<Asked>('confirm-address', POLICY, send);

  return {
    ask: (db, accountId, admitted = false) => queue.add(db, { accountId, admitted }),
    confirm(confirmPool, token) {
      const asked = readToken(secrets, token);
      if (!asked)
        throw wrongGuess(
          invalid(
            'Deze link is niet geldig. Kopieer hem helemaal, of vraag bij Mijn account een nieuwe aan.',
          ),
        );
      const { accountId } = asked;
      if (asked.until < now())
        throw wrongGuess(invalid('Deze link is verlopen. Log in en vraag bij Mijn account een nieuwe aan.'), {
          accountId,
        });
      return inTransaction(confirmPool, async (client) => {
        const { rows } = await client.query<{ email: string; isNew: boolean }>(
          `select email, confirmed_at is null as "isNew" from account where id = $1 and email = $2 for update`,
          [accountId, asked.email],
        );
        const account = rows[0];
        if (!account) throw wrongGuess(invalid('Dit account bestaat niet meer.'), { accountId });
        if (!account.isNew) return account.email;
        await client.query('update account set confirmed_at = now() where id = $1', [accountId]);
        const { email } = account;
        await audit(client, { actor: email, action: 'user.confirm-address', subject: email, data: {} });
        return email;
      });
    },
  };
}

function readToken(
  secrets: Secrets,
  token: string,
): { accountId: number; until: number; email: string } | undefined {
  let text: string;
  try {
    text = secrets.readToken(PURPOSE, token);
  } catch {
    return undefined;
  }
  const [, accountId, until, email] = /^(\d+) (\d+) (.+)$/.exec(text) ?? [];
  if (email === undefined) return undefined;
  return { accountId: Number(accountId), until: Number(until), email };
}
