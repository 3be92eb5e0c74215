/** The client of uploads.bench.ts and live.bench.ts: a process of its own, so that it shares no event loop. */

import { applyLoad } from './load.ts';
import type { LoadOrder, LoadReply } from './load-client.ts';
import { signUploads } from './presigned-uploads.ts';

let requests: Buffer[] = [];

async function carryOut(order: LoadOrder): Promise<LoadReply> {
  switch (order.kind) {
    case 'sign':
      requests = signUploads(order.uploads);
      return { kind: 'done' };
    case 'take':
      requests = order.requests.map((text) => Buffer.from(text));
      return { kind: 'done' };
    case 'run':
      return { kind: 'result', result: await applyLoad(requests, order.status, order.load) };
  }
}

process.on('message', (order: LoadOrder) => {
  carryOut(order).then(
    (reply) => process.send?.(reply),
    (error: Error) => process.send?.({ kind: 'failed', message: error.message } satisfies LoadReply),
  );
});
process.on('disconnect', () => process.exit(0));
