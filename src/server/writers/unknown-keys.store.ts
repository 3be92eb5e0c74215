import type { Database, Transaction } from '#server/platform/database.ts';
import type { UnknownKey } from '#shared/contract/writers.ts';

const SHOWN_UNKNOWN_KEYS = 200;
const UNKNOWN_KEYS = 1_000;

/**
 * SQL sort order for unknown keys: first the keys that were used in the last month and once belonged to a logger, so that a flood of
 * invented keys does not displace them; then the newest.
 */
const BY_INTEREST = `(u.last_seen_at > now() - interval '30 days'
  and exists (select from writer_key where access_key = u.access_key)) desc, u.last_seen_at desc`;

/**
 * Returns SQL for a JSON object about a stream, with the fields that an administrator sees.
 * @param stream the SQL expression for the stream's id
 */
const machineOf = (stream: string): string => `(
  select json_build_object('kind', s.kind, 'serial', s.serial, 'alias', s.alias, 'organization', o.name, 'isDeleted', s.deleted_at is not null)
  from stream s join ownership n on n.stream_id = s.id and n.valid_to = 'infinity' join organization o on o.id = n.organization_id
  where s.id = ${stream}
)`;

/** SQL for the serial number of the logger to which a folder belongs. */
const SERIAL = `coalesce(substring(folder from '_SN([0-9]{7})(?:/|$)'), substring(folder from '^([0-9A-F]{8})(?:/|$)'))`;

type Row = Pick<UnknownKey, 'accessKey' | 'count' | 'folder' | 'loggerId' | 'reportsFor'> & {
  readonly first: Date;
  readonly last: Date;
  readonly formerLogger: string | null;
  readonly formerMachine: UnknownKey['reportsFor'];
  readonly endedAt: Date | null;
};

/**
 * Returns the refused keys, the last used first. Each has the folder that the sender named, the machine for which the logger of that
 * folder reports now, and, if the key was once valid, the logger and machine to which it belonged.
 */
export async function unknownKeys(db: Database): Promise<UnknownKey[]> {
  const { rows } = await db.query<Row>(
    `select u.access_key, u.first_seen_at as first, u.last_seen_at as last, u.count::float8 as count, u.folder,
       coalesce(u.serial, '') as logger_id, ${machineOf('w.stream_id')} as reports_for,
       f.logger_serial as former_logger, ${machineOf('f.stream_id')} as former_machine, k.retired_at as ended_at
     from (select *, ${SERIAL} as serial from unknown_key) as u
     left join writer w on w.logger_serial = u.serial and w.valid_to = 'infinity'
     left join writer_key k on k.access_key = u.access_key and k.retired_at is not null
     left join writer f on f.id = k.writer_id
     order by ${BY_INTEREST} limit $1`,
    [SHOWN_UNKNOWN_KEYS],
  );
  const newestFirst = rows.sort((a, b) => b.last.getTime() - a.last.getTime());
  return newestFirst.map(({ first, last, formerLogger, formerMachine, endedAt, ...key }) => ({
    ...key,
    firstSeen: first.toISOString(),
    lastSeen: last.toISOString(),
    former:
      formerLogger !== null && formerMachine && endedAt
        ? { loggerId: formerLogger, machine: formerMachine, endedAt: endedAt.toISOString() }
        : null,
  }));
}

/** Uses of an unknown key. `folder`: the folder of the last upload, '' if no upload named a folder. */
export type UnknownKeyUse = {
  readonly accessKey: string;
  readonly count: number;
  readonly folder: string;
};

/**
 * Counts uses of unknown keys.
 * @param uses the uses, sorted by key, so that two processes cannot deadlock
 */
export async function recordUnknownKeyUses(db: Database, uses: readonly UnknownKeyUse[]): Promise<void> {
  await db.query(
    `insert into unknown_key as u (access_key, count, folder) select * from unnest($1::text[], $2::bigint[], $3::text[])
     on conflict (access_key) do update set last_seen_at = now(), count = u.count + excluded.count,
       folder = coalesce(nullif(excluded.folder, ''), u.folder)`,
    [
      uses.map(({ accessKey }) => accessKey),
      uses.map(({ count }) => count),
      uses.map(({ folder }) => folder),
    ],
  );
}

/**
 * Returns SQL for the unknown keys of those loggers that report for no stream.
 * @param serials the SQL expression for the loggers' serial numbers
 */
export const unknownKeysOfLoggersSql = (
  serials: string,
): string => `unknown_key where ${SERIAL} = any (${serials})
  and not exists (select from writer w where w.logger_serial = ${SERIAL} and w.valid_to = 'infinity')`;

/**
 * Deletes the unknown keys of a deleted customer's loggers, because their folders name the customer's machines. Locks the table, because
 * the loggers may still be uploading: the uses of their keys are written only after the transaction.
 */
export async function deleteKeysOfLoggers(db: Transaction, loggerSerials: readonly string[]): Promise<void> {
  await db.query('lock table unknown_key in share row exclusive mode');
  await db.query(`delete from ${unknownKeysOfLoggersSql('$1')}`, [loggerSerials]);
}

/** Deletes all unknown keys except the first 1,000 in the order BY_INTEREST. */
export async function deleteUnknownKeys(db: Database): Promise<void> {
  await db.query(
    `delete from unknown_key where access_key in (
       select access_key from unknown_key as u order by ${BY_INTEREST} offset $1
     )`,
    [UNKNOWN_KEYS],
  );
}
