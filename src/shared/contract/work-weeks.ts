import { z } from 'zod';
import { WEEK_OWNERS } from '#shared/domain/alerts/work-calendar.ts';
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

/** The owner of a work week. */
const OfOwner = z.object({
  /** Functional name of the organization. */
  name: line(254),
  by: z.enum(WEEK_OWNERS),
  /** The id of a label or project, or the serial number of a machine. */
  target: line(64).min(1, 'ontbreekt'),
});
const Owner = z.object({ by: z.enum(WEEK_OWNERS), target: z.string(), targetName: z.string() });
export type NamedWeekOwner = z.output<typeof Owner>;

const Shown = z.object({
  workDays: z.array(z.object({ from: z.string(), to: z.string() }).nullable()),
  nationalHolidays: z.boolean(),
  ownHolidays: z.array(z.object({ holidayName: z.string(), firstDay: z.string(), lastDay: z.string() })),
});
const Name = line(254);
const refuseFaults = (
  week: WorkWeekFields,
  { addIssue }: { addIssue: (issue: { code: 'custom'; path: (string | number)[]; message: string }) => void },
): void => {
  for (const { path, message } of weekFaults(week)) addIssue({ code: 'custom', path: [...path], message });
};

const OwnWeek = Owner.extend({
  week: Shown,
  /** How many machines it holds for now. */
  machines: z.number().int(),
  /** Machines that another week holds for now, although this one is their label's or project's. */
  overruled: z.array(z.object({ serialNumber: z.string(), alias: z.string(), winner: Owner })),
});
export type OwnWeek = z.output<typeof OwnWeek>;

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
    body: Week.extend({ name: Name }).superRefine(refuseFaults),
    response: Shown,
  },
  'GET /api/workweek/night': {
    summary:
      'The hours of last night of their own organization, for reports: from the end of work yesterday to the begin of work today; 18:00 to 06:00 where it decided no work week or works at night.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    response: z.object({
      /** 'HH:mm', yesterday and today. */
      fromTime: z.string(),
      toTime: z.string(),
    }),
  },
  'GET /api/workweek/own': {
    summary:
      'The labels, projects and machines of an organization (its functional name) with a work week of their own, by name: first machines, then projects, then labels.',
    access: 'session',
    needs: 'manage-users',
    changes: false,
    query: z.object({ name: Name, serialNumber: line(64).optional() }),
    response: z.object({
      ownWeeks: z.array(OwnWeek),
      /** Whose week holds now for the machine that was asked for; null: its organization's, or no machine was asked for. */
      holds: Owner.nullable(),
    }),
  },
  'GET /api/workweek/own/get': {
    summary: 'One label, project or machine with its own work week; null where it has none.',
    access: 'session',
    needs: 'manage-users',
    changes: false,
    query: OfOwner,
    response: Owner.extend({ week: Shown.nullable() }),
  },
  'POST /api/workweek/own/set': {
    summary: 'Gives a label, a project or a machine a work week of its own, before that of its organization.',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: Week.extend(OfOwner.shape).superRefine(refuseFaults),
    response: Owner.extend({ week: Shown.nullable() }),
  },
  'POST /api/workweek/own/delete': {
    summary: 'Takes the work week of a label, a project or a machine away. Safe to repeat.',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: OfOwner,
    response: Owner.extend({ week: Shown.nullable() }),
  },
} as const satisfies Record<string, Endpoint>;
