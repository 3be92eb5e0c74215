import type { Database } from '#server/platform/database.ts';
import { asSerial } from '#server/streams/streams.store.ts';
import type { LogEntry, LogFilter } from '#shared/contract/log.ts';
import type { Scope } from '#shared/domain/access.ts';
import { goneAccount, PORTAL_STAFF, programWords } from '#shared/domain/log-words.ts';

type Row = {
  readonly cursor: string;
  readonly at: Date;
  readonly action: string;
  readonly actor: string | null;
  readonly actorId: number | null;
  readonly actorOrganizationId: number | null;
  readonly actorName: string | null;
  readonly actorEmail: string | null;
  readonly address: string;
  readonly device: string;
  readonly subject: string;
  readonly isMachine: boolean;
  readonly accountId: number | null;
  readonly accountName: string | null;
  readonly accountEmail: string | null;
  readonly organizationId: number | null;
  readonly organization: string | null;
  readonly data: Record<string, unknown>;
  readonly aside: Record<string, unknown>;
  readonly changes: LogEntry['changes'];
};

/** To the microsecond, as it is stored. */
const CURSOR = `to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || e.id`;

/**
 * The entries that the scope may read, newest first, from the one after `after`. Each of the questions goes along one index
 * of the table and reads no more rows than it answers, or nearly so.
 */
export async function readLog(
  db: Database,
  scope: Scope,
  filter: LogFilter,
  after: string | undefined,
  most: number,
): Promise<LogEntry[]> {
  const values: unknown[] = [];
  const given = (value: unknown): string => `$${values.push(value)}`;
  const conditions: string[] = [];
  const mine = scope.organizations === 'all' ? undefined : given(scope.organizations);
  if (mine) conditions.push(`organization_id = ${oneOf(scope, mine)}`);
  if (filter.kind) conditions.push(`kind = ${given(filter.kind)}`);
  if (filter.from) conditions.push(`at >= ${given(filter.from)}`);
  if (filter.to) conditions.push(`at < ${given(filter.to)}`);
  if (filter.machine) conditions.push(`stream_id = any (${given(await streamsCalled(db, filter.machine))})`);
  if (after) {
    const [at, id] = after.split('_');
    conditions.push(`(at, id) < (${given(at)}::timestamptz, ${given(id)}::bigint)`);
  }
  const limit = given(most);
  const part = (person?: string) => `(
    select * from audit where ${[...conditions, ...(person ? [person] : []), 'true'].join(' and ')}
    order by at desc, id desc limit ${limit})`;
  const { person } = filter;
  // Who is not of the organization is nobody there: asking for them tells nothing of them.
  const ofOwn = mine ? ' and actor_organization_id = organization_id' : '';
  const entries = person
    ? `(${part(`actor_id = ${given(person)}${ofOwn}`)} union ${part(`account_id = ${given(person)}`)} order by at desc, id desc limit ${limit})`
    : part();
  const { rows } = await db.query<Row>(
    `select ${CURSOR} as cursor, e.at, e.action, e.actor, e.actor_id as "actorId",
       e.actor_organization_id as "actorOrganizationId", by.name as "actorName", by.email as "actorEmail", e.address, e.device, e.subject,
       e.stream_id is not null as "isMachine", e.account_id as "accountId", about.name as "accountName",
       about.email as "accountEmail",
       e.organization_id as "organizationId", o.clean as organization, e.data, e.aside, e.changes
     from ${entries} as e
     left join account by on by.id = e.actor_id
     left join account about on about.id = e.account_id
     left join organization o on o.id = e.organization_id
     order by e.at desc, e.id desc`,
    values,
  );
  return rows.map((row) => told(row, scope));
}

/** A scope has one organization so far; an index is then read in its order. */
const oneOf = ({ organizations }: Scope, list: string): string =>
  organizations.length === 1 ? `(${list}::integer[])[1]` : `any (${list}::integer[])`;

/** The machines and LMB loggers that have that number, or had it at a time that the log knows. */
async function streamsCalled(db: Database, text: string): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select id from stream where lower(serial) = lower($1)
     union select stream_id from audit where lower(subject) = lower($1) and stream_id is not null`,
    [asSerial(text)],
  );
  return rows.map(({ id }) => id);
}

function told(row: Row, scope: Scope): LogEntry {
  const seesAll = scope.organizations === 'all';
  // An administrator's name and address are not the customer's to know.
  const isStranger = !seesAll && row.actorId !== null && row.actorOrganizationId !== row.organizationId;
  return {
    cursor: row.cursor,
    at: row.at.toISOString(),
    action: row.action,
    who: isStranger
      ? { name: PORTAL_STAFF }
      : row.actorId === null
        ? { name: programWords(row.actor) }
        : person(row.actorId, row.actorName, row.actorEmail),
    address: isStranger ? '' : row.address,
    device: isStranger ? '' : row.device,
    subject: row.subject,
    isMachine: row.isMachine,
    ...(row.accountId !== null && {
      account: person(row.accountId, row.accountName, row.accountEmail),
    }),
    ...(seesAll &&
      row.organizationId !== null && {
        organization: row.organization ?? `verwijderde organisatie ${row.organizationId}`,
      }),
    data: seesAll ? { ...row.data, ...row.aside } : row.data,
    changes: row.changes,
  };
}

const person = (id: number, name: string | null, email: string | null): LogEntry['who'] =>
  name !== null && email !== null ? { id, name, email } : { id, name: email ?? goneAccount(id) };

/** Removes what was kept for that long, a part at a time. */
export const expireLog =
  (days: number) =>
  async (db: Database): Promise<void> =>
    void (await db.query('select expire_log($1)', [days]));
