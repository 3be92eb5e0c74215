import type { Database, Transaction } from '#server/platform/database.ts';
import { accountIdByEmailSql, accountNameSql } from '#server/platform/people.ts';
import type { RedecodedReadingCounts, Redecoding } from '#shared/contract/definition.ts';

/** A period in which a definition decoded the files, from and to in ms; null: no limit. */
export type DefinitionPeriod = {
  readonly definitionId: number;
  readonly from: number | null;
  readonly to: number | null;
};

export const isInDefinitionPeriod = (
  { from, to }: Omit<DefinitionPeriod, 'definitionId'>,
  time: number,
): boolean => (from === null || from <= time) && (to === null || time < to);

/** Number of replaced readings, and number of replaced values by the name of their signal. */
export type RedecodingCounts = {
  readings: RedecodedReadingCounts;
  signals: Record<string, RedecodedReadingCounts>;
};

/** A binding whose files are read. `former`: the definitions that have decoded these files until now. */
export type DecodedBinding = {
  readonly writerId: number;
  readonly loggerSerial: string;
  readonly bound: Omit<DefinitionPeriod, 'definitionId'>;
  readonly former: readonly DefinitionPeriod[];
};

/** The re-decoding of one stream. */
export type RedecodingRow = {
  readonly streamId: number;
  readonly loggerSerial: string;
  /** The present definition, which decodes all files from `from` on. */
  readonly definitionId: number;
  /** The bindings of every logger that reported for the stream. */
  readonly bindings: readonly DecodedBinding[];
  readonly from: number | null;
  readonly preview: boolean;
  /** Identifies this re-decoding: every re-decoding of the stream has a different time. */
  readonly startedAt: string;
  readonly state: Redecoding['state'];
  readonly outcome: RedecodingCounts;
};

const ms = (column: string): string =>
  `case when isfinite(${column}) then extract(epoch from ${column})::float8 * 1000 end`;

export async function readRedecoding(db: Database, streamId: number): Promise<RedecodingRow | undefined> {
  const { rows } = await db.query<RedecodingRow>(
    `select r.stream_id, w.logger_serial,
       r.definition_id, r.bindings, ${ms('r.from_time')} as "from", r.preview,
       r.started_at::text as started_at, r.state, r.outcome
     from redecoding r join writer w on w.id = r.writer_id where r.stream_id = $1`,
    [streamId],
  );
  return rows[0];
}

export async function redecodingView(db: Database, streamId: number): Promise<Redecoding | null> {
  const { rows } = await db.query<
    Omit<Redecoding, keyof RedecodingCounts | 'from' | 'startedAt'> & {
      from: Date | null;
      startedAt: Date;
      outcome: RedecodingCounts;
    }
  >(
    `select preview, nullif(from_time, '-infinity') as "from", ${accountNameSql('started_by')} as started_by,
       started_at, state,
       files_done, files, covers, findings, outcome
     from redecoding where stream_id = $1`,
    [streamId],
  );
  const [row] = rows;
  if (!row) return null;
  const { outcome, from, startedAt, ...view } = row;
  return { ...view, from: from?.toISOString() ?? null, startedAt: startedAt.toISOString(), ...outcome };
}

export type NewRedecoding = Pick<RedecodingRow, 'streamId' | 'definitionId' | 'bindings' | 'preview'> & {
  readonly writerId: number;
  readonly from: Date | '-infinity';
  /** An e-mail address; the account's id is stored. */
  readonly startedBy: string;
};

/** Stores a new re-decoding. @returns its start time, which identifies it */
export async function beginRedecoding(db: Transaction, begun: NewRedecoding): Promise<string> {
  const { streamId, writerId, definitionId, bindings, from, preview, startedBy } = begun;
  await db.query('delete from redecoding where stream_id = $1', [streamId]);
  const { rows } = await db.query<{ startedAt: string }>(
    `insert into redecoding (stream_id, writer_id, definition_id, bindings, from_time, preview, started_by)
     values ($1, $2, $3, $4, $5, $6, ${accountIdByEmailSql('$7')}) returning started_at::text as started_at`,
    [streamId, writerId, definitionId, JSON.stringify(bindings), from, preview, startedBy],
  );
  return rows[0]?.startedAt as string;
}

