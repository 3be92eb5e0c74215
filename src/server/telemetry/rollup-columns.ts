import { type Bucket, type StoredBucket, SUMS } from '#shared/domain/figures.ts';
import { columns, texts } from './binary-array.ts';

/** The columns of `rollup` that are sums, and what of a bucket they hold. */
export const SUM_COLUMNS = SUMS.map((name) => ({ name, column: snakeCase(name) }));

type Extreme = { readonly column: string; readonly of: (bucket: StoredBucket) => number | undefined };

/**
 * Those that keep the lowest, and those that keep the highest, of what a bucket was told; null: nothing. Of current and flags an
 * infinite one: null is of buckets from before these columns, of which nobody knows.
 */
export const LOW_COLUMNS: readonly Extreme[] = [
  { column: 'speed_min', of: ({ speedMin }) => speedMin },
  { column: 'south', of: ({ box }) => box?.south },
  { column: 'west', of: ({ box }) => box?.west },
  { column: 'charging_current_min', of: ({ chargingCurrent }) => chargingCurrent?.min ?? Infinity },
  { column: 'charging_flag_min', of: ({ chargingFlag }) => chargingFlag?.min ?? Infinity },
];
export const HIGH_COLUMNS: readonly Extreme[] = [
  { column: 'speed_max', of: ({ speedMax }) => speedMax },
  { column: 'charge_watts', of: ({ chargeWatts }) => chargeWatts },
  { column: 'north', of: ({ box }) => box?.north },
  { column: 'east', of: ({ box }) => box?.east },
  { column: 'charging_current_max', of: ({ chargingCurrent }) => chargingCurrent?.max ?? -Infinity },
  { column: 'charging_flag_max', of: ({ chargingFlag }) => chargingFlag?.max ?? -Infinity },
];
export const EXTREMES = [...LOW_COLUMNS, ...HIGH_COLUMNS];

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** Elements of the column `packs` per pack. */
export const PACK_ELEMENTS = ['min', 'max', 'sumMilli', 'count'] as const;

/** The column `packs` as PostgreSQL reads it: of each pack lowest, highest, thousandths of a percent added, values. */
function packsText({ packs }: Bucket): string | undefined {
  if (packs.length === 0) return undefined;
  let elements = '';
  for (const sums of packs) for (const name of PACK_ELEMENTS) elements += `,${sums?.[name] ?? 'NULL'}`;
  return `{${elements.slice(1)}}`;
}

/** What buckets hold, for PostgreSQL: sums, extremes and packs, each column's values one array. */
export const bucketArrays = (buckets: readonly StoredBucket[]): Buffer[] => [
  ...columns(
    'bigint',
    buckets,
    SUM_COLUMNS.length,
    (bucket, column) => bucket[SUMS[column] as (typeof SUMS)[number]],
  ),
  ...columns('double', buckets, EXTREMES.length, (bucket, column) => EXTREMES[column]?.of(bucket)),
  texts('text', buckets.map(packsText)),
];

/** An expression for an element of the column, of a pack by its number less 1. */
export const packElement = (pack: number, element: (typeof PACK_ELEMENTS)[number]): string =>
  `packs[${pack * PACK_ELEMENTS.length + PACK_ELEMENTS.indexOf(element) + 1}]`;
