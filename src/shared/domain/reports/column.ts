import { dateAndSecond, decimals, dutchDate, hoursAsClock } from '../nl.ts';

/**
 * What a report's cell is, and so how screen, CSV, XLSX and JSON write it. Of each what it is in `base`, exactly, and in the unit
 * that is told:
 * - text; day: 'YYYY-MM-DD'; moment: ms since 1970
 * - duration: ms, told in s; energy: mJ, told in kWh; distance: mm, told in km
 * - share: 0..1, told in %; number: as it is
 */
export type Kind = 'text' | 'day' | 'moment' | 'duration' | 'energy' | 'distance' | 'share' | 'number';

/** A value, exactly; null: not known. */
export type Base = string | number | null;

type Described = {
  /** Its name in JSON. */
  readonly key: string;
  /** Above it. */
  readonly title: string;
  /** Of a number: as it stands behind the title. */
  readonly unit?: string;
};

type Sum<Row> = Described & {
  readonly kind: 'number' | 'duration' | 'energy' | 'distance';
  /** Decimals that are shown. */
  readonly digits?: number;
  /** Whether it adds up over rows. */
  readonly isSummed?: boolean;
  /** Whether the total is the sum of the rows that are known, as of energy. */
  readonly isPartlyKnown?: boolean;
  readonly value: (row: Row) => number | null;
};
type Share<Row> = Described & {
  readonly kind: 'share';
  /** What is there and of how much; of several rows both are added. */
  readonly parts: (row: Row) => readonly [part: number, whole: number];
};
type Moment<Row> = Described & {
  readonly kind: 'moment';
  /** 3: to the millisecond in a file. */
  readonly digits?: 3;
  /** Whether a file writes it in UTC; else in Amsterdam's time. */
  readonly isUtc?: boolean;
  readonly value: (row: Row) => number | null;
};
type Text<Row> = Described & {
  readonly kind: 'text' | 'day';
  readonly value: (row: Row) => string | null;
};

export type Column<Row> = Sum<Row> | Share<Row> | Moment<Row> | Text<Row>;

/** What a reader of a report has to know of a column. */
export type Told = {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly kind: Kind;
  readonly digits: number;
  readonly isSummed: boolean;
};

const UNITS: Readonly<Partial<Record<Kind, string>>> = { energy: 'kWh', distance: 'km', share: '%' };
const DIGITS: Readonly<Partial<Record<Kind, number>>> = { energy: 1, distance: 1, share: 1 };

export const told = <Row>(column: Column<Row>): Told => ({
  key: column.key,
  title: column.title,
  unit: column.unit ?? UNITS[column.kind] ?? '',
  kind: column.kind,
  digits: ('digits' in column ? column.digits : undefined) ?? DIGITS[column.kind] ?? 0,
  isSummed: column.kind === 'share' || ('isSummed' in column && column.isSummed === true),
});

export const MJ_PER_KWH = 3_600_000_000;
const MM_PER_KM = 1_000_000;

/** Six decimals: what was reckoned has no more that mean anything. */
export const toMicro = (value: number): number => Math.round(value * 1e6) / 1e6;

/** A share of nothing is not known. */
const shareOf = ([part, whole]: readonly [number, number]): number | null =>
  whole > 0 ? part / whole : null;

export const baseOf = <Row>(column: Column<Row>, row: Row): Base =>
  column.kind === 'share' ? shareOf(column.parts(row)) : column.value(row);

/** In the unit that is told; a moment as ISO time, UTC. */
export function inUnit(kind: Kind, base: Base): Base {
  if (typeof base !== 'number') return base;
  if (kind === 'moment') return new Date(base).toISOString();
  if (kind === 'duration') return base / 1000;
  // To the third of a joule: no more digits than it has.
  if (kind === 'energy') return Math.round(base / (MJ_PER_KWH / 1e7)) / 1e7;
  if (kind === 'distance') return base / MM_PER_KM;
  // Never rounded up: what lacks anything is not 100 %.
  if (kind === 'share') return Math.floor(base * 1000 + 1e-9) / 10;
  return base;
}

/** What stands above a column. */
export const headOf = ({ title, unit }: Pick<Told, 'title' | 'unit'>): string =>
  unit === '' ? title : `${title} (${unit})`;

/** Adds rows up. */
export type Totals<Row> = {
  add(rows: readonly Row[]): void;
  /** Of each column, in base; null where it does not add up. */
  bases(): Base[];
};

export function openTotals<Row>(columns: readonly Column<Row>[]): Totals<Row> {
  const sums = columns.map(() => [0, 0] as [number, number]);
  const isKnown = columns.map(() => false);
  const isUnknown = columns.map(() => false);
  // Of energy it is told how much is known; of what else is only partly known the sum is not known.
  const isPartlyTold = (column: Column<Row>): boolean =>
    column.kind === 'energy' || ('isPartlyKnown' in column && column.isPartlyKnown === true);
  const isTold = (column: Column<Row>, at: number): boolean =>
    !isUnknown[at] || (isPartlyTold(column) && isKnown[at] === true);
  const adding = columns.flatMap((column, at) => (told(column).isSummed ? [{ column, at }] : []));
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
        return told(column).isSummed && isTold(column, at) ? (sums[at]?.[0] ?? 0) : null;
      }),
  };
}

/** A value in its unit, as it stands on the screen; '' where it is not known. */
export function cellText({ kind, digits }: Pick<Told, 'kind' | 'digits'>, value: Base): string {
  if (value === null) return '';
  if (typeof value === 'string') {
    if (kind === 'day') return dutchDate(value);
    return kind === 'moment' ? dateAndSecond(Date.parse(value)) : value;
  }
  if (kind === 'duration') return hoursAsClock(value / 3600);
  return decimals(value, digits);
}
