import { readPreferences } from '#server/alerts/preferences.store.ts';
import { type Caller, SESSION_IS_VALID_SQL } from '#server/auth/sessions.ts';
import { listLabels } from '#server/labels/labels.store.ts';
import { accessLimitViewSql } from '#server/organizations/limits.store.ts';
import type { Database } from '#server/platform/database.ts';
import { listReportSubscriptions } from '#server/report-mails/report-subscriptions.store.ts';
import { maySeeClientDevice } from '#shared/domain/known-people.ts';
import { logFieldValueText } from '#shared/domain/log-fields.ts';
import { listOwnSubscriptions } from './own-subscriptions.ts';

/** Maximum number of audit rows in the download, the newest: some megabytes. */
const MAX_ROWS = 10_000;

/**
 * Returns all data that is stored about the caller (GDPR articles 15 and 20), under Dutch names. Secrets are left out: the
 * database has only hashes of passwords and sessions.
 */
export async function readPersonalData(db: Database, caller: Caller): Promise<Record<string, unknown>> {
  const { accountId } = caller;
  const rowsOf = async (sql: string, values: readonly unknown[] = [accountId]) =>
    (await db.query<Record<string, unknown>>(sql, [...values])).rows;
  const [account] = await rowsOf(
    `select a.email as "e-mailadres", a.name as naam, o.clean as organisatie, a.role as rol, ${accessLimitViewSql('a')} as beperking, a.created_at as gemaakt,
       a.confirmed_at as "adres bevestigd",
       (select count(*)::int from recovery_code c where c.account_id = a.id) as "herstelcodes over"
     from account a join organization o on o.id = a.organization_id where a.id = $1`,
  );
  return {
    account,
    'inloggen via de organisatie': await rowsOf(
      'select issuer as inlogdienst, subject as kenmerk, linked_at as gekoppeld from account_identity where account_id = $1',
    ),
    'tweede stap': await rowsOf(
      `select kind as soort, name as naam, created_at as toegevoegd, last_used_at as "laatst gebruikt", disabled_at as geblokkeerd
       from factor where account_id = $1 order by created_at`,
    ),
    sessies: await rowsOf(
      `select s.created_at as begin, s.last_used_at as "laatst gebruikt", s.address as adres, s.user_agent as apparaat
       from session s join account a on a.id = s.account_id join organization o on o.id = a.organization_id
       where a.id = $1 and ${SESSION_IS_VALID_SQL} order by s.last_used_at desc`,
    ),
    'bekende browsers': await rowsOf(
      `select last_used_at as "laatst gebruikt" from known_device where account_id = $1 order by 1 desc`,
    ),
    'meldingen op apparaten': await rowsOf(
      `select p.created_at as sinds, p.sent_at as "laatst verstuurd", s.user_agent as apparaat
       from push_subscription p join session s on s.id = p.session_id where s.account_id = $1 order by 1`,
    ),
    meldingen: await rowsOf(
      `select by_mail as "per mail", by_push as "op apparaten", quiet_from as "stil van", quiet_to as "stil tot"
       from alert_preference where account_id = $1`,
    ),
    'gedempte meldingen': (await readPreferences(db, caller, Date.now())).mutes.map(
      ({ rule, machine, until }) => ({ regel: rule, machine: machine?.serialNumber ?? null, tot: until }),
    ),
    'eigen regels voor meldingen': await rowsOf(
      `select name as naam, kind as soort, settings as grenzen, is_on as aan from alert_rule where account_id = $1 and kind <> 'charging' order by lower(name), id`,
    ),
    laadupdates: (await listOwnSubscriptions(db, caller)).map(({ serialNumber, alias, organization }) => ({
      serienummer: serialNumber,
      naam: alias,
      organisatie: organization,
    })),
    favorieten: (await listLabels(db, caller.scope, accountId)).favourites,
    'rapporten per mail': (await listReportSubscriptions(db, caller)).map(
      ({ report, rhythm, projects, machines, labels }) => ({
        rapport: report,
        'hoe vaak': logFieldValueText('rhythm', rhythm),
        projecten: projects?.map(({ projectName }) => projectName) ?? 'alle',
        machines: machines?.map(({ serialNumber }) => serialNumber) ?? 'alle',
        ...(labels && { labels: labels.map(({ labelName }) => labelName) }),
      }),
    ),
    uitnodigingen: await rowsOf(
      `select i.email as aan, o.clean as organisatie, i.role as rol, i.created_at as verstuurd, i.expires_at as "geldig tot",
         i.ended_as as afloop
       from invitation i join organization o on o.id = i.organization_id where i.invited_by = $1 order by i.created_at, i.id`,
    ),
    logboek: await ownLog(db, caller),
  };
}

type LogLine = Record<string, unknown> & {
  readonly actorId: number | null;
  readonly organizationId: number | null;
};

/** Returns the audit rows by or about the caller, without the address and device of other people. */
async function ownLog(db: Database, { accountId, scope }: Caller): Promise<Record<string, unknown>[]> {
  const { rows } = await db.query<LogLine>(
    `select actor_id, actor_organization_id as organization_id, at as tijd,
       actor_id = $1 as "door mij", action as wat, subject as waarover, address as adres,
       device as apparaat, data as gegevens, changes as wijzigingen
     from audit where actor_id = $1 or account_id = $1 order by id desc limit $2`,
    [accountId, MAX_ROWS],
  );
  return rows.map(({ actorId, organizationId, ...line }) =>
    actorId === null || actorId === accountId || maySeeClientDevice(scope, organizationId)
      ? line
      : { ...line, adres: '', apparaat: '' },
  );
}
