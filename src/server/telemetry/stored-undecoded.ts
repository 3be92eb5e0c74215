import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { LOCKS } from '#server/platform/advisory-locks.ts';
import { type Database, inTransaction } from '#server/platform/database.ts';
import { readChunks, writeChunks } from './chunks.store.ts';
import { blankSecrets } from './decode/can-log/rxd/rxd-secrets.ts';
import { encryptedLog } from './decode/encrypted-log.ts';
import { logText } from './decode/file-text.ts';
import { formatOf, isLogFormat, NOT_DECODED } from './decode/log-file-name.ts';
import { LogError } from './decode/log-outcome.ts';
import { decodeLogFile, TEXT_LIMITS } from './log-decoding.ts';
import { quarantineText, reportOf } from './log-report.ts';
import { bindingAt } from './logger-directory.ts';
import { noteOutcome } from './objects.store.ts';
import { quarantine } from './quarantine.store.ts';
import { BEFORE_THIS_BINDING, destinationOf, FORMER_OWNERS_KEY } from './reading-destination.ts';
import type { Telemetry } from './telemetry.ts';

/** A log file that was stored before the portal could read its format. */
type Undecoded = {
  readonly id: string;
  readonly loggerSerial: string;
  readonly key: string;
  readonly size: number;
  readonly isWithheld: boolean;
  /** Milliseconds since 1970. */
  readonly storedAt: number;
};

/** Pause between files, because uploads and pages have priority. */
const PAUSE_MS = 200;
const AGAIN_MS = 60_000;

export type StoredLogs = {
  /** Resolves when the current file is finished. */
  close(): Promise<void>;
};

/** Decodes the log files that an earlier version stored without decoding them, oldest first, in one process at a time. */
export function decodeStoredLogs(telemetry: Telemetry): StoredLogs {
  const stop = new AbortController();
  const { signal } = stop;
  const pause = (ms: number): Promise<void> => wait(ms, undefined, { signal }).catch(() => {});
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const isMore = await decodeNextStored(telemetry).catch((error: Error) => {
        if (!signal.aborted)
          telemetry.warn('A stored log file could not be decoded; retrying in 60 s', error.message);
        return undefined;
      });
      if (isMore === false) return;
      await pause(isMore ? PAUSE_MS : AGAIN_MS);
    }
  };
  const done = run();
  return {
    async close() {
      stop.abort();
      await done;
    },
  };
}

/**
 * Decodes the oldest file.
 * @returns false when there is none; undefined when another process is decoding it
 * @throws WriteQueueUnavailable, or the database's error; a later call tries again
 */
export async function decodeNextStored(telemetry: Telemetry): Promise<boolean | undefined> {
  const client = await telemetry.pool.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      LOCKS.storedLogs,
    ]);
    if (!rows[0]?.mine) return undefined;
    const file = await nextUndecoded(client);
    if (file === undefined) return false;
    await telemetry.logs.run(file.loggerSerial, (giveWay) => decode(telemetry, file, giveWay));
    return true;
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
  }
}

async function nextUndecoded(db: Database): Promise<Undecoded | undefined> {
  const { rows } = await db.query<Undecoded>(
    `select id, logger_serial as "loggerSerial", key, size::float8 as size, is_withheld as "isWithheld",
       extract(epoch from log_stored_at)::float8 * 1000 as "storedAt"
     from object where log_stored_at is not null and outcome = $1 order by id limit 1`,
    [NOT_DECODED],
  );
  return rows[0];
}

async function decode(
  telemetry: Telemetry,
  { id, loggerSerial, key, size: storedSize, isWithheld, storedAt }: Undecoded,
  giveWay: () => Promise<void>,
): Promise<void> {
  const { pool, directory } = telemetry;
  const fileName = key.slice(key.lastIndexOf('/') + 1);
  const named = formatOf(fileName);
  // The upload endpoint refuses compressed .rxd files today.
  const isPacked = named === 'compressed rxd';
  const format = isPacked ? 'rxd' : named;
  if (!isLogFormat(format)) {
    await noteOutcome(pool, id, encryptedLog(fileName)?.message ?? 'niet te lezen', undefined, undefined);
    return;
  }
  const size = format === 'rxd' ? await blankStored(telemetry, id, storedSize, isPacked) : storedSize;
  const then = bindingAt(await directory.bindings(loggerSerial), storedAt);
  // The key of the upload is unknown. Assume the newest possible key, so that nothing from a former owner's time is
  // changed.
  const signer = {
    ...{ loggerSerial, writerId: then?.writerId ?? 0 },
    ...{ replaceBy: isWithheld ? 0 : Infinity, createdAt: storedAt },
  };
  let reason: string = isWithheld ? FORMER_OWNERS_KEY : BEFORE_THIS_BINDING;
  const decoded = await decodeLogFile(
    telemetry,
    { chunks: () => readChunks(pool, 'object_chunk', id, size), format, fileName, loggerSerial },
    (bindings, time, recorder) => {
      const destination = destinationOf(bindings, time, signer, storedAt, recorder);
      if (destination.kind === 'quarantined' && destination.reason !== BEFORE_THIS_BINDING)
        reason = destination.reason;
      return destination;
    },
    giveWay,
  );
  const { counts, quarantined, pass, summary } = decoded;
  const outcome = reportOf({
    ...decoded,
    format,
    readings: (counts.readings ?? 0) + (counts.merged ?? 0) + (counts.duplicates ?? 0),
    quarantined: quarantined && quarantineText(quarantined.count, reason),
  });
  await inTransaction(pool, async (client) => {
    if (quarantined)
      await quarantine(client, { loggerSerial, key, reason, size, readings: quarantined, objectId: id });
    if (quarantined && reason !== BEFORE_THIS_BINDING)
      await client.query('update object set is_withheld = true where id = $1', [id]);
    await noteOutcome(client, id, outcome, pass?.busReport, summary);
  });
}

/**
 * Blanks the secrets in a stored .rxd. Safe to repeat.
 * @param isPacked the file is gzip; its readable part is compressed again
 * @returns the file's size in bytes
 */
const blankStored = ({ pool }: Telemetry, id: string, size: number, isPacked: boolean): Promise<number> =>
  inTransaction(pool, async (client) => {
    const { rowCount } = await client.query('select from object where id = $1 for update', [id]);
    if (!rowCount) return size;
    // Read on another connection, which sees the chunks until this transaction ends.
    const stored = readChunks(pool, 'object_chunk', id, size);
    let bytes = 0;
    async function* counted(): AsyncIterable<Buffer> {
      const blanked = blankSecrets(isPacked ? unpacked(stored) : stored);
      for await (const piece of isPacked ? Readable.from(blanked).pipe(createGzip()) : blanked) {
        bytes += piece.length;
        yield Buffer.from(piece);
      }
    }
    await client.query('delete from object_chunk where object_id = $1', [id]);
    await writeChunks(client, 'object_chunk', id, counted());
    if (bytes !== size) await client.query('update object set size = $2 where id = $1', [id, bytes]);
    return bytes;
  });

/** Ends at the damage or the size limit of a file. */
async function* unpacked(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* logText(packed, TEXT_LIMITS);
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
  }
}
