import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import { visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import type { AlertPreferences } from '#shared/contract/alerts.ts';
import { DAILY_MAIL_AT, DEFAULT_QUIET_HOURS, type QuietHours } from '#shared/domain/alerts/quiet-hours.ts';
import { amsterdamInstant, wallClockOf } from '#shared/domain/amsterdam-time.ts';
import { lockAlert } from './alert-list.store.ts';

/** Notification preferences and mutes of an account. */

type Preferences = Pick<AlertPreferences, 'byMail' | 'byPush' | 'quiet'>;
const USUAL: Preferences = { byMail: true, byPush: true, quiet: DEFAULT_QUIET_HOURS };

async function preferencesOf(db: Database, accountId: number): Promise<Preferences> {
  const { rows } = await db.query<{
    byMail: boolean;
    byPush: boolean;
    from: string | null;
    to: string | null;
  }>(
    `select by_mail, by_push, quiet_from as from, quiet_to as to from alert_preference
     where account_id = $1`,
    [accountId],
  );
  const [row] = rows;
  if (!row) return USUAL;
  const { byMail, byPush, from, to } = row;
  return { byMail, byPush, quiet: from !== null && to !== null ? { from, to } : null };
}

/**
 * Returns the caller's preferences and active mutes, without mutes of machines that the caller no longer sees.
 * @param now ms
 */
export async function readPreferences(db: Database, caller: Caller, now: number): Promise<AlertPreferences> {
  const { rows: mutes } = await db.query<
    Omit<AlertPreferences['mutes'][number], 'until'> & { ends: Date | null }
  >(
    `select m.id as _id, r.name as rule, case when isfinite(m.until) then m.until end as ends,
       case when s.id is not null then json_build_object('serialNumber', s.serial, 'alias', s.alias) end as machine
     from alert_mute m
       left join alert_rule r on r.id = m.rule_id and ($2::integer[] is null or r.organization_id = any ($2))
       left join ${visibleStreamsSql(caller.scope)} on s.id = m.stream_id
     where m.account_id = $3 and m.until > $4 and (r.id is not null or s.id is not null) order by m.until, m.id`,
    [...visibleStreamsParameters(caller.scope, ['machine']), caller.accountId, new Date(now)],
  );
  return {
    ...(await preferencesOf(db, caller.accountId)),
    mutes: mutes.map(({ ends, ...mute }) => ({ ...mute, until: ends?.toISOString() ?? null })),
  };
}

export const savePreferences = (
  pool: Pool,
  { accountId, email }: Caller,
  preferences: Preferences,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const before = await preferencesOf(client, accountId);
    const { byMail, byPush, quiet } = preferences;
    await client.query(
      `insert into alert_preference as p (account_id, by_mail, by_push, quiet_from, quiet_to)
       select id, $2, $3, $4, $5 from (select id from account where id = $1 for key share) as still
       on conflict (account_id) do update set by_mail = $2, by_push = $3, quiet_from = $4, quiet_to = $5`,
      [accountId, byMail, byPush, quiet?.from ?? null, quiet?.to ?? null],
    );
    await audit(client, {
      actor: email,
      action: 'alert.preferences',
      subject: email,
      data: {},
      before: inLog(before),
      after: inLog(preferences),
    });
  });

const inLog = ({ byMail, byPush, quiet }: Preferences) => ({ byMail, byPush, quiet: quietText(quiet) });
const quietText = (quiet: QuietHours | null): string => (quiet ? `${quiet.from}-${quiet.to}` : 'geen');

/** Ends alert mails to an account, by the link of a mail. Safe to repeat. */
export const endAlertMails = (pool: Pool, accountId: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ email: string }>(
      'select email from account where id = $1 for no key update',
      [accountId],
    );
    const { quiet, byMail, byPush } = await preferencesOf(client, accountId);
    if (!rows[0] || !byMail) return;
    await client.query(
      `insert into alert_preference (account_id, by_mail, by_push, quiet_from, quiet_to) values ($1, false, $2, $3, $4)
       on conflict (account_id) do update set by_mail = false`,
      [accountId, byPush, quiet?.from ?? null, quiet?.to ?? null],
    );
    await audit(client, {
      actor: 'unsubscribe link',
      action: 'alert.preferences',
      subject: rows[0].email,
      data: {},
      before: { byMail: true },
      after: { byMail: false },
    });
  });

type Mute = {
  readonly alert: string;
  readonly what: 'machine' | 'rule';
  readonly until: 'hour' | 'tomorrow' | 'ever';
};

/**
 * Mutes the machine or the rule of an alert for the caller.
 * @throws ProblemError 404
 */
export const mute = (pool: Pool, caller: Caller, { alert, what, until }: Mute, now: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { ruleId, streamId, serial, ruleName } = await lockAlert(client, caller, alert, now);
    const isOfMachine = what === 'machine' && streamId !== null;
    await client.query(
      `insert into alert_mute (account_id, rule_id, stream_id, until)
       select id, $2, $3, $4::timestamptz from (select id from account where id = $1 for key share) as still
       on conflict (account_id, coalesce(rule_id, 0), coalesce(stream_id, 0)) do update set until = excluded.until`,
      [caller.accountId, isOfMachine ? null : ruleId, isOfMachine ? streamId : null, endOf(until, now)],
    );
    await audit(client, {
      actor: caller.email,
      action: 'alert.mute',
      subject: caller.email,
      data: isOfMachine ? { serial } : { name: ruleName },
    });
  });

/** Returns when a mute ends; 'tomorrow' is the time of the daily mail. */
function endOf(until: Mute['until'], now: number): Date | 'infinity' {
  if (until === 'ever') return 'infinity';
  if (until === 'hour') return new Date(now + 3_600_000);
  const noon = Date.parse(`${wallClockOf(now).slice(0, 10)}T12:00Z`) + 86_400_000;
  return new Date(
    amsterdamInstant(`${new Date(noon).toISOString().slice(0, 10)} ${DAILY_MAIL_AT}`, 'first') ?? now,
  );
}

/**
 * Ends a mute of the caller.
 * @throws ProblemError 404 the caller has no such mute
 */
export const unmute = (pool: Pool, { accountId, email }: Caller, id: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rowCount } = await client.query('delete from alert_mute where id = $1 and account_id = $2', [
      id,
      accountId,
    ]);
    if (rowCount !== 1) throw notFound('Hier is niets gedempt.');
    await audit(client, { actor: email, action: 'alert.unmute', subject: email, data: {} });
  });
