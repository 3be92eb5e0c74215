/**
 * A process of its own that stores uploads of many loggers as quickly as it can, until it is killed: of every logger
 * one at a time, of increasing seconds. Each answer is a message [logger, n].
 */
import { setTimeout } from 'node:timers/promises';
import { openPool } from '#server/platform/database.ts';
import { learnShards } from '#server/platform/shards.ts';
import { openWriteQueue } from '#server/telemetry/write-queue.ts';
import { upload } from './uploads.ts';

const [connection = '', loggers = '', from = ''] = process.argv.slice(2);
const pool = openPool(JSON.parse(connection), () => {});
await learnShards(pool);
const writeQueue = openWriteQueue(pool);

for (let logger = 1; logger <= Number(loggers); logger++) {
  void (async () => {
    for (let n = Number(from); ; n++) {
      await writeQueue.commit(upload(logger, n));
      process.send?.([logger, n]);
      // They do not all come in one turn, as they do not over the line.
      await setTimeout(10 * Math.random());
    }
  })();
}
