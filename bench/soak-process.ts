/** The client of soak.bench.ts: a process of its own, so that it shares no event loop. */

import { type SoakOrder, type SoakResult, soak } from './soak-load.ts';

export type SoakReply = { readonly result: SoakResult } | { readonly failed: string };

process.on('message', (order: SoakOrder) => {
  soak(order).then(
    (result) => process.send?.({ result } satisfies SoakReply),
    (error: Error) => process.send?.({ failed: error.message } satisfies SoakReply),
  );
});
process.on('disconnect', () => process.exit(0));
