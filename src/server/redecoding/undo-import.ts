import { inTransaction, type Pool } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { decodeRecordedLog } from '#server/telemetry/decode/recorded-log.ts';
import { changeDm1 } from '#server/telemetry/dm1/dm1.store.ts';
import { Dm1DayBuilder, subtractDm1Days } from '#server/telemetry/dm1/dm1-days.ts';
import type { ImportProgressCallback, LogImport } from '#server/telemetry/log-import.ts';
import { readStoredReadings } from '#server/telemetry/readings/stored-readings.ts';
import { lockStreamStates } from '#server/telemetry/readings.store.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { REPLACEMENT_WINDOW_MS, type ReadingReplacement, storeReplacements } from './replace-readings.ts';
import { signalsAfterRedecoding } from './replaced-signals.ts';

/** Numbers of readings: those that were removed completely, and those that lost some values. */
export type UndoneImport = { readonly removed: number; readonly changed: number };

/**
 * Undoes an import: decodes the file as it was imported, removes stored values that equal the file's, and recomputes all figures.
 * Afterwards the file can be imported again. Safe to repeat after an interruption.
 * @throws LogError, DbcError, MappingError
 */
export async function undoImport(
  pool: Pool,
  { streamId, fingerprint, chunks, ...log }: LogImport,
  size: number,
  progress: ImportProgressCallback,
  now: () => number,
): Promise<UndoneImport> {
  let done = 0;
  async function* counted(): AsyncIterable<Uint8Array> {
    done = 0;
    for await (const chunk of chunks()) {
      done += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  }
  const undone = { removed: 0, changed: 0 };
  const faults = new Dm1DayBuilder();
  for await (const { readings, dm1 } of decodeRecordedLog({ ...log, chunks: counted, now: now() })) {
    faults.add(dm1);
    const gone = faults.take();
    await changeDm1(pool, streamId, gone, (stored) => subtractDm1Days(stored, gone));
    for (const part of windows(readings)) {
      const replaced = await removeImported(pool, streamId, part, now());
      for (const { after } of replaced) undone[after ? 'changed' : 'removed'] += 1;
    }
    progress(done, size, undone.removed + undone.changed);
  }
  await pool.query('delete from import_progress where fingerprint = $1', [fingerprint]);
  return undone;
}

/** Groups readings into ranges of at most 2 hours, in order of time, because all stored readings of a range are read at once. */
function windows(readings: readonly Reading[]): Reading[][] {
  const sorted = [...readings].sort((one, other) => one.time - other.time);
  const parts: Reading[][] = [];
  for (const reading of sorted) {
    const part = parts.at(-1);
    if (part?.[0] && reading.time - part[0].time < REPLACEMENT_WINDOW_MS) part.push(reading);
    else parts.push([reading]);
  }
  return parts;
}

function removeImported(
  pool: Pool,
  streamId: number,
  brought: readonly Reading[],
  now: number,
): Promise<readonly ReadingReplacement[]> {
  return inTransaction(pool, async (client) => {
    const state = (await lockStreamStates(shardForStream(client, streamId), [streamId])).get(streamId);
    const [first, last] = [brought[0], brought.at(-1)];
    if (!state || !first || !last) return [];
    const stored = await readStoredReadings(client, streamId, { from: first.time, to: last.time + 1 });
    const decoded = Map.groupBy(brought, ({ time }) => time);
    const replaced = stored.flatMap(({ time, signals }): ReadingReplacement[] => {
      const its = decoded.get(time)?.map((one) => one.signals);
      if (!its) return [];
      const after = signalsAfterRedecoding(signals, its, []);
      const isSame = after && Object.keys(after).length === Object.keys(signals).length;
      return isSame ? [] : [{ time, before: signals, after }];
    });
    if (replaced.length > 0) await storeReplacements(client, state, replaced, now);
    return replaced;
  });
}
