import type { Bucket } from '#shared/domain/intervals.ts';

type Figure = Exclude<keyof Bucket, 'socMin' | 'socMax' | 'speedMin' | 'speedMax'>;

/** The figures of several buckets together, whatever their order or grouping. */
export function sumOfBuckets(buckets: Iterable<Bucket>): Bucket {
  const all = [...buckets];
  const sum = (figure: Figure) => all.reduce((total, bucket) => total + bucket[figure], 0);
  const known = (values: (number | undefined)[]) => values.filter((value) => value !== undefined);
  const lowest = (values: (number | undefined)[]) =>
    known(values).reduce<number | undefined>((a, b) => Math.min(a ?? b, b), undefined);
  const highest = (values: (number | undefined)[]) =>
    known(values).reduce<number | undefined>((a, b) => Math.max(a ?? b, b), undefined);
  return {
    runningMs: sum('runningMs'),
    outJ: sum('outJ'),
    inJ: sum('inJ'),
    chargedJ: sum('chargedJ'),
    distanceMm: sum('distanceMm'),
    socMin: lowest(all.map(({ socMin }) => socMin)),
    socMax: highest(all.map(({ socMax }) => socMax)),
    socSumMilli: sum('socSumMilli'),
    socCount: sum('socCount'),
    speedMin: lowest(all.map(({ speedMin }) => speedMin)),
    speedMax: highest(all.map(({ speedMax }) => speedMax)),
    count: sum('count'),
  };
}
