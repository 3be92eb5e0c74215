import { crc32, zstdDecompressSync } from 'node:zlib';
import { type FileMetaData, parquetRead } from 'hyparquet';
import { ProblemError } from '#server/platform/problem.ts';
import { knownSignal } from '#shared/domain/signal.ts';
import { doubleColumnSchema, openParquetTable } from './parquet-table.ts';

/** Readings of a file: their times in ms since 1970, in order, and their values by the name of the column; NaN if there is none. */
export type FileReadings = {
  readonly times: Float64Array;
  readonly columns: ReadonlyMap<string, Float64Array>;
};

/** Position and length of a column's bytes in a file; `isPartial` is 1 when a reading has no value in the column. */
export type ColumnChunk = readonly [start: number, bytes: number, isPartial: number, crc32: number];

/** The bytes of a column in a file. */
export type ChunkBytes = { readonly name: string; readonly chunk: ColumnChunk; readonly bytes: Buffer };

/** Thrown if the content of a file differs from what was written. The message is Dutch, for people. */
export class DamagedFile extends ProblemError {
  constructor() {
    super(
      'internal',
      'De metingen van een afgesloten week zijn beschadigd. Een beheerder kan een back-up terugzetten.',
    );
  }
}

/** Name of the column of times. */
export const TIME_COLUMN = 'time';
const SENT = ' (sent)';

/**
 * Returns the name of a file's column for the values that rows have under `name` in `rest`. A column with the name of a known signal
 * has the values that figures use.
 */
export const customSignalColumnName = (name: string): string =>
  name === TIME_COLUMN || knownSignal(name) || name.endsWith(SENT) ? `${name}${SENT}` : name;

/** Returns the name under which rows have the values of a file's column in `rest`; undefined for the column of a known signal. */
export function customSignalNameOf(column: string): string | undefined {
  if (column.endsWith(SENT)) return column.slice(0, -SENT.length);
  return knownSignal(column) ? undefined : column;
}

/**
 * Maximum bytes per page, 64,000 values: a week at 0.1 Hz has one page per column. Smaller pages took a fifth more time for a month
 * and saved no time for a day.
 */
const PAGE_BYTES = 512 * 1024;

/**
 * Writes a Parquet file: one row group, a column of doubles per signal, compressed with zstd.
 * @returns the file, and the position of each column that has a value
 */
export function writeParquet({ times, columns }: FileReadings): {
  readonly content: Buffer;
  readonly chunks: Readonly<Record<string, ColumnChunk>>;
} {
  const used = [...columns].filter(([, values]) => values.some((value) => !Number.isNaN(value)));
  const partial = new Set(used.flatMap(([name, values]) => (values.some(Number.isNaN) ? [name] : [])));
  const table = openParquetTable(
    TIME_COLUMN,
    used.map(([name]) => ({ name, isPartial: partial.has(name) })),
    PAGE_BYTES,
  );
  const rows = table.add(
    times,
    used.map(([, values]) => values),
  );
  const content = Buffer.concat([rows, table.end()]);
  return {
    content,
    chunks: Object.fromEntries(
      table.columns().map(({ path_in_schema, total_compressed_size, ...offsets }) => {
        const start = Number(offsets.data_page_offset);
        const length = Number(total_compressed_size);
        const name = path_in_schema[0] as string;
        return [
          name,
          [start, length, partial.has(name) ? 1 : 0, crc32(content.subarray(start, start + length))],
        ];
      }),
    ),
  };
}

/**
 * Decodes columns of a file.
 * @param readings number of readings in the file
 * @param from, to index of the first reading, and of the reading after the last one
 * @returns the values by column; NaN if there is none
 * @throws DamagedFile
 */
export async function readParquet(
  found: readonly ChunkBytes[],
  readings: number,
  from = 0,
  to = readings,
): Promise<Map<string, Float64Array>> {
  const columns = new Map<string, Float64Array>();
  if (from >= to || found.length === 0) return columns;
  let end = 0;
  const placed = found.map((one) => {
    const { chunk, bytes } = one;
    if (bytes.length !== chunk[1] || crc32(bytes) !== chunk[3]) throw new DamagedFile();
    const start = end;
    end += bytes.length;
    return { ...one, start };
  });
  const content = new Uint8Array(end);
  for (const { bytes, start } of placed) content.set(bytes, start);
  const metadata: FileMetaData = {
    version: 2,
    schema: [
      { name: 'readings', num_children: placed.length },
      ...placed.map(({ name, chunk }) =>
        name === TIME_COLUMN
          ? ({ name, type: 'INT64', repetition_type: 'REQUIRED' } as const)
          : doubleColumnSchema({ name, isPartial: chunk[2] === 1 }),
      ),
    ],
    num_rows: BigInt(readings),
    row_groups: [
      {
        num_rows: BigInt(readings),
        total_byte_size: BigInt(end),
        columns: placed.map(({ name, bytes, start }) => ({
          file_offset: BigInt(start),
          meta_data: {
            type: name === TIME_COLUMN ? 'INT64' : 'DOUBLE',
            encodings: [],
            path_in_schema: [name],
            codec: 'ZSTD',
            num_values: BigInt(readings),
            total_compressed_size: BigInt(bytes.length),
            total_uncompressed_size: 0n,
            data_page_offset: BigInt(start),
          },
        })),
      },
    ],
    metadata_length: 0,
  };
  await parquetRead({
    file: { byteLength: end, slice: (start, until) => content.buffer.slice(start, until) },
    metadata,
    rowStart: from,
    rowEnd: to,
    // Decompresses in one piece, because Node would otherwise decompress 16 kB at a time and copy the pieces.
    compressors: {
      ZSTD: (bytes, length) => zstdDecompressSync(bytes, { chunkSize: Math.max(64, length + 1) }),
    },
    onChunk: ({ columnName, columnData, rowStart }) =>
      place(columns, columnName, columnData, rowStart, from, to),
  });
  return columns;
}

/** Copies decoded values into a column, except those outside of the range. */
function place(
  columns: Map<string, Float64Array>,
  name: string,
  data: ArrayLike<number | bigint | null>,
  first: number,
  from: number,
  to: number,
): void {
  if (data instanceof Float64Array && first === from && data.length === to - from) {
    columns.set(name, data);
    return;
  }
  const values = columns.get(name) ?? new Float64Array(to - from);
  columns.set(name, values);
  const [begin, end] = [Math.max(0, from - first), Math.min(data.length, to - first)];
  if (data instanceof Float64Array) values.set(data.subarray(begin, end), first + begin - from);
  else if (data instanceof BigInt64Array) {
    // Twenty times faster than converting each BigInt with Number().
    const halves = new Int32Array(data.buffer, data.byteOffset, 2 * data.length);
    for (let n = begin; n < end; n += 1)
      values[first + n - from] = (halves[2 * n + 1] as number) * 2 ** 32 + ((halves[2 * n] as number) >>> 0);
  } else
    for (let n = begin; n < end; n += 1) {
      const value = data[n];
      values[first + n - from] = value === null ? Number.NaN : Number(value);
    }
}
