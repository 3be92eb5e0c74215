import { dateAndSecond, dutchDate, formatDecimals, hoursAsClock } from '../nl.ts';

/**
 * The kind of a report's cell, which decides how screen, CSV, XLSX and JSON write it. Each kind has an exact `BaseValue` and an output
 * unit:
 * - text; day: 'YYYY-MM-DD'; moment: ms since 1970
 * - duration: ms, output in s; energy: mJ, output in kWh; distance: mm, output in km
 * - share: 0..1, output in %; number: any unit
 */
export type ColumnKind = 'text' | 'day' | 'moment' | 'duration' | 'energy' | 'distance' | 'share' | 'number';

/** An exact value; null: not known. */
export type BaseValue = string | number | null;

type Described = {
  /** Name of the column in JSON. */
  readonly key: string;
  /** Heading above the column. */
  readonly title: string;
  /** Unit of a number, shown behind the title. */
  readonly unit?: string;
};

type Sum<Row> = Described & {
  readonly kind: 'number' | 'duration' | 'energy' | 'distance';
  /** Decimals on the screen. */
  readonly digits?: number;
  /** Whether the column has a total. */
  readonly isSummed?: boolean;
  /**
   * Whether the total is the sum of the known rows, as for energy; otherwise the total is not known if one row
   * is not known.
   */
  readonly isPartlyKnown?: boolean;
  readonly value: (row: Row) => number | null;
};
type Share<Row> = Described & {
  readonly kind: 'share';
  /** Part and whole of a share; a total adds both over the rows. */
  readonly parts: (row: Row) => readonly [part: number, whole: number];
};
type Moment<Row> = Described & {
  readonly kind: 'moment';
  /** 3: files write the time to the millisecond. */
  readonly digits?: 3;
  /** Whether files write the time in UTC instead of local time in Amsterdam. */
  readonly isUtc?: boolean;
  readonly value: (row: Row) => number | null;
};
type Text<Row> = Described & {
  readonly kind: 'text' | 'day';
  readonly value: (row: Row) => string | null;
};

export type Column<Row> = Sum<Row> | Share<Row> | Moment<Row> | Text<Row>;

/** Returns a column with a text; null: not known. */
export const textColumn = <Row>(
  key: string,
  title: string,
  value: (row: Row) => string | null,
): Column<Row> => ({
  key,
  title,
  kind: 'text',
  value,
});

/** Returns a column with a time, ms since 1970. */
export const momentColumn = <Row>(
  key: string,
  title: string,
  value: (row: Row) => number | null,
): Column<Row> => ({
  key,
  title,
  kind: 'moment',
  value,
});

/** Returns a column with a total. */
export const summedColumn = <Row>(
  kind: Sum<Row>['kind'],
  key: string,
  title: string,
  value: (row: Row) => number | null,
): Column<Row> => ({ key, title, kind, isSummed: true, value });

/** Returns a column with a number in a unit, without a total. @param digits decimals on the screen */
export const measuredColumn = <Row>(
  key: string,
  title: string,
  unit: string,
  digits: number,
  value: (row: Row) => number | null,
): Column<Row> => ({ key, title, unit, kind: 'number', digits, value });

/** The description of a column in a response or a file. */
export type ColumnInfo = {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly kind: ColumnKind;
  readonly digits: number;
  readonly isSummed: boolean;
};

const UNITS: Readonly<Partial<Record<ColumnKind, string>>> = { energy: 'kWh', distance: 'km', share: '%' };
const DIGITS: Readonly<Partial<Record<ColumnKind, number>>> = { energy: 1, distance: 1, share: 1 };

export const columnInfo = <Row>(column: Column<Row>): ColumnInfo => ({
  key: column.key,
  title: column.title,
  unit: column.unit ?? UNITS[column.kind] ?? '',
  kind: column.kind,
  digits: ('digits' in column ? column.digits : undefined) ?? DIGITS[column.kind] ?? 0,
  isSummed: column.kind === 'share' || ('isSummed' in column && column.isSummed === true),
});

