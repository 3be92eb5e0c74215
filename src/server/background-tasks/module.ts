import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { readTasks } from './background-tasks.store.ts';

/** Registers GET /api/background-tasks, which lists long work under way. */
export const backgroundTasks: Module<Caller> = {
  topics: {
    'background-tasks': { title: 'Achtergrondwerk', about: 'Lang werk op de server.' },
  },
  routes: (serve, { pool }) => {
    serve('GET /api/background-tasks', () => readTasks(pool));
  },
};
