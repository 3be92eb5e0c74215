import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { changeOwnWeek, listOwnWeeks, readOwnWeek } from './own-weeks.store.ts';
import { readLastNightHours, readWorkWeek, setWorkWeek } from './work-weeks.store.ts';

/** Serves the work weeks of organizations (16.1), and of their labels, projects and machines (53.6). */
export const workWeeks: Module<Caller> = {
  topics: {
    workweek: {
      title: 'Werkweek',
      about: 'Wanneer een organisatie werkt: daar houden meldingen zich aan.',
    },
  },
  routes: (serve, { pool, now }) => {
    serve('GET /api/workweek/get', ({ caller, query }) => readWorkWeek(pool, caller.scope, query.name));
    serve('POST /api/workweek/set', ({ caller, body: { name, ...week } }) =>
      setWorkWeek(pool, caller, name, week),
    );
    serve('GET /api/workweek/night', ({ caller }) => readLastNightHours(pool, caller.organizationId, now()));
    serve('GET /api/workweek/own', ({ caller, query }) => listOwnWeeks(pool, caller.scope, query, now()));
    serve('GET /api/workweek/own/get', ({ caller, query }) => readOwnWeek(pool, caller.scope, query));
    serve('POST /api/workweek/own/set', ({ caller, body: { name, by, target, ...week } }) =>
      changeOwnWeek(pool, caller, { name, by, target }, week),
    );
    serve('POST /api/workweek/own/delete', ({ caller, body }) => changeOwnWeek(pool, caller, body, null));
  },
};
