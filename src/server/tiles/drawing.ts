import { Worker } from 'node:worker_threads';
import type { BuiltInMap } from './built-in.ts';
import type { TileAddress } from './mercator.ts';
import type { Palette } from './palette.ts';

/** Message to the worker thread: draw this tile. */
export type DrawTileRequest = { readonly id: number; readonly tile: TileAddress; readonly palette: Palette };
/** Message from the worker thread: the PNG of the tile, or why it could not be drawn. */
export type DrawnTile =
  | { readonly id: number; readonly bytes: Uint8Array; readonly failure?: never }
  | { readonly id: number; readonly failure: string };

type Waiting = { resolve: (bytes: Buffer) => void; reject: (error: Error) => void };

/**
 * Returns the built-in map, drawn in a worker thread so that uploads do not wait: reading its outline takes 0.7 s and drawing a
 * screen of tiles 0.3 s. The thread starts at the first tile, and at the next tile after it failed. While there are no tiles to
 * draw, the thread does not keep the process alive.
 */
export function createMapThread(): BuiltInMap {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let count = 0;

  function start(): Worker {
    const started = new Worker(new URL('./drawing-worker.ts', import.meta.url));
    started.on('message', (drawn: DrawnTile) => {
      const one = waiting.get(drawn.id);
      waiting.delete(drawn.id);
      if (waiting.size === 0) started.unref();
      if (drawn.failure === undefined) one?.resolve(Buffer.from(drawn.bytes));
      else one?.reject(new Error(drawn.failure));
    });
    const failed = (error: Error): void => {
      if (thread !== started) return;
      thread = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('error', failed);
    started.on('exit', (code) => failed(new Error(`The thread that draws tiles ended (${code}).`)));
    return started;
  }

  return {
    render: (tile, palette) =>
      new Promise((resolve, reject) => {
        thread ??= start();
        count += 1;
        waiting.set(count, { resolve, reject });
        thread.ref();
        thread.postMessage({ id: count, tile, palette } satisfies DrawTileRequest);
      }),
  };
}
