import { z } from 'zod';
import { WORK_WEEK_OWNERS } from '#shared/domain/alerts/work-calendar.ts';
import { weekErrors } from '#shared/domain/alerts/work-week.ts';
import type { Endpoints } from './endpoint.ts';
import { CalendarDay, singleLineText } from './projects.ts';

const MAX_HOLIDAYS = 100;

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'moet een tijd als 06:30 zijn');
const Week = z.object({
  /** Seven days, Monday first; null: a free day. An end before the start is on the next day. */
  workDays: z.array(z.object({ from: Time, to: Time }).nullable()).length(7, 'heeft zeven dagen'),
  /** Whether the national holidays of the Netherlands are free days. */
  nationalHolidays: z.boolean(),
  /** Free days of the organization, first and last day included. */
  ownHolidays: z
    .array(
      z.object({
        holidayName: singleLineText(80).min(1, 'ontbreekt'),
        firstDay: CalendarDay,
        lastDay: CalendarDay,
      }),
    )
    .max(MAX_HOLIDAYS, `zijn er hoogstens ${MAX_HOLIDAYS}`),
});
export type WorkWeekFields = z.output<typeof Week>;

/** The owner of a work week. */
const OfOwner = z.object({
  /** The organization's functional name: its name in calls and addresses. */
  name: singleLineText(254),
  by: z.enum(WORK_WEEK_OWNERS),
  /** The id of a label or project, or the serial number of a machine. */
  target: singleLineText(64).min(1, 'ontbreekt'),
});
const Owner = z.object({ by: z.enum(WORK_WEEK_OWNERS), target: z.string(), targetName: z.string() });
export type NamedWeekOwner = z.output<typeof Owner>;

const WeekAnswer = z.object({
  workDays: z.array(z.object({ from: z.string(), to: z.string() }).nullable()),
  nationalHolidays: z.boolean(),
  ownHolidays: z.array(z.object({ holidayName: z.string(), firstDay: z.string(), lastDay: z.string() })),
});
const Name = singleLineText(254);
const addWeekIssues = (
  week: WorkWeekFields,
  { addIssue }: { addIssue: (issue: { code: 'custom'; path: (string | number)[]; message: string }) => void },
): void => {
  for (const { path, message } of weekErrors(week)) addIssue({ code: 'custom', path: [...path], message });
};

const OwnWeek = Owner.extend({
  week: WeekAnswer,
  /** Number of machines to which the week applies now. */
  machines: z.number().int(),
  /** Machines with this label or on this project to which another week applies now. */
  overruled: z.array(z.object({ serialNumber: z.string(), alias: z.string(), winner: Owner })),
});
export type OwnWeek = z.output<typeof OwnWeek>;

/**
 * Work weeks: when an organization works. Alerts use them for 'outside working hours' and for the start of the
 * next shift.
 */
export const workWeeksApi = {
  'GET /api/workweek/get': {
    summary:
      'Returns the work week and holidays of an organization (by its functional name); the default week if it set none.',
    dutch: 'De werkweek en de vrije dagen van een organisatie; de gewone als zij niets instelde.',
    needs: 'manage-users',
    query: z.object({ name: Name }),
    response: WeekAnswer,
  },
  'POST /api/workweek/set': {
    summary: 'Sets the work week and holidays of an organization (by its functional name).',
    dutch: 'Stelt de werkweek en de vrije dagen van een organisatie in.',
    needs: 'manage-users',
    body: Week.extend({ name: Name }).superRefine(addWeekIssues),
    response: WeekAnswer,
  },
  'GET /api/workweek/night': {
    summary:
      "Returns last night's hours for reports about the caller's organization: from the end of work yesterday to the begin of work today; 18:00 to 06:00 if it set no work week or works at night.",
    dutch:
      'De uren van afgelopen nacht van de eigen organisatie, voor rapporten: van het einde van het werk gisteren tot het begin van het werk vandaag; 18:00 tot 06:00 als er geen werkweek is ingesteld of er ’s nachts wordt gewerkt.',
    needs: 'see-machines',
    response: z.object({
      /** 'HH:mm': the night is from `fromTime` yesterday to `toTime` today. */
      fromTime: z.string(),
      toTime: z.string(),
    }),
  },
  'GET /api/workweek/own': {
    summary:
      'Lists the machines, projects and labels of an organization (by its functional name) that have their own work week: first machines, then projects, then labels, each by name.',
    dutch:
      'De machines, projecten en labels van een organisatie met een eigen werkweek, en welke van twee weken geldt.',
    needs: 'manage-users',
    query: z.object({ name: Name, serialNumber: singleLineText(64).optional() }),
    response: z.object({
      ownWeeks: z.array(OwnWeek),
      /** The owner of the week that applies to the machine `serialNumber` now; null: its organization, or no machine was given. */
      holds: Owner.nullable(),
    }),
  },
  'GET /api/workweek/own/get': {
    summary: 'Returns a label, project or machine with its own work week; null if it has none.',
    dutch: 'Een label, project of machine met zijn eigen werkweek; null als die er niet is.',
    needs: 'manage-users',
    query: OfOwner,
    response: Owner.extend({ week: WeekAnswer.nullable() }),
  },
  'POST /api/workweek/own/set': {
    summary: "Gives a label, project or machine its own work week, which overrides its organization's.",
    dutch: 'Geeft een label, project of machine een eigen werkweek, die voor die van de organisatie gaat.',
    needs: 'manage-users',
    body: Week.extend(OfOwner.shape).superRefine(addWeekIssues),
    response: Owner.extend({ week: WeekAnswer.nullable() }),
  },
  'POST /api/workweek/own/delete': {
    summary: 'Deletes the own work week of a label, project or machine. Safe to repeat.',
    dutch: 'Verwijdert de eigen werkweek van een label, project of machine.',
    needs: 'manage-users',
    body: OfOwner,
    response: Owner.extend({ week: WeekAnswer.nullable() }),
  },
} as const satisfies Endpoints;
