/** Worker thread that draws built-in tiles, one at a time, because sharp uses the thread pool of the file system. */
import { parentPort } from 'node:worker_threads';
import { openSerialQueue } from '#server/platform/serial.ts';
import { createBuiltInMap } from './built-in.ts';
import type { DrawnTile, DrawTileRequest } from './drawing.ts';

const map = createBuiltInMap();
const drawings = openSerialQueue();

parentPort?.on('message', ({ id, tile, palette }: DrawTileRequest) => {
  void drawings.run(async () => {
    const drawn: DrawnTile = await map.render(tile, palette).then(
      (bytes) => ({ id, bytes }),
      (error: Error) => ({ id, failure: error.message }),
    );
    parentPort?.postMessage(drawn);
  });
});
