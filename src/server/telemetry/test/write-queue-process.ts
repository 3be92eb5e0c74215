/**
 * A separate process that stores uploads of many loggers as fast as it can, until it is killed. Each logger sends one upload at a
 * time; each has a reading one second after the previous one. The process reports each stored upload by a message [logger, n].
 */
import { setTimeout } from 'node:timers/promises';
import { openPool } from '#server/platform/database.ts';
import { loadShards } from '#server/platform/shards.ts';
import { openWriteQueue } from '#server/telemetry/write-queue.ts';
import { queuedUpload } from './uploads.ts';

const [connection = '', loggers = '', from = ''] = process.argv.slice(2);
const pool = openPool(JSON.parse(connection), () => {});
await loadShards(pool);
const writeQueue = openWriteQueue(pool);

for (let logger = 1; logger <= Number(loggers); logger++) {
  void (async () => {
    for (let n = Number(from); ; n++) {
      await writeQueue.commit(queuedUpload(logger, n));
      process.send?.([logger, n]);
      // A random wait, so that the loggers' uploads arrive at different moments, as in a real network.
      await setTimeout(10 * Math.random());
    }
  })();
}
