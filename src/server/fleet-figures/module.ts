import type { Caller } from '#server/auth/sessions.ts';
import { limitConcurrency } from '#server/history/limit-concurrency.ts';
import { openFairQueue, queuedCallerOf } from '#server/platform/fair-queue.ts';
import type { Module } from '#server/platform/module.ts';
import { findHistory, readHistories } from '#server/streams/scope.ts';
import type { FleetFigure } from '#shared/contract/fleet-figures.ts';
import { fleetFigures } from './fleet-figures.ts';
import type { UsualDaysCache } from './usual-days.ts';

/** Maximum concurrent SQL statements, and concurrent answers, in this process, so that other pages never wait for a large fleet. */
const STATEMENTS = 2;
const MOST = 2;
const MAX_PER_ACCOUNT = 1;
const MAX_WAITING_PER_ACCOUNT = 20;

/** Serves the overview of a fleet (15.1). @param now returns ms */
export const fleet: Module<Caller> = {
  topics: {
    fleet: {
      title: 'Machines bij elkaar',
      about: 'Wat het overzicht van alle machines naast de live data toont.',
    },
  },
  routes: (serve, { pool, now }) => {
    const db = limitConcurrency(pool, STATEMENTS);
    const answers = openFairQueue(MOST, MAX_PER_ACCOUNT, MAX_WAITING_PER_ACCOUNT);
    const usualDays: UsualDaysCache = new Map();
    serve('GET /api/fleet/figures', (call) =>
      answers.run(queuedCallerOf(call), async () => {
        const { scope } = call.caller;
        return fleetFigures(db, scope, await readHistories(db, scope, 'machine'), usualDays, now());
      }),
    );
    serve('GET /api/fleet/figures/:serialNumber', async ({ caller: { scope }, params: { serialNumber } }) => {
      const machine = { ...(await findHistory(db, scope, serialNumber, ['machine'])), serial: serialNumber };
      return (await fleetFigures(db, scope, [machine], usualDays, now()))[serialNumber] as FleetFigure;
    });
  },
};
