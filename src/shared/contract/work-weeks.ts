import { z } from 'zod';
import { weekFaults } from '#shared/domain/alerts/work-week.ts';
import type { Endpoint } from './endpoint.ts';
import { Day, line } from './projects.ts';

const MOST_HOLIDAYS = 100;

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'moet een tijd als 06:30 zijn');
const Week = z.object({
  /** Seven, Monday first; null: nobody works. An end before the begin is one of the next day. */
  workDays: z.array(z.object({ from: Time, to: Time }).nullable()).length(7, 'heeft zeven dagen'),
  /** Nobody works on those of the Netherlands. */
  nationalHolidays: z.boolean(),
  /** Nobody works from the first day to the last, both included. */
  ownHolidays: z
    .array(z.object({ holidayName: line(80).min(1, 'ontbreekt'), firstDay: Day, lastDay: Day }))
    .max(MOST_HOLIDAYS, `zijn er hoogstens ${MOST_HOLIDAYS}`),
});
export type WorkWeekFields = z.output<typeof Week>;

const Shown = z.object({
  workDays: z.array(z.object({ from: z.string(), to: z.string() }).nullable()),
  nationalHolidays: z.boolean(),
  ownHolidays: z.array(z.object({ holidayName: z.string(), firstDay: z.string(), lastDay: z.string() })),
});
const Name = line(254);

/** When an organization works: by it alerts know what is outside working hours, and when the next shift begins. */
export const workWeeksApi = {
  'GET /api/workweek/get': {
    summary:
      'The work week and the holidays of an organization (its functional name); the usual one where it decided nothing.',
    access: 'session',
    needs: 'manage-users',
    changes: false,
    query: z.object({ name: Name }),
    response: Shown,
  },
  'POST /api/workweek/set': {
    summary: 'Sets the work week and the holidays of an organization (its functional name).',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: Week.extend({ name: Name }).superRefine((week, { addIssue }) => {
      for (const { path, message } of weekFaults(week))
        addIssue({ code: 'custom', path: [...path], message });
    }),
    response: Shown,
  },
} as const satisfies Record<string, Endpoint>;
