/** Closes all weeks again and again, until it is killed. Usage: `closing-process.ts CONNECTION`. */
import { openPool } from '#server/platform/database.ts';
import { loadShards } from '#server/platform/shards.ts';
import { closeWeeks } from '#server/telemetry/readings/close-weeks.ts';

const [connection = '{}'] = process.argv.slice(2);
const pool = openPool(
  JSON.parse(connection),
  (message) => void process.stderr.write(`Database: ${message}\n`),
);
await loadShards(pool);
for (;;) for await (const _ of closeWeeks(pool, Number.POSITIVE_INFINITY));
