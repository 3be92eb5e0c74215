import { openPool } from '#server/platform/database.ts';
import { fillExample } from './example-history.ts';

/** Fills the example history of stream FILL_STREAM in DATABASE_URL and says so with each piece; to be killed. */
const pool = openPool({ connectionString: process.env.DATABASE_URL as string }, () => undefined);
await fillExample(pool, Number(process.env.FILL_STREAM), (n) => process.stdout.write(`piece ${n}\n`) || true);
await pool.end();
