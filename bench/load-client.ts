import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Load, LoadResult } from './load.ts';
import type { Uploads } from './presigned-uploads.ts';
import type { Workplace } from './workplace.ts';

export type LoadOrder =
  | { readonly kind: 'sign'; readonly uploads: Uploads }
  | { readonly kind: 'take'; readonly requests: readonly string[] }
  | { readonly kind: 'run'; readonly status: number; readonly load: Load };
export type LoadReply =
  | { readonly kind: 'done' }
  | { readonly kind: 'result'; readonly result: LoadResult }
  | { readonly kind: 'failed'; readonly message: string };

/** The client process. One order at a time. */
export type LoadClient = {
  /** Prepares uploads; from then on `run` sends these. */
  sign(uploads: Uploads): Promise<void>;
  /** From now on `run` sends these. */
  take(requests: readonly string[]): Promise<void>;
  /** @throws when an answer has another status */
  run(status: number, load: Load): Promise<LoadResult>;
};

export function startLoadClient(place: Workplace): LoadClient {
  const child = startHelper(place, './load-process.ts');
  async function ask(order: LoadOrder): Promise<LoadReply> {
    child.send(order);
    const [reply] = (await answerOf(child)) as [LoadReply];
    if (reply.kind === 'failed') throw new Error(reply.message);
    return reply;
  }
  return {
    sign: async (uploads) => void (await ask({ kind: 'sign', uploads })),
    take: async (requests) => void (await ask({ kind: 'take', requests })),
    async run(status, load) {
      const reply = await ask({ kind: 'run', status, load });
      if (reply.kind !== 'result') throw new Error('The client has no result.');
      return reply.result;
    },
  };
}

/** A process beside the bench, of a file of this folder; it ends with the workplace. */
export function startHelper(place: Workplace, file: string, ...args: string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  const exited = once(child, 'exit');
  place.onClose(async () => {
    if (child.connected) child.disconnect();
    await exited;
  });
  return child;
}

/** Its next message. @throws when it ends instead */
export async function answerOf(child: ChildProcess): Promise<unknown[]> {
  const settled = new AbortController();
  const { signal } = settled;
  const gone = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`A helper process ended (${code}).`);
  });
  try {
    return await Promise.race([once(child, 'message', { signal }), gone]);
  } finally {
    gone.catch(() => {});
    settled.abort();
  }
}
