import { byteaArray, integerArray, textArray } from '#server/platform/binary-array.ts';
import { inTransaction, type Pool, withTimeLimit } from '#server/platform/database.ts';
import { shardCount } from '#server/platform/shards.ts';
import type { DeliveryFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { Signals } from '#shared/domain/signal.ts';
import {
  type QuarantineEntry,
  quarantineClauseParameters,
  quarantineClausesSql,
} from './quarantine.store.ts';
import type { StreamReading } from './readings/signal-columns.ts';
import { storeAcrossShards, storeShardReadings, storeWithKnownState } from './readings.store.ts';
import { findingsToJson } from './stored-findings.ts';
import type { ReadingOutcome, StreamChange } from './stream-change.ts';
import type { StreamStateCache } from './stream-state-cache.ts';

/** A document that a logger uploaded, kept for HEAD, GET and LIST. */
export type DocumentRow = {
  readonly loggerSerial: string;
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Findings of the processing of the document, which screens show as texts. */
  readonly outcome: readonly DeliveryFinding[];
  readonly body: Buffer;
};

/** An item of the write queue: a document, and its reading or the reason why it is quarantined. */
export type QueuedCommit = {
  readonly document: DocumentRow;
  readonly reading: StreamReading | undefined;
  readonly quarantined?: Pick<QuarantineEntry, 'reason' | 'readings'> | undefined;
};
/** Outcome of the reading, if there was one. */
export type CommitOutcome = ReadingOutcome | undefined;

const DOCUMENTS = `document as (
    insert into object as o (logger_serial, key, size, etag, content_type, metadata, outcome, body)
    select * from unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::jsonb[], $7::jsonb[], $8::bytea[])
    where (select xmin is not null from stored)
    on conflict (logger_serial, key) do update set size = excluded.size, etag = excluded.etag,
      content_type = excluded.content_type, metadata = excluded.metadata, outcome = excluded.outcome,
      body = excluded.body, modified_at = excluded.modified_at
  )`;
/** Separate from DOCUMENTS, because few groups contain a quarantined document, and unused parts of a statement take time too. */
const DOCUMENTS_AND_QUARANTINE = `${DOCUMENTS}, ${quarantineClausesSql(9)}`;

/**
 * Stores a group, all or nothing. First locks the streams in the order of their ids, and then the documents in the order of the
 * arrays, so that concurrent groups, in this process or another one, cannot deadlock.
 * @param items items of one shard
 * @param known cached rows of the streams; updated with the result of the group
 * @returns one outcome per item, in the order of the items
 */
export async function storeGroup(
  pool: Pool,
  known: StreamStateCache,
  items: readonly QueuedCommit[],
  noAnswerMs: number,
): Promise<CommitOutcome[]> {
  const documents = documentArguments(newestVersions(items));
  const readings = items.flatMap(({ reading }) => reading ?? []);
  const apart = items.flatMap(({ document, quarantined }) =>
    quarantined ? [{ ...document, ...quarantined }] : [],
  );
  const sideRows =
    apart.length > 0
      ? {
          name: 'and set apart',
          parts: DOCUMENTS_AND_QUARANTINE,
          values: [...documents, ...quarantineClauseParameters(apart)],
        }
      : { name: 'and documents', parts: DOCUMENTS, values: documents };
  const written =
    shardCount() > 1
      ? await storeAcrossShards(pool, known, readings, sideRows, noAnswerMs)
      : // storeWithKnownState is not used with quarantined documents, because it would quarantine them even when nothing is stored.
        (apart.length === 0 &&
          (await storeWithKnownState(withTimeLimit(pool, noAnswerMs), known, readings, sideRows))) ||
        (await inTransaction(
          pool,
          (client) => storeShardReadings(withTimeLimit(client, noAnswerMs), readings, sideRows),
          {
            noAnswerMs,
          },
        ));
  const moved = written.changes.filter(({ inserted, merged }) => inserted + merged > 0);
  known.keep(
    moved.map(({ state }) => state),
    written.xmin,
  );
  return answersOf(items, written.changes);
}

/** Returns the last version of each object, in order of object key, so that all processes lock objects in one order. */
function newestVersions(items: readonly QueuedCommit[]): DocumentRow[] {
  const newest = new Map(items.map(({ document }) => [`${document.loggerSerial}/${document.key}`, document]));
  const sorted = [...newest].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, document]) => document);
}

const documentArguments = (documents: readonly DocumentRow[]): Buffer[] => [
  textArray(
    'text',
    documents.map(({ loggerSerial }) => loggerSerial),
  ),
  textArray(
    'text',
    documents.map(({ key }) => key),
  ),
  integerArray(documents.map(({ size }) => size)),
  textArray(
    'text',
    documents.map(({ etag }) => etag),
  ),
  textArray(
    'text',
    documents.map(({ contentType }) => contentType),
  ),
  textArray(
    'jsonb',
    documents.map(({ metadata }) => JSON.stringify(metadata)),
  ),
  textArray(
    'jsonb',
    documents.map(({ outcome }) => findingsToJson(outcome)),
  ),
  byteaArray(
    'bytea',
    documents.map(({ body }) => body),
  ),
];

/**
 * Returns the outcome of each item. If the group contains several readings of one stream and instant, the first one has the outcome
 * from the database; each later one is `merged` if it added signals, and else `duplicates`.
 */
function answersOf(items: readonly QueuedCommit[], changes: readonly StreamChange[]): CommitOutcome[] {
  const outcomes = new Map(changes.map(({ state, outcomes: ofStream }) => [state.streamId, ofStream]));
  const given = new Map<string, Signals[]>();
  return items.map(({ reading }) => {
    if (reading === undefined) return undefined;
    const { streamId, time, signals } = reading;
    const instant = `${streamId} ${time}`;
    const before = given.get(instant);
    if (before) {
      const isNew = Object.keys(signals).some((name) => !before.some((other) => name in other));
      before.push(signals);
      return isNew ? 'merged' : 'duplicates';
    }
    given.set(instant, [signals]);
    return outcomes.get(streamId)?.get(time) ?? 'readings';
  });
}
