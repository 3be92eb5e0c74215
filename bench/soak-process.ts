/** The client of soak.bench.ts and steady.bench.ts: a process of its own, so that it shares no event loop. */

import { type SoakOrder, type SoakResult, soak } from './soak-load.ts';
import { type SteadyOrder, type SteadyResult, steady } from './steady-load.ts';

export type SoakReply<Result> = { readonly result: Result } | { readonly failed: string };

process.on('message', (order: SoakOrder | SteadyOrder) => {
  const work: Promise<SoakResult | SteadyResult> = 'livePath' in order ? soak(order) : steady(order);
  work.then(
    (result) => process.send?.({ result } satisfies SoakReply<SoakResult | SteadyResult>),
    (error: Error) =>
      process.send?.({ failed: error.message } satisfies SoakReply<SoakResult | SteadyResult>),
  );
});
process.on('disconnect', () => process.exit(0));
