import { inTransaction, type Pool } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { mergeSignals } from '#server/telemetry/merge-signals.ts';
import { recheckRemovedPositions } from '#server/telemetry/old-positions.ts';
import { readFirstReadingTime } from '#server/telemetry/readings/read-edges.ts';
import { readStoredReadings } from '#server/telemetry/readings/stored-readings.ts';
import { lockStreamStates } from '#server/telemetry/readings.store.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { undoDm1 } from './erased-dm1.ts';
import {
  deleteAndReturnErasedReadings,
  type ErasureRow,
  recordErasedReadings,
  setErasureState,
  storeErased,
} from './erasures.store.ts';
import { REPLACEMENT_WINDOW_MS, type ReadingReplacement, storeReplacements } from './replace-readings.ts';

const POSITION = ['LATITUDE', 'LONGITUDE'];

/**
 * Returns the part of a reading that is erased if `signal` is erased. Both coordinates of a position are erased together. If `signal` is
 * undefined, everything is erased.
 */
export function signalsToErase(signals: Signals, signal: string | undefined): Signals {
  if (signal === undefined) return signals;
  const names = POSITION.includes(signal) ? POSITION : [signal];
  return Object.fromEntries(Object.entries(signals).filter(([name]) => names.includes(name)));
}

/**
 * Erases the next hours of a range in one transaction, recomputes all figures, and stores the erased readings for undoing. Safe to repeat
 * after a failure.
 * @param cursor a time in ms; readings before it are erased already
 * @returns the new cursor in ms; undefined when nothing is left
 */
export async function eraseNextReadings(
  pool: Pool,
  { id, streamId, to, signal }: ErasureRow,
  cursor: number,
  now: number,
): Promise<number | undefined> {
  const from = await readFirstReadingTime(pool, { streamId, from: cursor, to });
  if (from === undefined) return undefined;
  const until = Math.min(from + REPLACEMENT_WINDOW_MS, to);
  await inTransaction(pool, async (client) => {
    const state = (await lockStreamStates(shardForStream(client, streamId), [streamId])).get(streamId);
    if (!state) return;
    const erased = (await readStoredReadings(client, streamId, { from, to: until }))
      .map(({ time, signals }) => ({
        time,
        before: signals,
        gone: signalsToErase(signals, signal ?? undefined),
      }))
      .filter(({ gone }) => Object.keys(gone).length > 0);
    if (erased.length > 0) {
      await storeErased(
        client,
        streamId,
        id,
        erased.map(({ time, gone }) => ({ time, signals: gone })),
      );
      const replaced = erased.map(({ time, before, gone }) => ({
        time,
        before,
        after: without(before, gone),
      }));
      await storeReplacements(client, state, replaced, now);
    }
    const values = erased.reduce((sum, { gone }) => sum + Object.keys(gone).length, 0);
    await recordErasedReadings(client, id, { until, readings: erased.length, values });
  });
  return until;
}

function without(signals: Signals, gone: Signals): Signals | undefined {
  const left = Object.entries(signals).filter(([name]) => !Object.hasOwn(gone, name));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/**
 * Restores the next hours of erased readings in one transaction. Leaves readings that arrived later unchanged. Upkeep removes
 * restored positions that are no longer kept (telemetry/old-positions.ts). Safe to repeat after a failure.
 * @returns whether something was restored
 */
export function restoreNextReadings(pool: Pool, row: ErasureRow, now: number): Promise<boolean> {
  const { id, streamId } = row;
  return inTransaction(pool, async (client) => {
    const state = (await lockStreamStates(shardForStream(client, streamId), [streamId])).get(streamId);
    const erased = state
      ? await deleteAndReturnErasedReadings(client, streamId, id, REPLACEMENT_WINDOW_MS)
      : [];
    const [first, last] = [erased[0], erased.at(-1)];
    if (!state || !first || !last) {
      await undoDm1(client, row);
      await setErasureState(client, id, 'undone');
      return false;
    }
    const range = { from: first.time, to: last.time + 1 };
    const stored = new Map(
      (await readStoredReadings(client, streamId, range)).map((one) => [one.time, one.signals]),
    );
    const replaced = erased.flatMap(({ time, signals }): ReadingReplacement[] => {
      const before = stored.get(time);
      const after = before ? mergeSignals(before, signals) : signals;
      return after ? [{ time, before, after }] : [];
    });
    if (replaced.length > 0) await storeReplacements(client, state, replaced, now);
    await recheckRemovedPositions(client, streamId, first.time);
    return true;
  });
}
