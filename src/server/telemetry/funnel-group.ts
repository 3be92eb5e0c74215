import type { Database } from '#server/platform/database.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { bytes, integers, texts } from './binary-array.ts';
import { QUARANTINE_ARGUMENTS, quarantineArguments, quarantining } from './quarantine.store.ts';
import { ingestArguments, ingestCall } from './readings.store.ts';
import type { StreamReading } from './signal-columns.ts';

/** A document that a logger uploaded, kept for HEAD, GET and LIST. */
export type DocumentRow = {
  readonly loggerSerial: string;
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly outcome: string;
  readonly body: Buffer;
};

/** What is committed together: a document, and the reading in it or in Dutch why it has none. */
export type Commit = {
  readonly document: DocumentRow;
  readonly reading: StreamReading | undefined;
  readonly quarantined?: string | undefined;
};
/** What became of the reading: new, one that gave signals to an instant that was there, or one that changed nothing. */
export type Committed = 'readings' | 'merged' | 'duplicates' | undefined;

const DOCUMENTS = `document as (
    insert into object as o (logger_serial, key, size, etag, content_type, metadata, outcome, body)
    select * from unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::jsonb[], $7::text[], $8::bytea[])
    on conflict (logger_serial, key) do update set size = excluded.size, etag = excluded.etag,
      content_type = excluded.content_type, metadata = excluded.metadata, outcome = excluded.outcome,
      body = excluded.body, modified_at = excluded.modified_at
  )`;
// The function locks the streams first, in the order of their ids; then come the documents, in the order of the
// arrays: groups that run at the same time, here or in another process, never wait for each other in a circle.
const storing = (parts: string, first: number): string =>
  `with ${parts} select known_stream as "knownStream", known_ms as "knownMs",
    merged_stream as "mergedStream", merged_ms as "mergedMs" from ${ingestCall(first)}`;
const STORE = storing(DOCUMENTS, 9);
/** Nearly no group has one that goes into quarantine, and what a statement does not do costs something too. */
const STORE_AND_SET_APART = storing(`${DOCUMENTS}, ${quarantining(9)}`, 9 + QUARANTINE_ARGUMENTS);

type Known = Readonly<Record<'knownStream' | 'knownMs' | 'mergedStream' | 'mergedMs', number[] | null>>;

/** Stores a group, all or nothing, in one statement. @returns one answer per item, in their order */
export async function storeGroup(db: Database, items: readonly Commit[]): Promise<Committed[]> {
  const documents = newestVersions(items);
  const readings = items.flatMap(({ reading }) => reading ?? []);
  const apart = items.flatMap(({ document, quarantined: reason }) =>
    reason === undefined ? [] : [{ ...document, reason }],
  );
  const { rows } = await db.query<Known>({
    name: apart.length > 0 ? 'store group and set apart' : 'store group',
    text: apart.length > 0 ? STORE_AND_SET_APART : STORE,
    values: [
      ...documentArguments(documents),
      ...(apart.length > 0 ? quarantineArguments(apart) : []),
      ...ingestArguments(readings),
    ],
  });
  return answersOf(items, rows[0] as Known);
}

/** Of two versions of one object the later one is what remains. In one order, whoever sorts. */
function newestVersions(items: readonly Commit[]): DocumentRow[] {
  const newest = new Map(items.map(({ document }) => [`${document.loggerSerial}/${document.key}`, document]));
  const sorted = [...newest].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, document]) => document);
}

const documentArguments = (documents: readonly DocumentRow[]): Buffer[] => [
  texts(
    'text',
    documents.map(({ loggerSerial }) => loggerSerial),
  ),
  texts(
    'text',
    documents.map(({ key }) => key),
  ),
  integers(documents.map(({ size }) => size)),
  texts(
    'text',
    documents.map(({ etag }) => etag),
  ),
  texts(
    'text',
    documents.map(({ contentType }) => contentType),
  ),
  texts(
    'jsonb',
    documents.map(({ metadata }) => JSON.stringify(metadata)),
  ),
  texts(
    'text',
    documents.map(({ outcome }) => outcome),
  ),
  bytes(
    'bytea',
    documents.map(({ body }) => body),
  ),
];

const instantsOf = (streams: number[] | null, times: number[] | null): Set<string> =>
  new Set(streams?.map((streamId, n) => `${streamId} ${times?.[n]}`));

/** Of several deliveries of an instant the first is what the database says; the others gave signals or changed nothing. */
function answersOf(items: readonly Commit[], known: Known): Committed[] {
  const there = instantsOf(known.knownStream, known.knownMs);
  const merged = instantsOf(known.mergedStream, known.mergedMs);
  const given = new Map<string, Signals[]>();
  return items.map(({ reading }) => {
    if (reading === undefined) return undefined;
    const instant = `${reading.streamId} ${reading.time}`;
    const before = given.get(instant);
    if (before) {
      const isNew = Object.keys(reading.signals).some((name) => !before.some((signals) => name in signals));
      before.push(reading.signals);
      return isNew ? 'merged' : 'duplicates';
    }
    given.set(instant, [reading.signals]);
    if (!there.has(instant)) return 'readings';
    return merged.has(instant) ? 'merged' : 'duplicates';
  });
}
