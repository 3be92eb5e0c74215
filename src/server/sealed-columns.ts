import type { Database } from './platform/database.ts';
import { type Secrets, storeKeyCheckSample } from './platform/secrets.ts';

/**
 * Columns that are encrypted with SECRETS_KEY, each with the expression that names a row, which `Secrets.seal` and `Secrets.open`
 * take. Add each new encrypted column here, otherwise a key rotation would make its values unreadable.
 */
export const SEALED_COLUMNS: Readonly<Record<string, string>> = {
  'writer_key.secret': 'access_key',
  'logger_network.sim_pin': 'stream_id',
  'logger_network.wifi_password': 'stream_id',
  'logger_config.xml': 'guid',
  'factor.secret': 'id',
  'organization.address_key': 'id',
  'oidc_provider.client_secret': 'organization_id',
  'push_key.private_key': 'id',
  'webhook.secret': 'id',
};

/** Rows per batch; a configuration file is about 20 kB. */
const AT_ONCE = 200;

/** Decrypts a value that will be encrypted again. */
type Open = (column: string, row: string, sealed: Buffer) => string;

/**
 * Re-encrypts every value, in a transaction of the caller. @returns the number of values
 * @throws Error naming column and row, when a value cannot be decrypted
 */
export async function resealAll(
  db: Database,
  open: Open,
  secrets: Secrets,
  progress: (done: number, total: number) => void = () => {},
): Promise<number> {
  let values = 0;
  const places = Object.entries(SEALED_COLUMNS);
  for (const [n, [place, key]] of places.entries()) {
    progress(n, places.length);
    const [table, column] = place.split('.');
    let after = '';
    for (;;) {
      const { rows } = await db.query<{ row: string; sealed: Buffer }>(
        `select ${key}::text as row, ${column} as sealed from ${table}
         where ${column} is not null and ${key}::text > $1 order by 1 limit ${AT_ONCE}`,
        [after],
      );
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.row;
      values += rows.length;
      const sealed = rows.map(({ row, sealed }) => {
        try {
          return secrets.seal(place, row, open(place, row, sealed));
        } catch (error) {
          throw new Error(`${place} of ${row} cannot be opened: ${(error as Error).message}`);
        }
      });
      await db.query(
        `update ${table} set ${column} = resealed.sealed from unnest($1::text[], $2::bytea[]) as resealed (row, sealed)
         where ${key}::text = resealed.row and ${column} is not null`,
        [rows.map(({ row }) => row), sealed],
      );
    }
  }
  await storeKeyCheckSample(db, secrets);
  return values;
}

/** Locks and returns the key sample, so that no process starts with the former key before the transaction of the rotation ends. */
export async function lockKeySample(db: Database): Promise<Buffer> {
  const { rows } = await db.query<{ sealed: Buffer }>('select sealed from secrets_check for update');
  return rows[0]?.sealed ?? Buffer.alloc(0);
}
