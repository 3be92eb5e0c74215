/** Worker thread that draws built-in tiles, one at a time, because sharp uses the thread pool of the file system. */
import { parentPort } from 'node:worker_threads';
import { openSerial } from '#server/platform/serial.ts';
import { createBuiltInMap } from './built-in.ts';
import type { Drawing, Drawn } from './drawing.ts';

const map = createBuiltInMap();
const drawings = openSerial();

parentPort?.on('message', ({ id, tile, palette }: Drawing) => {
  void drawings.run(async () => {
    const drawn: Drawn = await map.render(tile, palette).then(
      (bytes) => ({ id, bytes }),
      (error: Error) => ({ id, failure: error.message }),
    );
    parentPort?.postMessage(drawn);
  });
});
