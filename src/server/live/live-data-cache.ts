import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { CACHE_MAX_AGE_MS, type ChangeNotifier } from '#server/platform/changes.ts';
import type { Database } from '#server/platform/database.ts';
import { visibleSince } from '#server/streams/scope.ts';
import { type LimitedScope, type Scope, scopeCovers } from '#shared/domain/access.ts';
import { sortByName } from '#shared/domain/fleet-order.ts';
import { liveDataOf } from '#shared/domain/live-data.ts';
import { isWorkingTime, type WorkingHours } from '#shared/domain/privacy.ts';
import {
  databaseTime,
  type LatestRow,
  type OwnedStream,
  readLatestRows,
  readOwnedStreams,
} from './live.store.ts';

/** The answer of GET /api/live for one scope, as text and compressed. */
export type LiveAnswer = {
  readonly etag: string;
  readonly body: Buffer;
  /** Compresses at the first call. */
  gzipped(): Promise<Buffer>;
};

/**
 * The live data that all clients of this process get: one query of changes per second at most, whatever the number of clients, and one
 * serialization per scope and change.
 */
export type LiveDataCache = {
  answer(scope: Scope): Promise<LiveAnswer>;
  /** Time of the newest reading of all streams, in ms; undefined before the first one. */
  newestReading(): Promise<number | undefined>;
  /** Age of the last read of the database, in ms; undefined before the first one. */
  age(): number | undefined;
};

const REFRESH_MS = 1_000;
/** Maximum time between the updated_at of a change and its commit. Before the commit, this process cannot read the change. */
const OVERLAP_MS = 2_000;
/** Interval of full reads. They find changes that were committed more than OVERLAP_MS late, or after the database's clock was set back. */
const FULL_READ_MS = 60_000;

const zip = promisify(gzip);

/** Whether an age is within a limit. A negative age, from a clock that was set back, counts as old. */
const isWithin = (ageMs: number, limitMs: number): boolean => ageMs >= 0 && ageMs < limitMs;

export function openLiveDataCache(db: Database, changes: ChangeNotifier, now: () => number): LiveDataCache {
  let streams: readonly OwnedStream[] = [];
  let directory = '';
  const latest = new Map<number, LatestRow>();
  let fullReadAt = Number.NEGATIVE_INFINITY;
  /** Time of the last read, by the database's clock. */
  let lastReadAt = 0;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;
  /** Entries as JSON, by stream and by the hours whose positions are seen; dropped when the stream or its values change. */
  const texts = new Map<number, Map<string, string>>();
  /** Answers by scope; dropped at any change. */
  const answers = new Map<string, LiveAnswer>();

  async function refresh(): Promise<void> {
    const at = now();
    const version = await changes.directoryVersion();
    if (version !== directory) {
      streams = sortByName(await readOwnedStreams(db), streams);
      directory = version;
      texts.clear();
      answers.clear();
    }
    const full = !isWithin(at - fullReadAt, FULL_READ_MS);
    const readAt = await databaseTime(db);
    const { rows, isWhole } = await readLatestRows(db, full ? undefined : lastReadAt - OVERLAP_MS);
    if (isWhole) lastReadAt = readAt;
    if (full) fullReadAt = at;
    for (const row of rows) {
      if (latest.get(row.streamId)?.updatedAt === row.updatedAt) continue;
      latest.set(row.streamId, row);
      texts.delete(row.streamId);
      answers.clear();
    }
    refreshedAt = at;
  }

  const isFresh = (): boolean => isWithin(now() - refreshedAt, REFRESH_MS);

  /**
   * Refreshes the live data in memory, one refresh at a time. While the database fails, the data in memory are served for 5 s; after that
   * callers get the error.
   */
  async function ensureFresh(): Promise<void> {
    if (isFresh()) return;
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    try {
      await refreshing;
    } catch (error) {
      if (!isWithin(now() - refreshedAt, CACHE_MAX_AGE_MS)) throw error;
    }
  }

  /** Returns the JSON of a stream. @param since start of the visible time, ms */
  function textOf(stream: OwnedStream, hours: WorkingHours | undefined, since: number): string {
    const ofStream = texts.get(stream.streamId) ?? new Map<string, string>();
    texts.set(stream.streamId, ofStream);
    const key = `${hoursKey(hours)} ${since}`;
    const known = ofStream.get(key);
    if (known !== undefined) return known;
    const { metadata } = stream;
    const ownedSince = Math.max(stream.ownedSince, since);
    const row = latest.get(stream.streamId);
    const own = row?.newestMs !== undefined && row.newestMs >= ownedSince;
    const isSeen = (name: string, time: number): boolean =>
      /*rule:live-own-time*/ time >= ownedSince /*=true*/ &&
      !(hours && POSITION.has(name) && !isWorkingTime(hours, time));
    const values = own ? [...row.signals].filter(([name, { time }]) => isSeen(name, time)) : [];
    const liveData = liveDataOf(values, own ? row.newestMs : undefined);
    const text = `${JSON.stringify(metadata.serialNumber)}:${JSON.stringify({ metadata, liveData })}`;
    ofStream.set(key, text);
    return text;
  }

  return {
    async answer(scope) {
      await ensureFresh();
      const key = keyOf(scope);
      const known = answers.get(key);
      if (known) return known;
      const visible = streams.filter((stream) => isSeen(scope, stream));
      const entries = visible.map((stream) =>
        textOf(stream, scope.positionHours, visibleSince(scope, stream.streamId)),
      );
      const answer = answerOf(`{${entries.join(',')}}`);
      answers.set(key, answer);
      return answer;
    },
    async newestReading() {
      await ensureFresh();
      let newest: number | undefined;
      for (const { newestMs } of latest.values()) newest = Math.max(newest ?? newestMs ?? 0, newestMs ?? 0);
      return newest === 0 ? undefined : newest;
    },
    age: () => (Number.isFinite(refreshedAt) ? Math.max(0, now() - refreshedAt) : undefined),
  };
}

const POSITION: ReadonlySet<string> = new Set(['LATITUDE', 'LONGITUDE']);

const isSeen = (scope: Scope, { streamId, organizationId }: OwnedStream): boolean =>
  scope.limited
    ? scope.limited.organizationId === organizationId && scope.limited.machines.has(streamId)
    : /*rule:live-scope*/ scopeCovers(scope, organizationId) /*=true*/;

const keyOf = ({ organizations, positionHours, limited }: Scope): string =>
  `${organizations === 'all' ? 'all' : organizations.join()} ${hoursKey(positionHours)}${limited ? ` ${limitKey(limited)}` : ''}`;

/** Returns a key for the machines that a limited person sees, and since when each is seen. */
const limitKey = ({ organizationId, machines }: LimitedScope): string =>
  JSON.stringify([
    organizationId,
    ...[...machines].map(([id, { times }]) => [id, times.at(-1)?.from ?? null]),
  ]);

const hoursKey = (hours: WorkingHours | undefined): string => (hours ? JSON.stringify(hours) : '');

function answerOf(text: string): LiveAnswer {
  const body = Buffer.from(text);
  let gzipped: Promise<Buffer> | undefined;
  return {
    etag: `"${createHash('sha1').update(body).digest('base64url')}"`,
    body,
    gzipped() {
      gzipped ??= zip(body, { level: 5 });
      return gzipped;
    },
  };
}
