import type { Database } from '#server/platform/database.ts';
import { currentAccountJsonSql } from '#server/platform/people.ts';
import { visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import { normalizeSerial } from '#server/streams/streams.store.ts';
import type { LogEntry, LogFilter } from '#shared/contract/log.ts';
import { ADMIN_ORGANIZATION, type Scope } from '#shared/domain/access.ts';
import {
  type CurrentAccount,
  maySeeClientDevice,
  personAsSeenBy,
  type ReferredPerson,
} from '#shared/domain/known-people.ts';
import { actingProgramText } from '#shared/domain/log-text.ts';

type Row = {
  readonly cursor: string;
  readonly at: Date;
  readonly action: string;
  readonly actor: string | null;
  readonly actorId: number | null;
  readonly actorOrganizationId: number | null;
  readonly wasStaff: boolean;
  readonly actorNow: CurrentAccount | null;
  readonly address: string;
  readonly device: string;
  readonly subject: string;
  readonly isMachine: boolean;
  readonly accountId: number | null;
  readonly accountOrganizationId: number | null;
  readonly accountNow: CurrentAccount | null;
  readonly organizationId: number | null;
  readonly organization: string | null;
  readonly data: Record<string, unknown>;
  readonly aside: Record<string, unknown>;
  readonly changes: LogEntry['changes'];
};

/**
 * A cursor has the time to the microsecond, as stored, and the number of the row within that instant. An id would reveal how many
 * rows all organizations have.
 */
const FIRST_OF = (at: string): string => `(select min(i.id) from audit i where i.at = ${at})`;
const CURSOR = `to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || (e.id - ${FIRST_OF('e.at')})`;

/**
 * Returns the entries that the scope may read, newest first, beginning after the entry of the cursor `after`. Each query scans one index
 * and reads hardly more rows than it returns.
 */
export async function readAuditLog(
  db: Database,
  scope: Scope,
  filter: LogFilter,
  after: string | undefined,
  most: number,
): Promise<LogEntry[]> {
  const values: unknown[] = [];
  const given = (value: unknown): string => `$${values.push(value)}`;
  const conditions: string[] = [];
  const mine =
    scope.organizations === 'all' ? undefined : /*rule:log-scope*/ given(scope.organizations) /*=undefined*/;
  if (mine) conditions.push(`organization_id = ${oneOf(scope, mine)}`);
  if (filter.kind) conditions.push(`kind = ${given(filter.kind)}`);
  if (filter.from) conditions.push(`at >= ${given(filter.from)}`);
  if (filter.to) conditions.push(`at < ${given(filter.to)}`);
  if (filter.machine)
    conditions.push(`stream_id = any (${given(await streamsCalled(db, scope, filter.machine))})`);
  if (after) {
    const [at, place] = after.split('_');
    const instant = `${given(at)}::timestamptz`;
    conditions.push(`(at, id) < (${instant}, coalesce(${FIRST_OF(instant)}, 0) + ${given(place)}::bigint)`);
  }
  const limit = given(most);
  const part = (person?: string) => `(
    select * from audit where ${[...conditions, ...(person ? [person] : []), 'true'].join(' and ')}
    order by at desc, id desc limit ${limit})`;
  const { person } = filter;
  // The condition ensures that a search for a person of another organization finds nothing in the caller's log.
  const ofOwn = (whose: string): string => (mine ? ` and ${whose} = organization_id` : '');
  const entries = person
    ? `(${part(`actor_id = ${given(person)}${ofOwn('actor_organization_id')}`)}
        union ${part(`account_id = ${given(person)}${ofOwn('account_organization_id')}`)} order by at desc, id desc limit ${limit})`
    : part();
  const { rows } = await db.query<Row>(
    `select ${CURSOR} as cursor, e.at, e.action, e.actor, e.actor_id,
       e.actor_organization_id, ${currentAccountJsonSql('e.actor_id')} as actor_now,
       coalesce(e.actor_organization_id = (select id from organization where name = '${ADMIN_ORGANIZATION}'), false) as was_staff,
       e.address, e.device, e.subject, e.stream_id is not null as is_machine, e.account_id,
       e.account_organization_id, ${currentAccountJsonSql('e.account_id')} as account_now,
       e.organization_id, o.clean as organization, e.data, e.aside, e.changes
     from ${entries} as e
     left join organization o on o.id = e.organization_id
     order by e.at desc, e.id desc`,
    values,
  );
  return rows.map((row) => toEntry(row, scope));
}

/** With a single organization, which every scope has at present, PostgreSQL reads an index in order. */
const oneOf = ({ organizations }: Scope, list: string): string =>
  organizations.length === 1 ? `(${list}::integer[])[1]` : `any (${list}::integer[])`;

/**
 * Returns the ids of the scope's machines and LMB loggers with this serial number, and of those that have it in an audit row that the
 * scope may read. If the buyer of a machine gives it another number, the seller finds nothing by that number.
 */
async function streamsCalled(db: Database, scope: Scope, text: string): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select s.id from ${visibleStreamsSql(scope)} where lower(s.serial) = lower($3)
     union select stream_id from audit
     where lower(subject) = lower($3) and stream_id is not null and ($2::integer[] is null or organization_id = any ($2))`,
    [...visibleStreamsParameters(scope), normalizeSerial(text)],
  );
  return rows.map(({ id }) => id);
}

function toEntry(row: Row, scope: Scope): LogEntry {
  const seesAll = scope.organizations === 'all';
  const { actorId, actorOrganizationId, actorNow: now, wasStaff, accountId, accountOrganizationId } = row;
  // In a row without an actor, a program acted for the account that the row is about, on the device on which a mailed link was
  // opened.
  const organizationThen = actorId === null ? accountOrganizationId : actorOrganizationId;
  const seesWhence = (actorId ?? accountId) === null || maySeeClientDevice(scope, organizationThen);
  const account = shownAccount(row, scope);
  return {
    cursor: row.cursor,
    at: row.at.toISOString(),
    action: row.action,
    who: (actorId === null
      ? undefined
      : personAsSeenBy(scope, { id: actorId, organizationThen: actorOrganizationId, wasStaff, now })) ?? {
      name: actingProgramText(row.actor),
    },
    address: seesWhence ? row.address : '',
    device: seesWhence ? row.device : '',
    subject: row.subject,
    isMachine: row.isMachine,
    ...(account && { account }),
    ...(seesAll &&
      row.organizationId !== null && {
        organization: row.organization ?? `verwijderde organisatie ${row.organizationId}`,
      }),
    data: seesAll ? { ...row.data, ...row.aside } : row.data,
    changes: row.changes,
  };
}

/** Returns the account of a row; undefined outside the scope, also for `admin`: an inviter must not learn that such an account exists. */
function shownAccount(
  { accountId, accountOrganizationId, accountNow }: Row,
  scope: Scope,
): LogEntry['account'] {
  if (accountId === null) return undefined;
  const account: ReferredPerson = {
    id: accountId,
    organizationThen: accountOrganizationId,
    wasStaff: false,
    now: accountNow,
  };
  return personAsSeenBy(scope, account);
}

/** Deletes the rows that are older than `days`, in batches. */
export const expireAuditLog =
  (days: number) =>
  async (db: Database): Promise<void> =>
    void (await db.query('select expire_log($1)', [days]));
