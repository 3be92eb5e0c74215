import type { Database } from '#server/platform/database.ts';
import { readRanges } from '#server/telemetry/readings-after.store.ts';
import {
  type Episode,
  isAwake,
  isOfAlerts,
  openEpisodes,
  type WatchedMachine,
  type WatchState,
  watch,
} from '#shared/domain/alerts/watch.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { Part } from './where-to-look.store.ts';

/** Readings of one statement, about. */
const MOST_READINGS = 20_000;
/** ms; what is open where there is nothing more to be found is followed so far at a time. */
const FOLLOW_MS = 30 * 60_000;

/**
 * What one rule would have found in the history of a machine, in order of time.
 * @param parts what is to be read of it
 * @param until ms; what is open then has no end
 * @param goesOn whether there is time for more; if not, what was found is not all
 */
export async function findInReadings(
  db: Database,
  streamId: number,
  machine: WatchedMachine,
  parts: readonly Part[],
  until: number,
  goesOn: (found: number) => boolean,
): Promise<{ readonly found: readonly Episode[]; readonly isWhole: boolean }> {
  const found: Episode[] = [];
  const isMoved = machine.rules.some(({ kind }) => kind === 'moved');
  let state: WatchState | undefined;
  let readTo = Number.NEGATIVE_INFINITY;
  const isOpen = (): boolean => state !== undefined && openEpisodes(state).length > 0;

  async function read(range: Range): Promise<number> {
    const readings = await readRanges(db, streamId, [range], isOfAlerts);
    for (const reading of readings) {
      const next = watch(state, reading, machine);
      state = next.state;
      found.push(...next.ended);
    }
    readTo = range.to;
    return readings.length;
  }

  for (const [n, part] of parts.entries()) {
    if (part.isFresh && part.from > readTo) state = undefined;
    const from = Math.max(part.from, readTo);
    const pieces = Math.max(1, Math.ceil(part.count / MOST_READINGS));
    const step = (part.to - from) / pieces;
    for (let at = from; at < part.to; at = readTo) {
      if (!goesOn(found.length)) return { found, isWhole: false };
      // It is once a night: of the rest nothing is to be known.
      if (isMoved && isOpen()) readTo = part.to;
      else await read({ from: at, to: Math.min(Math.ceil(at + step), part.to) });
    }
    const next = parts[n + 1]?.from ?? until;
    let ms = FOLLOW_MS;
    while (state && isAwake(state) && readTo < next) {
      if (!goesOn(found.length)) return { found, isWhole: false };
      const count = await read({ from: readTo, to: Math.min(readTo + ms, next) });
      ms = count > 0 ? FOLLOW_MS : 2 * ms;
    }
  }
  return { found: [...found, ...(state ? openEpisodes(state) : [])], isWhole: true };
}