export const MJ_PER_KWH = 3_600_000_000;
const MM_PER_KM = 1_000_000;

/** Rounds to six decimals; computed figures are not more exact. */
export const roundToSixDecimals = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Returns a share; null when the whole is 0. */
const shareOf = ([part, whole]: readonly [number, number]): number | null =>
  whole > 0 ? part / whole : null;

export const baseValueOf = <Row>(column: Column<Row>, row: Row): BaseValue =>
  column.kind === 'share' ? shareOf(column.parts(row)) : column.value(row);

/** Converts a base value to the output unit of its kind; a moment becomes an ISO time, UTC. */
export function toOutputUnit(kind: ColumnKind, base: BaseValue): BaseValue {
  if (typeof base !== 'number') return base;
  if (kind === 'moment') return new Date(base).toISOString();
  if (kind === 'duration') return base / 1000;
  // Rounded to about a third of a joule.
  if (kind === 'energy') return Math.round(base / (MJ_PER_KWH / 1e7)) / 1e7;
  if (kind === 'distance') return base / MM_PER_KM;
  // Rounded down, so that an incomplete share is never 100 %.
  if (kind === 'share') return Math.floor(base * 1000 + 1e-9) / 10;
  return base;
}

/** Returns the heading of a column, with its unit. */
export const headingOf = ({ title, unit }: Pick<ColumnInfo, 'title' | 'unit'>): string =>
  unit === '' ? title : `${title} (${unit})`;

/** Computes the totals of rows. */
export type Totals<Row> = {
  add(rows: readonly Row[]): void;
  /** Returns the exact total of each column; null when it has none. */
  bases(): BaseValue[];
};

export function startTotals<Row>(columns: readonly Column<Row>[]): Totals<Row> {
  const sums = columns.map(() => [0, 0] as [number, number]);
  const isKnown = columns.map(() => false);
  const isUnknown = columns.map(() => false);
  // A total of energy is the sum of the known rows, because the report also shows how much of the energy is known.
  // Any other total is not known if one row is not known, unless the column is `isPartlyKnown`.
  const isPartlyKnown = (column: Column<Row>): boolean =>
    column.kind === 'energy' || ('isPartlyKnown' in column && column.isPartlyKnown === true);
  const hasTotal = (column: Column<Row>, at: number): boolean =>
    !isUnknown[at] || (isPartlyKnown(column) && isKnown[at] === true);
  const adding = columns.flatMap((column, at) => (columnInfo(column).isSummed ? [{ column, at }] : []));
  return {
    add(rows) {
      for (const row of rows)
        for (const { column, at } of adding) {
          const sum = sums[at] as [number, number];
          if (column.kind === 'share') {
            const [part, whole] = column.parts(row);
            sum[0] += part;
            sum[1] += whole;
            continue;
          }
          const value = column.value(row);
          if (typeof value === 'number') {
            sum[0] += value;
            isKnown[at] = true;
          } else isUnknown[at] = true;
        }
    },
    bases: () =>
      columns.map((column, at) => {
        if (column.kind === 'share') return shareOf(sums[at] as [number, number]);
        return columnInfo(column).isSummed && hasTotal(column, at) ? (sums[at]?.[0] ?? 0) : null;
      }),
  };
}

/** Returns a value as the screen shows it; '' when it is not known. */
export function cellText({ kind, digits }: Pick<ColumnInfo, 'kind' | 'digits'>, value: BaseValue): string {
  if (value === null) return '';
  if (typeof value === 'string') {
    if (kind === 'day') return dutchDate(value);
    return kind === 'moment' ? dateAndSecond(Date.parse(value)) : value;
  }
  if (kind === 'duration') return hoursAsClock(value / 3600);
  return formatDecimals(value, digits);
}
