/** Removes organizations that are being deleted, until it is killed. Usage: `leaving-process.ts CONNECTION TIME`, in ms since 1970. */

import { openPool } from '#server/platform/database.ts';
import { loadShards } from '#server/platform/shards.ts';
import { runUpkeep } from './run-upkeep.ts';

const [connection = '{}', time] = process.argv.slice(2);
const pool = openPool(
  JSON.parse(connection),
  (message) => void process.stderr.write(`Database: ${message}\n`),
);
await loadShards(pool);
for (;;) await runUpkeep(pool, Number(time));
