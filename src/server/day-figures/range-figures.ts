import type { Piece, Pieces } from '#server/history/pieces.ts';
import { sumOfPieces } from '#server/history/pieces.ts';
import { bucketsOf, type Stretch, type Sums } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';

/** What a machine did in some ranges of a day (docs/figures.md section 13); instants in ms. */
export type RangeFigures = Pick<
  Sums,
  'count' | 'runningMs' | 'chargingMs' | 'outMj' | 'inMj' | 'chargedMj' | 'distanceMm' | 'heardMs' | 'knownMs'
> & {
  /** Of running and charging; undefined without either. */
  readonly activity: Range | undefined;
  /** How long the ranges are between first and last activity, and how much of that was heard. */
  readonly windowMs: number;
  readonly windowHeardMs: number;
  /** Heard between them, neither running nor charging. */
  readonly idleMs: number;
  /** %, over all packs. */
  readonly socMin: number | undefined;
  readonly socMax: number | undefined;
};

/** A range inside one interval of ownership. */
export type Part = { readonly pieces: Pieces; readonly range: Range };

/** @param parts in order, none overlapping */
export async function figuresOf(parts: readonly Part[]): Promise<RangeFigures> {
  const found = await Promise.all(
    parts.map(async ({ pieces, range }) => (await pieces.of(range)).map((piece) => ({ ...piece, pieces }))),
  );
  const all = found.flat();
  const { runningMs, chargingMs, cableMs, count, outMj, inMj, chargedMj, distanceMm, heardMs, knownMs } =
    sumOfPieces(all);
  const activity = await activityOf(
    all.filter(({ bucket }) => bucket.runningMs > 0 || bucket.chargingMs > 0),
  );
  const window = activity ? parts.flatMap(({ range }) => inside(range, activity)) : [];
  const windowHeardMs = activity ? await heardIn(all, activity) : 0;
  const percents = all.flatMap(({ bucket }) => bucket.packs).filter((sums) => sums !== undefined);
  return {
    count,
    runningMs,
    chargingMs,
    outMj,
    inMj,
    chargedMj,
    distanceMm,
    heardMs,
    knownMs,
    activity,
    windowMs: window.reduce((sum, { from, to }) => sum + to - from, 0),
    windowHeardMs,
    idleMs: Math.max(0, windowHeardMs - runningMs - chargingMs + cableMs),
    socMin: percents.length > 0 ? Math.min(...percents.map(({ min }) => min)) : undefined,
    socMax: percents.length > 0 ? Math.max(...percents.map(({ max }) => max)) : undefined,
  };
}

type OwnPiece = Piece & { readonly pieces: Pieces };

/** What of a range lies in another: one range, or none. */
export function inside(range: Range, { from, to }: Range): Range[] {
  const cut = { from: Math.max(range.from, from), to: Math.min(range.to, to) };
  return cut.from < cut.to ? [cut] : [];
}

/** @param active the pieces that have any, in order */
async function activityOf(active: readonly OwnPiece[]): Promise<Range | undefined> {
  const [first, last] = [active[0], active.at(-1)];
  if (!first || !last) return undefined;
  const [begun, ended] = await Promise.all([activeIn(first), activeIn(last)]);
  return {
    from: Math.min(...begun.map(({ from }) => from)),
    to: Math.max(...ended.map(({ to }) => to)),
  };
}

async function activeIn(piece: OwnPiece): Promise<Range[]> {
  const { stretches } = await piece.pieces.readings(piece);
  const found = stretches.filter(isActive).flatMap((stretch) => inside(stretch, piece));
  // Of a week whose readings are gone the roll-up is all that is known.
  return found.length > 0 ? found : [piece];
}

const isActive = (stretch: Stretch): boolean =>
  (stretch.of === 'motor' && stretch.running) || (stretch.of === 'charger' && stretch.charges);

async function heardIn(found: readonly OwnPiece[], window: Range): Promise<number> {
  const parts = await Promise.all(
    found.map(async (piece) => {
      const [cut] = inside(piece, window);
      if (!cut) return 0;
      if (cut.from === piece.from && cut.to === piece.to) return piece.bucket.heardMs;
      const { readings, ...followed } = await piece.pieces.readings(piece);
      const buckets = bucketsOf(readings, followed, cut);
      return [...buckets.values()].reduce((sum, { heardMs }) => sum + heardMs, 0);
    }),
  );
  return parts.reduce((sum, ms) => sum + ms, 0);
}
