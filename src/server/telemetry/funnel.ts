import { type Database, impatient, isUnavailable, type Pool } from '#server/platform/database.ts';
import { ingestArguments, ingestCall, type Stored, type StreamReading } from './readings.store.ts';

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

/** What is committed together: a document and the reading in it. */
export type Commit = { readonly document: DocumentRow; readonly reading: StreamReading | undefined };
/** `duplicate`: its instant was there already (signals that were missing have been added). */
export type Committed = { readonly duplicate: boolean };

/** Nothing can be stored now; the logger repeats. */
export class FunnelUnavailable extends Error {
  override readonly name = 'FunnelUnavailable';
}

/**
 * Group commit: while one transaction runs, the next group collects; no timer (reference/door.md). A group that
 * fails is tried again one by one, so that a bad delivery never fails its neighbours.
 */
export type Funnel = {
  /** Resolves after the commit. @throws FunnelUnavailable database out of reach, or too many waiting */
  commit(item: Commit): Promise<Committed>;
  health(): FunnelHealth;
  /** Waits for what was taken; takes nothing more. */
  close(): Promise<void>;
};

export type FunnelHealth = {
  /** How long the oldest item without an answer has been waiting, ms; 0 when nothing waits. */
  readonly waitingMs: number;
  /** How long ago the database refused the last group, ms; undefined when what came after it was stored. */
  readonly failedMs: number | undefined;
};

const GROUP = 500;
const MAX_WAITING = 5_000;
/**
 * A group of 500 takes less than a second on a busy machine. A connection that gives no answer for so long is
 * dropped; should its group be committed nevertheless, then the loggers' repetition of it changes nothing.
 */
const NO_ANSWER_MS = 10_000;

const STORE = `with document as (
    insert into object as o (logger_serial, key, size, etag, content_type, metadata, outcome, body)
    select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::jsonb[], $7::text[], $8::bytea[])
    on conflict (logger_serial, key) do update set size = excluded.size, etag = excluded.etag,
      content_type = excluded.content_type, metadata = excluded.metadata, outcome = excluded.outcome,
      body = excluded.body, modified_at = excluded.modified_at
  )
  select inserted, merged, known_stream as "knownStream", known_ms as "knownMs" from ${ingestCall(9)}`;

type Waiting = {
  item: Commit;
  since: number;
  resolve: (committed: Committed) => void;
  reject: (error: Error) => void;
};

export function openFunnel(pool: Pool, noAnswerMs = NO_ANSWER_MS): Funnel {
  const db = impatient(pool, noAnswerMs);
  const waiting: Waiting[] = [];
  /** When the oldest item of the group that is being stored came in. */
  let storingSince: number | undefined;
  let failedAt: number | undefined;
  let running: Promise<void> | undefined;
  let closed = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, GROUP);
      storingSince = group[0]?.since;
      try {
        const items = group.map(({ item }) => item);
        settle(group, await store(db, items));
        failedAt = undefined;
      } catch (error) {
        if (group.length === 1 && !isUnavailable(error)) group[0]?.reject(error as Error);
        else await oneByOne(group, error);
      }
    }
    storingSince = undefined;
    running = undefined;
  }

  async function oneByOne(group: readonly Waiting[], cause: unknown): Promise<void> {
    if (isUnavailable(cause)) return putOff(group, cause);
    for (const [n, single] of group.entries()) {
      try {
        settle([single], await store(db, [single.item]));
        failedAt = undefined;
      } catch (error) {
        if (isUnavailable(error)) return putOff(group.slice(n), error);
        single.reject(error as Error);
      }
    }
  }

  function putOff(group: readonly Waiting[], cause: unknown): void {
    failedAt = performance.now();
    const error = new FunnelUnavailable('The database is out of reach.', { cause });
    for (const { reject } of group) reject(error);
  }

  return {
    commit(item) {
      if (closed || waiting.length >= MAX_WAITING) {
        return Promise.reject(new FunnelUnavailable('Too many uploads are waiting.'));
      }
      return new Promise((resolve, reject) => {
        waiting.push({ item, since: performance.now(), resolve, reject });
        running ??= Promise.resolve().then(run);
      });
    },
    health() {
      const now = performance.now();
      const since = storingSince ?? waiting[0]?.since;
      return {
        waitingMs: since === undefined ? 0 : now - since,
        failedMs: failedAt === undefined ? undefined : now - failedAt,
      };
    },
    async close() {
      closed = true;
      await running;
    },
  };
}

type GroupStored = Stored & { knownStream: number[] | null; knownMs: number[] | null };

async function store(db: Database, items: readonly Commit[]): Promise<Set<string>> {
  // Of two versions of one object in a group the later one is what remains.
  const documents = [
    ...new Map(items.map(({ document }) => [`${document.loggerSerial}/${document.key}`, document])).values(),
  ];
  const readings = items.flatMap(({ reading }) => reading ?? []);
  const { rows } = await db.query<GroupStored>({
    name: 'store group',
    text: STORE,
    values: [
      documents.map(({ loggerSerial }) => loggerSerial),
      documents.map(({ key }) => key),
      documents.map(({ size }) => size),
      documents.map(({ etag }) => etag),
      documents.map(({ contentType }) => contentType),
      documents.map(({ metadata }) => JSON.stringify(metadata)),
      documents.map(({ outcome }) => outcome),
      documents.map(({ body }) => body),
      ...ingestArguments(readings),
    ],
  });
  const { knownStream, knownMs } = rows[0] as GroupStored;
  return new Set(knownStream?.map((streamId, n) => `${streamId} ${knownMs?.[n]}`));
}

/** The first delivery of an instant that was new is no duplicate, any other is. */
function settle(group: readonly Waiting[], known: Set<string>): void {
  for (const { item, resolve } of group) {
    const instant = item.reading && `${item.reading.streamId} ${item.reading.time}`;
    resolve({ duplicate: instant !== undefined && known.has(instant) });
    if (instant !== undefined) known.add(instant);
  }
}
