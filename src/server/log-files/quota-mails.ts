import type { Mailer } from '#server/mail/mail.ts';
import { composeMail } from '#server/mail/mail-message.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import {
  type NearlyUsedQuota,
  quotaSentence,
  readNearlyUsedQuotas,
} from '#server/writers/log-quota-notices.ts';
import type { LogQuotas } from '#server/writers/log-quotas.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

/** Mails every administrator that a quota of log files is nearly used: once per organization and day, across processes and restarts. */
export async function sendQuotaMails(
  pool: Pool,
  mail: Mailer,
  quotas: LogQuotas,
  publicUrl: string,
  now: number,
): Promise<void> {
  const used = await readNearlyUsedQuotas(pool, quotas, now);
  for (const [organizationId, uses] of Map.groupBy(used, (use) => use.organizationId)) {
    await inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        'update organization set log_quota_told_on = $2 where id = $1 and log_quota_told_on is distinct from $2',
        [organizationId, amsterdamDay(now)],
      );
      if (rowCount === 1) await queue(client, mail, uses, publicUrl);
    });
  }
}

async function queue(
  client: Transaction,
  mail: Mailer,
  uses: readonly NearlyUsedQuota[],
  publicUrl: string,
): Promise<void> {
  const { rows } = await client.query<{ to: string }>(
    `select a.email as to from account a join organization o on o.id = a.organization_id
     where o.name = $1 and a.confirmed_at is not null order by a.id`,
    [ADMIN_ORGANIZATION],
  );
  for (const { to } of rows) {
    const letter = composeMail({
      to,
      subject: `Logbestanden van ${uses[0]?.organization}: bijna vol`,
      paragraphs: [
        ...uses.map(quotaSentence),
        'De grenzen zijn de instellingen LOG_MIB_PER_KEY_DAY en LOG_MIB_PER_ORGANIZATION van het portaal.',
      ],
      link: { label: 'Naar de machines', url: `${publicUrl}/machine/` },
    });
    await mail.queue(client, letter);
  }
}
