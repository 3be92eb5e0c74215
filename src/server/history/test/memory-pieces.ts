import { insideOf, type Pieces, type PiecesWithPositions } from '#server/history/pieces.ts';
import { cutOf, windowOf } from '#server/history/range.ts';
import { bucketsOf, follow, NEW_TRACK } from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { positionOf } from '#shared/domain/position.ts';
import { firstFrom } from '#shared/domain/readings-in.ts';
import type { Reading } from '#shared/domain/signal.ts';

const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Returns what openPieces makes of stored readings, of readings in memory. @param readings of a whole stream, marked, in order */
export function memoryPieces(readings: readonly Reading[]): PiecesWithPositions {
  const buckets = bucketsOf(readings);
  const motorSince = readings.find(({ signals }) => signals.MotorSpeed !== undefined)?.time;
  const inRange = ({ from, to }: Range) => readings.slice(firstFrom(readings, from), firstFrom(readings, to));
  const around: Pieces['around'] = async (range) => {
    const found = inRange(windowOf(range, ALWAYS));
    return { readings: found, ...follow(found, { ...NEW_TRACK, motorSince }) };
  };
  const within: Pieces['within'] = async (range) => insideOf(await around(range), range);
  const of: Pieces['of'] = async (range) => {
    const { whole = { from: 0, to: 0 }, ends } = cutOf({ ...range, own: ALWAYS });
    const cut = await Promise.all(
      ends.map(async (end) => {
        const { readings: found, ...followed } = await within(end);
        return [...bucketsOf(found, followed, end)].map(([start, bucket]) => ({
          from: Math.max(start, end.from),
          to: Math.min(start + BUCKET_MS, end.to),
          bucket,
        }));
      }),
    );
    const kept = [...buckets]
      .filter(([start]) => start >= whole.from && start < whole.to)
      .map(([start, bucket]) => ({ from: start, to: start + BUCKET_MS, bucket }));
    return [...cut.flat(), ...kept].sort((a, b) => a.from - b.from);
  };
  return {
    ...{ mostHeld: Number.POSITIVE_INFINITY, of, within, around, seen: of },
    positions: async (ranges) =>
      ranges.flatMap(inRange).flatMap(({ time, signals }) => {
        const position = positionOf(signals);
        return position ? [{ time, position }] : [];
      }),
  };
}
