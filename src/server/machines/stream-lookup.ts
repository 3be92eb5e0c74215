import type { Database, Transaction } from '#server/platform/database.ts';
import { invalid, notFound } from '#server/platform/problem.ts';

/** A machine or LMB logger that is there, as an administrator's change finds it. */
export type StreamRow = {
  readonly id: number;
  readonly kind: 'machine' | 'logger';
  readonly serial: string;
  readonly alias: string;
  readonly organizationId: number;
  /** Functional and display name of its present owner. */
  readonly organization: string;
  readonly organizationName: string;
};

const UNKNOWN = {
  machine: 'Deze machine bestaat niet.',
  any: 'Deze machine of logger bestaat niet.',
} as const;

/** What was typed or sent, in the one spelling that is stored; text that no stream can have finds nothing. */
export const asSerial = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cc}|\p{Cs}/gu, '\uFFFD')
    .trim();

const READ = `select s.id, s.kind, s.serial, s.alias, o.id as "organizationId", o.name as organization, o.clean as "organizationName"
  from stream s
  join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
  join organization o on o.id = w.organization_id
  where s.serial = $1 and s.deleted_at is null`;

/**
 * The machine or LMB logger of that serial number or loggerid; nobody else changes it until the transaction ends.
 * @throws ProblemError 404
 */
export async function lockStream(db: Transaction, serial: string, kind?: 'machine'): Promise<StreamRow> {
  const found = await findStreamRow(db, serial, kind);
  // Locked first and read again: who changed it meanwhile has committed now.
  const { rowCount } = await db.query(
    'select from stream where id = $1 and deleted_at is null for no key update',
    [found.id],
  );
  const row = await findStreamRow(db, serial, kind);
  if (!rowCount || row.id !== found.id) throw notFound(UNKNOWN[kind ?? 'any']);
  return row;
}

/** @throws ProblemError 404 */
export async function findStreamRow(db: Database, serial: string, kind?: 'machine'): Promise<StreamRow> {
  const { rows } = await db.query<StreamRow>(READ, [asSerial(serial)]);
  const row = rows[0];
  if (!row || (kind !== undefined && row.kind !== kind)) throw notFound(UNKNOWN[kind ?? 'any']);
  return row;
}

/**
 * The reference machine that somebody means: by its serial number, else by 'brand alias' or alias where exactly one
 * machine has it (DESIGN.md section 4). `own`: the stream that asks; naming itself, or nothing, is no reference.
 * @returns its stream id, and its serial number
 * @throws ProblemError 400 for none, or for more than one
 */
export async function findReference(
  db: Database,
  text: string | undefined,
  own: string,
): Promise<{ id: number; serial: string } | undefined> {
  const wanted = asSerial(text ?? '');
  if (wanted === '' || wanted === own) return undefined;
  const matches = await machinesNamed(db, wanted, 'all');
  if (matches.length === 0) throw invalid(`Vergelijkbare machine '${wanted}' bestaat niet.`);
  if (matches.length > 1)
    throw invalid(`Meer machines heten '${wanted}'. Geef het serienummer van de vergelijkbare machine.`);
  return matches[0];
}

/**
 * Machines with that serial number; when there is none, those with that 'brand alias' or alias; of these
 * organizations only.
 */
export async function machinesNamed(
  db: Database,
  text: string,
  organizations: 'all' | readonly number[],
): Promise<{ id: number; serial: string }[]> {
  const { rows } = await db.query<{ id: number; serial: string; exact: boolean }>(
    `select s.id, s.serial, s.serial = $1 as exact
     from stream s join machine m on m.stream_id = s.id
     join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
     where s.deleted_at is null and (s.serial = $1 or s.alias = $1 or m.brand || ' ' || s.alias = $1)
       and ($2::integer[] is null or w.organization_id = any ($2))
     order by exact desc, s.id limit 3`,
    [asSerial(text), organizations === 'all' ? null : organizations],
  );
  return rows[0]?.exact ? rows.slice(0, 1) : rows;
}
