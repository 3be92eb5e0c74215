import { columnArrays, textArray } from '#server/platform/binary-array.ts';
import { type Bucket, type StoredBucket, SUM_NAMES } from '#shared/domain/figures.ts';

/** The columns of `rollup` that are sums, each with the figure of a bucket that it stores. */
export const SUM_COLUMNS = SUM_NAMES.map((name) => ({ name, column: snakeCase(name) }));

type Extreme = { readonly column: string; readonly of: (bucket: StoredBucket) => number | undefined };

/**
 * Columns with the lowest value of a bucket (HIGHEST_VALUE_COLUMNS: the highest); null if there is none. For current and flags an
 * infinite value means that there is none.
 */
export const LOWEST_VALUE_COLUMNS: readonly Extreme[] = [
  { column: 'speed_min', of: ({ speedMin }) => speedMin },
  { column: 'south', of: ({ box }) => box?.south },
  { column: 'west', of: ({ box }) => box?.west },
  { column: 'charging_current_min', of: ({ chargingCurrent }) => chargingCurrent?.min ?? Infinity },
  { column: 'charging_flag_min', of: ({ chargingFlag }) => chargingFlag?.min ?? Infinity },
];
export const HIGHEST_VALUE_COLUMNS: readonly Extreme[] = [
  { column: 'speed_max', of: ({ speedMax }) => speedMax },
  { column: 'charge_watts', of: ({ chargeWatts }) => chargeWatts },
  { column: 'north', of: ({ box }) => box?.north },
  { column: 'east', of: ({ box }) => box?.east },
  { column: 'charging_current_max', of: ({ chargingCurrent }) => chargingCurrent?.max ?? -Infinity },
  { column: 'charging_flag_max', of: ({ chargingFlag }) => chargingFlag?.max ?? -Infinity },
];
export const EXTREME_VALUE_COLUMNS = [...LOWEST_VALUE_COLUMNS, ...HIGHEST_VALUE_COLUMNS];

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** The elements that the column `packs` has for each pack, in this order. */
export const PACK_STATISTICS = ['min', 'max', 'sumMilli', 'count'] as const;

/**
 * Returns the column `packs` as text: for each pack lowest, highest, sum in thousandths of a percent, and number of
 * values.
 */
function packsText({ packs }: Bucket): string | undefined {
  if (packs.length === 0) return undefined;
  let elements = '';
  for (const sums of packs) for (const name of PACK_STATISTICS) elements += `,${sums?.[name] ?? 'NULL'}`;
  return `{${elements.slice(1)}}`;
}

/** Returns the content of buckets for PostgreSQL: sums, extremes and packs, one array per column. */
export const bucketArrays = (buckets: readonly StoredBucket[]): Buffer[] => [
  ...columnArrays(
    'bigint',
    buckets,
    SUM_COLUMNS.length,
    (bucket, column) => bucket[SUM_NAMES[column] as (typeof SUM_NAMES)[number]],
  ),
  ...columnArrays('double', buckets, EXTREME_VALUE_COLUMNS.length, (bucket, column) =>
    EXTREME_VALUE_COLUMNS[column]?.of(bucket),
  ),
  textArray('text', buckets.map(packsText)),
];

/** Returns an expression for an element of the column; `pack` is the pack's number less 1. */
export const packStatisticSql = (pack: number, element: (typeof PACK_STATISTICS)[number]): string =>
  `packs[${pack * PACK_STATISTICS.length + PACK_STATISTICS.indexOf(element) + 1}]`;
