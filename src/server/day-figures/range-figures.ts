import type { BucketSlice, BucketSlices } from '#server/history/bucket-slices.ts';
import { sumOfSlices } from '#server/history/bucket-slices.ts';
import { energyByHour } from '#shared/domain/charging-tariffs.ts';
import { bucketsOf, type Sums } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';

/** Figures of a machine in some ranges of a day (docs/figures.md section 13); instants in ms. */
export type RangeFigures = Omit<Sums, 'fullMs'> & {
  /** From the first to the last running or charging; undefined without either. */
  readonly activity: Range | undefined;
  /** From the first to the last running; undefined without any. */
  readonly running: Range | undefined;
  readonly charging: Range | undefined;
  /** Length of the ranges between first and last activity, and the length of their part with data. */
  readonly windowMs: number;
  readonly windowHeardMs: number;
  /** Time between the first and the last running in which data were received, and the machine neither ran nor charged. */
  readonly idleMs: number;
  /** Lowest and highest charge in %, over all packs. */
  readonly socMin: number | undefined;
  readonly socMax: number | undefined;
  /** Charged energy by clock hour; undefined when nothing was charged. */
  readonly chargedHours: HourlyEnergy | undefined;
};

/** Energy in mJ of each clock hour from `firstHour` (ms) on. */
export type HourlyEnergy = { readonly firstHour: number; readonly hours: readonly number[] };

/** A range inside one interval of ownership. */
export type OwnedRange = { readonly slices: BucketSlices; readonly range: Range };

/** Computes the figures of some parts of a day together. @param parts ranges in order, without overlap */
export async function computeRangeFigures(parts: readonly OwnedRange[]): Promise<RangeFigures> {
  const all: OwnSlice[] = [];
  for (const { slices, range } of parts)
    all.push(...(await slices.of(range)).map((slice) => ({ ...slice, slices })));
  const { fullMs: _, ...sums } = sumOfSlices(all);
  const activity = await spanOf(all, ['runningMs', 'chargingMs']);
  const window = activity ? parts.flatMap(({ range }) => intersection(range, activity)) : [];
  const running = await spanOf(all, ['runningMs']);
  const work = await sumsIn(all, running);
  const percents = all.flatMap(({ bucket }) => bucket.packs).filter((sums) => sums !== undefined);
  return {
    ...sums,
    activity,
    running,
    charging: await spanOf(all, ['chargingMs']),
    windowMs: window.reduce((sum, { from, to }) => sum + to - from, 0),
    windowHeardMs: (await sumsIn(all, activity)).heardMs,
    idleMs: Math.max(0, work.heardMs - work.runningMs - work.chargingMs + work.cableMs),
    socMin: percents.length > 0 ? Math.min(...percents.map(({ min }) => min)) : undefined,
    socMax: percents.length > 0 ? Math.max(...percents.map(({ max }) => max)) : undefined,
    chargedHours: energyByHour(all.map(({ from, bucket }) => ({ from, mj: bucket.chargedMj }))),
  };
}

type OwnSlice = BucketSlice & { readonly slices: BucketSlices };

/** Returns the intersection of two ranges: one range, or none. */
export function intersection(range: Range, { from, to }: Range): Range[] {
  const cut = { from: Math.max(range.from, from), to: Math.min(range.to, to) };
  return cut.from < cut.to ? [cut] : [];
}

/** The kinds of activity: running and charging. */
type Activity = 'runningMs' | 'chargingMs';

/** Returns the time from the beginning of the first to the end of the last activity; undefined without any. */
async function spanOf(all: readonly OwnSlice[], of: readonly Activity[]): Promise<Range | undefined> {
  const isActive = ({ bucket }: OwnSlice): boolean => of.some((name) => bucket[name] > 0);
  const [first, last] = [all.find(isActive), all.findLast(isActive)];
  if (!first || !last) return undefined;
  const begun = await activeIn(first, of);
  const ended = await activeIn(last, of);
  return {
    from: Math.min(...begun.map(({ from }) => from)),
    to: Math.max(...ended.map(({ to }) => to)),
  };
}

async function activeIn(slice: OwnSlice, of: readonly Activity[]): Promise<Range[]> {
  const { intervals } = await slice.slices.within(slice);
  const found = intervals
    .filter(
      (interval) =>
        (interval.of === 'motor' && interval.running && of.includes('runningMs')) ||
        (interval.of === 'charger' && interval.charges && of.includes('chargingMs')),
    )
    .flatMap((interval) => intersection(interval, slice));
  // A week whose readings were removed has no intervals: the whole slice counts, because its roll-up shows the activity.
  return found.length > 0 ? found : [slice];
}

async function sumsIn(all: readonly OwnSlice[], range: Range | undefined): Promise<Sums> {
  const found: Pick<BucketSlice, 'bucket'>[] = [];
  for (const slice of all) {
    const [cut] = range ? intersection(slice, range) : [];
    if (!cut) continue;
    if (cut.from === slice.from && cut.to === slice.to) {
      found.push(slice);
      continue;
    }
    const { readings, ...followed } = await slice.slices.within(slice);
    for (const bucket of bucketsOf(readings, followed, cut).values()) found.push({ bucket });
  }
  return sumOfSlices(found);
}
