import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** DuckDB; undefined if npm has no binary for this computer. */
const duckdb = await import('@duckdb/node-api').catch(() => undefined);

/** Columns of a Parquet file as DuckDB reads it. */
type DuckRows = {
  /** Name and type of each column. */
  readonly types: readonly string[];
  /** Values of the first column, in ms since 1970. */
  readonly times: readonly number[];
  /** Values of the other columns; null for none. */
  readonly columns: readonly (readonly (number | null)[])[];
};

/** Reads the bytes of a Parquet file with DuckDB; undefined where there is no DuckDB. */
export const duckRows =
  duckdb &&
  (async (bytes: Uint8Array): Promise<DuckRows> => {
    const folder = await mkdtemp(join(tmpdir(), 'werkstroom-parquet-'));
    const connection = await (await duckdb.DuckDBInstance.create()).connect();
    try {
      const file = join(folder, 'file.parquet');
      await writeFile(file, bytes);
      const described = (await connection.runAndReadAll(`describe select * from '${file}'`)).getRows();
      const time = String(described[0]?.[0]).replaceAll('"', '""');
      const reader = await connection.runAndReadAll(
        `select epoch_ms("${time}") as at, * exclude ("${time}") from '${file}'`,
      );
      const [times = [], ...columns] = reader.getColumns();
      return {
        types: described.map(([name, type]) => `${name} ${type}`),
        times: times.map(Number),
        columns: columns as (number | null)[][],
      };
    } finally {
      connection.closeSync();
      await rm(folder, { recursive: true, force: true });
    }
  });