/**
 * Returns every binding of a stream that did not end before `from`, earliest first, with the definitions that decoded
 * its files.
 */
export async function readDecodedBindings(
  db: Database,
  streamId: number,
  from: Date | '-infinity',
): Promise<DecodedBinding[]> {
  const { rows } = await db.query<Omit<DecodedBinding, 'former'>>(
    `select id as writer_id, logger_serial,
       json_build_object('from', ${ms('valid_from')}, 'to', ${ms('valid_to')}) as bound
     from writer where stream_id = $1 and valid_to > $2 order by valid_to, id`,
    [streamId, from],
  );
  const bindings: DecodedBinding[] = [];
  for (const row of rows) bindings.push({ ...row, former: await periodsOf(db, row.writerId) });
  return bindings;
}

/** Returns the definitions that have decoded the files of a binding until now. */
async function periodsOf(db: Database, writerId: number): Promise<DefinitionPeriod[]> {
  const { rows } = await db.query<{ definitionId: number; to: number | null }>(
    `select definition_id, ${ms('until')} as "to" from (
       select definition_id, until from former_definition where writer_id = $1
       union all select definition_id, 'infinity' from writer where id = $1 and definition_id is not null
     ) as had order by until`,
    [writerId],
  );
  return rows.map(({ definitionId, to }, n) => ({ definitionId, from: rows[n - 1]?.to ?? null, to }));
}

/** Assigns this definition to the files of a binding from `from` on, including files that arrive late. */
export async function endFormerDefinitions(
  db: Transaction,
  writerId: number,
  definitionId: number,
  from: Date | '-infinity',
): Promise<void> {
  await db.query(
    `insert into former_definition (writer_id, until, definition_id)
     select id, $3, definition_id from writer w
     where id = $1 and definition_id <> $2 and isfinite($3::timestamptz) and valid_from < $3
       and not exists (select from former_definition f where f.writer_id = w.id and f.until > $3)
     on conflict do nothing`,
    [writerId, definitionId, from],
  );
  await db.query(
    `insert into former_definition (writer_id, until, definition_id)
     select writer_id, $2, definition_id from former_definition
     where writer_id = $1 and until > $2 and isfinite($2::timestamptz) order by until limit 1
     on conflict do nothing`,
    [writerId, from],
  );
  await db.query('delete from former_definition where writer_id = $1 and until > $2', [writerId, from]);
  await db.query('update writer set definition_id = $2 where id = $1 and definition_id is distinct from $2', [
    writerId,
    definitionId,
  ]);
}

/** Stores the progress, unless another re-decoding of the stream has started since. @returns whether it was stored */
export async function storeRedecodingProgress(
  db: Database,
  { streamId, startedAt }: RedecodingRow,
  progress: {
    readonly state: Redecoding['state'];
    readonly filesDone?: number;
    readonly files?: number;
    readonly covers?: Redecoding['covers'];
    readonly findings?: readonly string[];
    readonly outcome?: RedecodingCounts;
  },
): Promise<boolean> {
  const { state, filesDone, files, covers, findings, outcome } = progress;
  const { rowCount } = await db.query(
    `update redecoding set state = $3, files_done = coalesce($4, files_done), files = coalesce($5, files),
       findings = coalesce($6, findings), outcome = coalesce($7, outcome), covers = coalesce($8, covers)
     where stream_id = $1 and started_at = $2::timestamptz`,
    [
      streamId,
      startedAt,
      state,
      filesDone,
      files,
      findings,
      outcome && JSON.stringify(outcome),
      covers && JSON.stringify(covers),
    ],
  );
  return rowCount === 1;
}

/** Returns the times for which a former owner's readings of a stream were permanently erased (decision 60). */
export async function readErasedPeriods(
  db: Database,
  streamId: number,
): Promise<Omit<DefinitionPeriod, 'definitionId'>[]> {
  const { rows } = await db.query<Omit<DefinitionPeriod, 'definitionId'>>(
    `select ${ms('w.valid_from')} as "from", ${ms('w.valid_to')} as "to"
     from erased_period e join ownership w on w.id = e.ownership_id where w.stream_id = $1`,
    [streamId],
  );
  return rows;
}
