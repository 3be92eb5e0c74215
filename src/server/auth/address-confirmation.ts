import type { Mailer } from '#server/mail/mail.ts';
import { composeMail } from '#server/mail/mail-message.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import type { JobInfo, JobPolicy, Jobs } from '#server/platform/jobs.ts';
import { invalidInputError, markWrongGuess } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { CONFIRMATION_DAYS } from '#shared/domain/link-validity.ts';

/**
 * Confirms that an account's owner reads the mail of its address. Mail about machines goes to confirmed addresses only, and an
 * account that was registered by code may use only 'Mijn account' until its address is confirmed.
 */
export type AddressConfirmation = {
  /**
   * Queues a mail with a link, in the transaction of `db`. The job sends nothing if the address is already confirmed when it runs.
   * `admitted`: the mail also says that the registration was approved.
   */
  ask(db: Database, accountId: number, admitted?: boolean): Promise<void>;
  /**
   * Returns a link that a beheerder or administrator passes on, and that opens the portal to the account of this address in this
   * organization; undefined when a mail server sends the mail (SMTP_URL). The link is made without reading the account: if the
   * organization has no account with this address, the link looks the same, and `confirm` refuses it.
   */
  handOver(organizationId: number, email: string): string | undefined;
  /**
   * Confirms the address of the account that the link belongs to. @throws ProblemError 400 when the link is not the portal's, has
   * expired, or its account no longer exists
   */
  confirm(pool: Pool, token: string): Promise<ConfirmedAddress>;
};

/** `isHandedOver`: a person passed the link on. The portal is open to the account, but its address stays unconfirmed. */
export type ConfirmedAddress = { readonly email: string; readonly isHandedOver: boolean };

const PURPOSE = 'confirm address';
const HANDED_OVER = 'confirm address, handed over';
const POLICY: JobPolicy = { retries: 55, firstRetryS: 30, longestRetryS: 3_600 };

type Asked = { readonly accountId: number; readonly admitted: boolean };

export async function openAddressConfirmation(
  pool: Pool,
  jobs: Jobs,
  mail: Mailer,
  secrets: Secrets,
  publicUrl: string,
  now: () => number,
  hasMailServer: boolean,
): Promise<AddressConfirmation> {
  const untilMs = () => now() + CONFIRMATION_DAYS * 86_400_000;
  const linkOf = (token: string): string => `${publicUrl}/bevestigen#${token}`;
  async function send({ accountId, admitted }: Asked, { id }: JobInfo): Promise<void> {
    const { rows } = await pool.query<{ email: string; organization: string; mustConfirm: boolean }>(
      `select a.email, o.clean as organization, a.must_confirm from account a join organization o on o.id = a.organization_id
       where a.id = $1 and a.confirmed_at is null and o.is_active`,
      [accountId],
    );
    const account = rows[0];
    if (!account) return;
    const { email, organization, mustConfirm } = account;
    const token = secrets.token(PURPOSE, `${accountId} ${untilMs()} ${email}`);
    const message = composeMail({
      to: email,
      subject: admitted ? `Je bent toegelaten bij ${organization}` : 'Bevestig je e-mailadres',
      paragraphs: [
        admitted
          ? `Je bent toegelaten tot het portaal van ${organization}: je kunt nu inloggen.`
          : `Met dit adres is een account gemaakt in het portaal van ${organization}.`,
        `Bevestig dat je deze mail leest. ${mustConfirm ? 'Pas daarna zie je in het portaal iets van de organisatie.' : 'Pas daarna krijg je mail over machines.'} De link is ${CONFIRMATION_DAYS} dagen geldig.`,
        'Ken je dit portaal niet? Dan hoef je niets te doen.',
      ],
      link: { label: 'Bevestig je e-mailadres', url: linkOf(token) },
    });
    await mail.send(message, id);
  }
  const queue = await jobs.queue<Asked>('confirm-address', POLICY, send);

  return {
    ask: (db, accountId, admitted = false) => queue.add(db, { accountId, admitted }),
    handOver: (organizationId, email) =>
      hasMailServer
        ? undefined
        : linkOf(secrets.token(HANDED_OVER, `${organizationId} ${untilMs()} ${email.toLowerCase()}`)),
    confirm(confirmPool, token) {
      const handed = readToken(secrets, HANDED_OVER, token);
      if (handed) return open(confirmPool, handed, now());
      const asked = readToken(secrets, PURPOSE, token);
      if (!asked)
        throw markWrongGuess(
          invalidInputError(
            'Deze link is niet geldig. Kopieer hem helemaal, of vraag bij Mijn account een nieuwe aan.',
          ),
        );
      const { id: accountId } = asked;
      if (asked.until < now())
        throw markWrongGuess(
          invalidInputError('Deze link is verlopen. Log in en vraag bij Mijn account een nieuwe aan.'),
          {
            accountId,
          },
        );
      return inTransaction(confirmPool, async (client) => {
        const { rows } = await client.query<{ email: string; isNew: boolean }>(
          `select email, confirmed_at is null as is_new from account where id = $1 and email = $2 for update`,
          [accountId, asked.email],
        );
        const account = rows[0];
        if (!account) throw markWrongGuess(invalidInputError(GONE), { accountId });
        const { email } = account;
        const confirmed = { email, isHandedOver: false };
        if (!account.isNew) return confirmed;
        await client.query('update account set confirmed_at = now() where id = $1', [accountId]);
        await audit(client, { actor: email, action: 'user.confirm-address', subject: email, data: {} });
        return confirmed;
      });
    },
  };
}

const GONE = 'Dit account bestaat niet meer.';

/** Opens the portal to the account of a link that a person passed on. Its address stays unconfirmed. */
const open = (pool: Pool, { id, until, email }: Token, now: number): Promise<ConfirmedAddress> =>
  inTransaction(pool, async (client) => {
    if (until < now)
      throw markWrongGuess(invalidInputError('Deze link is verlopen. Vraag je beheerder om een nieuwe.'), {
        email,
      });
    const { rows } = await client.query<{ id: number; email: string; mustConfirm: boolean }>(
      `select id, email, confirmed_at is null and must_confirm as must_confirm from account
       where organization_id = $1 and lower(email) = $2 for update`,
      [id, email],
    );
    const account = rows[0];
    if (!account) throw markWrongGuess(invalidInputError(GONE), { email });
    const opened = { email: account.email, isHandedOver: true };
    if (!account.mustConfirm) return opened;
    await client.query('update account set must_confirm = false where id = $1', [account.id]);
    const entry = { actor: account.email, action: 'user.confirm-address', subject: account.email } as const;
    await audit(client, { ...entry, data: { handedOver: true } });
    return opened;
  });

/** `id`: the account's; in a link that a person passed on, the organization's. */
type Token = { readonly id: number; readonly until: number; readonly email: string };

function readToken(secrets: Secrets, purpose: string, token: string): Token | undefined {
  const text = secrets.readToken(purpose, token) ?? '';
  const [, id, until, email] = /^(\d+) (\d+) (.+)$/.exec(text) ?? [];
  if (email === undefined) return undefined;
  return { id: Number(id), until: Number(until), email };
}
