import type { Caller } from '#server/auth/sessions.ts';
import { limitConcurrency } from '#server/history/limit-concurrency.ts';
import { parseRange } from '#server/history/range.ts';
import { openFairQueue, queuedCallerOf } from '#server/platform/fair-queue.ts';
import type { Module } from '#server/platform/module.ts';
import { readComparedFigures } from './compare-figures.ts';
import { readComparedSeries } from './compare-series.ts';
import { readComparedMachines } from './compared-machines.ts';

/** Maximum number of simultaneous answers in this process and per account, and of waiting ones per account. */
const MOST = 4;
const MAX_SIMULTANEOUS_PER_ACCOUNT = 1;
const MAX_QUEUED_PER_ACCOUNT = 20;

/** Serves the comparison of two to five machines. `now`: ms. */
export const compare: Module<Caller> = {
  topics: {
    compare: { title: 'Vergelijken', about: 'Twee tot vijf machines naast elkaar.' },
  },
  routes: (serve, { pool, now }) => {
    const db = limitConcurrency(pool);
    const answers = openFairQueue(MOST, MAX_SIMULTANEOUS_PER_ACCOUNT, MAX_QUEUED_PER_ACCOUNT);

    serve('GET /api/compare/courses', (call) => {
      const { caller, query } = call;
      const range = parseRange(query.start, query.end, now());
      return answers.run(queuedCallerOf(call), async () => {
        const machines = await readComparedMachines(db, caller.scope, query.machines);
        return { machines: await readComparedSeries(db, machines, range, query.points) };
      });
    });

    serve('GET /api/compare/figures', (call) => {
      const { caller, query } = call;
      return answers.run(queuedCallerOf(call), async () => {
        const machines = await readComparedMachines(db, caller.scope, query.machines);
        return readComparedFigures(db, caller.scope, machines, query, now());
      });
    });
  },
};
