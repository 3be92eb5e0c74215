import type { ClosedLoop, ClosedLoopResult } from './closed-loop.ts';
import type { BenchContext } from './context.ts';
import type { OpenLoop, OpenLoopResult } from './open-loop.ts';
import { nextMessage, startHelper } from './processes.ts';
import type { SignedUploads } from './signed-uploads.ts';

export type LoadCommand =
  | { readonly sign: SignedUploads }
  | { readonly take: readonly string[] }
  | { readonly closedLoop: ClosedLoop }
  | { readonly openLoop: OpenLoop };
export type LoadReply = { readonly result: unknown } | { readonly failed: string };

/**
 * A separate process that sends a load, so that the load does not share this process's event loop. It carries out one call at a time.
 */
export type LoadClient = {
  /** Prepares signed uploads, which the next closed loops send. */
  sign(uploads: SignedUploads): Promise<void>;
  /** Sets the requests that the next closed loops send. */
  take(requests: readonly string[]): Promise<void>;
  closedLoop(load: ClosedLoop): Promise<ClosedLoopResult>;
  openLoop(load: OpenLoop): Promise<OpenLoopResult>;
};

export function startLoadClient(context: BenchContext): LoadClient {
  const child = startHelper(context, './load-process.ts');
  async function ask<Result>(order: LoadCommand): Promise<Result> {
    child.send(order);
    const reply = await nextMessage<LoadReply>(child);
    if ('failed' in reply) throw new Error(reply.failed);
    return reply.result as Result;
  }
  return {
    sign: (sign) => ask({ sign }),
    take: (take) => ask({ take }),
    closedLoop: (closedLoop) => ask({ closedLoop }),
    openLoop: (openLoop) => ask({ openLoop }),
  };
}
