import type { Caller } from '#server/auth/sessions.ts';
import type { Module, ServiceOpener, SharedServices } from '#server/platform/module.ts';
import { invalidInputError } from '#server/platform/problem.ts';
import { findHistory } from '#server/streams/scope.ts';
import { amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { type DayComputation, startDayComputation } from './day-computation.ts';
import { listDays } from './list-days.ts';
import { openRecomputations, type Recomputations } from './recomputations.ts';
import { countUnusedLevels } from './unused-levels.store.ts';

type Computing = { readonly dayComputation: DayComputation; readonly recomputations: Recomputations };

/** Serves the figures of machines by day (14.2). @param now returns ms */
export const dayFigures: Module<Caller> & ServiceOpener<SharedServices, Computing> = {
  open: ({ pool, warn, now }) => ({
    dayComputation: startDayComputation(pool, warn, now),
    recomputations: openRecomputations(pool, warn),
  }),
  routes: (serve, { pool, now }) => {
    serve('GET /api/influx/days/:serialNumber', async ({ caller, params, query }) => {
      const history = await findHistory(
        pool,
        /*rule:days-scope*/ caller.scope /*={ ...caller.scope, organizations: 'all' }*/,
        params.serialNumber,
        ['machine'],
      );
      return listDays(pool, caller.scope, history, query.month, now());
    });
    serve('GET /api/influx/unused-levels/:serialNumber', async ({ caller, params, query }) => {
      const history = await findHistory(pool, caller.scope, params.serialNumber, ['machine']);
      const day = amsterdamDayRange(query.day);
      if (!day) throw invalidInputError('Deze dag bestaat niet.');
      return { count: await countUnusedLevels(pool, history, day) };
    });
  },
};
