/** The process that startLoadClient() starts: carries out the orders of load-client.ts. */
import { runClosedLoop } from './closed-loop.ts';
import type { LoadCommand, LoadReply } from './load-client.ts';
import { runOpenLoop } from './open-loop.ts';
import { signUploads } from './signed-uploads.ts';

let requests: Buffer[] = [];

async function carryOut(order: LoadCommand): Promise<unknown> {
  if ('closedLoop' in order) return runClosedLoop(requests, order.closedLoop);
  if ('openLoop' in order) return runOpenLoop(order.openLoop);
  requests = 'sign' in order ? signUploads(order.sign) : order.take.map((text) => Buffer.from(text));
  return null;
}

process.on('message', (order: LoadCommand) => {
  carryOut(order).then(
    (result) => process.send?.({ result } satisfies LoadReply),
    (error: Error) => process.send?.({ failed: error.message } satisfies LoadReply),
  );
});
process.on('disconnect', () => process.exit(0));
