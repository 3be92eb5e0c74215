import { z } from 'zod';
import { amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { areaErrorOf, MAX_CORNERS } from '#shared/domain/area.ts';
import { AREA_ERROR_TEXTS } from '#shared/domain/area-error-texts.ts';
import type { Endpoints } from './endpoint.ts';

export const singleLineText = (most: number) =>
  z
    .string()
    .trim()
    .max(most, 'is te lang')
    .regex(/^\P{C}*$/u, 'is onleesbaar');

export const CalendarDay = z
  .string()
  .regex(/^20\d\d-\d\d-\d\d$/, 'is geen datum')
  .refine((day) => amsterdamDayRange(day) !== undefined, 'is geen datum');

const degrees = (most: number) => z.number().min(-most).max(most);
const Place = z.object({ lat: degrees(90), lon: degrees(180) });

const Circle = z.object({ centre: Place, radiusMetres: z.number() });

/**
 * A circle or a polygon on the map (src/shared/domain/area.ts). The number of corners is checked before the
 * corners themselves.
 */
export const AreaInput = z
  .union([Circle, z.object({ corners: z.array(z.unknown()) })])
  .superRefine((area, { addIssue }) => {
    if ('corners' in area && area.corners.length > MAX_CORNERS)
      addIssue({ code: 'custom', message: AREA_ERROR_TEXTS['many-corners'] });
  })
  .pipe(z.union([Circle, z.object({ corners: z.array(Place) })]))
  .superRefine((area, { addIssue }) => {
    const error = areaErrorOf(area);
    if (error) addIssue({ code: 'custom', message: AREA_ERROR_TEXTS[error] });
  });

/** Maximum number of areas of one project or terrein. */
export const MAX_AREAS = 20;

/** The fields of a project that people enter. */
const fields = {
  projectName: singleLineText(120).min(1, 'ontbreekt'),
  /** The project number of the client or the organization. */
  projectNumber: singleLineText(60).default(''),
  /** The client ('Opdrachtgever'). */
  client: singleLineText(120).default(''),
  /** First and last day, 'YYYY-MM-DD' in Amsterdam; null: no end yet. */
  firstDay: CalendarDay,
  lastDay: CalendarDay.nullable(),
  areas: z.array(AreaInput).max(MAX_AREAS, `zijn er hoogstens ${MAX_AREAS}`),
};

type Days = { readonly firstDay: string; readonly lastDay: string | null };
const isInOrder = ({ firstDay, lastDay }: Days): boolean => lastDay === null || lastDay >= firstDay;
const NOT_IN_ORDER = { path: ['lastDay'], message: 'ligt voor de eerste dag' };

const ShownPlace = z.object({ lat: z.number(), lon: z.number() });
export const AreasView = z.array(
  z.union([
    z.object({ centre: ShownPlace, radiusMetres: z.number() }),
    z.object({ corners: z.array(ShownPlace) }),
  ]),
);

const Project = z.object({
  _id: z.number().int(),
  /** Functional name (as in calls) and display name (as on screens). */
  organization: z.string(),
  cleanorg: z.string(),
  projectName: z.string(),
  projectNumber: z.string(),
  client: z.string(),
  /** 'YYYY-MM-DD'. */
  firstDay: z.string(),
  lastDay: z.string().nullable(),
  areas: AreasView,
  /** To be sent back with a change: the second of two simultaneous changes gets 409. */
  version: z.number().int(),
  /** Number of machines on the project now. */
  machinesNow: z.number().int(),
  /** Number of machines whose day figures the portal must still recompute after a change of the project. */
  left: z.number().int(),
});
export type Project = z.output<typeof Project>;

/** The figures of a machine on a project on one day. */
const ProjectDay = z.object({
  /** 'YYYY-MM-DD', in Amsterdam. */
  day: z.string(),
  serial: z.string(),
  runningMs: z.number(),
  chargingMs: z.number(),
  /** null: not known. */
  outKwh: z.number().nullable(),
  chargedKwh: z.number().nullable(),
  /** `heardMs`: time on the project with readings; `knownMs`: the part of that time in which the energy is known. */
  knownMs: z.number(),
  heardMs: z.number(),
  /**
   * `windowMs`: time on the project between the first and the last activity; `windowHeardMs`: the part of that time with readings. The
   * coverage is `windowHeardMs` / `windowMs`.
   */
  windowMs: z.number(),
  windowHeardMs: z.number(),
  /** The figures may still change. */
  isProvisional: z.boolean(),
});
export type ProjectDay = z.output<typeof ProjectDay>;

const ProjectPage = z.object({
  project: Project,
  /** All machines in the other fields. If a machine has another owner now, `serial` is a generated name and `alias` is ''. */
  machines: z.array(z.object({ serial: z.string(), alias: z.string() })),
  /**
   * The machines on the project now. `since`: ISO time, UTC; null for a caller who may not see it. `unseenMs`: time since then with
   * readings but without a position.
   */
  now: z.array(
    z.object({ serial: z.string(), since: z.string().nullable(), byHand: z.boolean(), unseenMs: z.number() }),
  ),
  /** Assignments by hand; `until` null: without end. */
  assignments: z.array(
    z.object({
      assignment: z.number().int(),
      serial: z.string(),
      from: z.string(),
      until: z.string().nullable(),
    }),
  ),
  /** Times in which a machine's positions do not count for the project; `until` null: without end. */
  exceptions: z.array(
    z.object({
      exception: z.number().int(),
      serial: z.string(),
      from: z.string(),
      until: z.string().nullable(),
    }),
  ),
  /** Newest first. */
  days: z.array(ProjectDay),
  /**
   * Days on which a machine was on the project and sent no readings; `shiftMs`: the working hours of that day, which
   * the coverage counts as time without readings.
   */
  silentDays: z.array(z.object({ day: z.string(), serial: z.string(), shiftMs: z.number() })),
});
export type SilentProjectDay = ProjectPage['silentDays'][number];
export type ProjectPage = z.output<typeof ProjectPage>;

/** Hours of a machine that a change moves from one project to another; null: no project. */
const ProjectMove = z.object({
  from: z.object({ _id: z.number().int(), projectName: z.string() }).nullable(),
  to: z.object({ _id: z.number().int(), projectName: z.string() }).nullable(),
  /** 'YYYY-MM-DD': the first and the last day on which hours move. */
  firstDay: z.string(),
  lastDay: z.string(),
  runningMs: z.number(),
  chargingMs: z.number(),
});
export type ProjectMove = z.output<typeof ProjectMove>;

/** `moves`: the hours that would move, only in the response to a preview. */
const Changed = z.object({ message: z.string(), moves: z.array(ProjectMove).optional() });
/** true: nothing is stored, and the response lists the hours that would move. */
const preview = z.boolean().default(false);
const times = { from: z.iso.datetime(), until: z.iso.datetime().nullable() };

const ById = z.object({ _id: z.int32() });

/** Projects: places and periods of work. */
export const projectsApi = {
  'GET /api/project/get': {
    summary:
      'Lists the projects, newest first: of all organizations for an administrator, of their own for others.',
    dutch:
      'De projecten van alle organisaties voor een administrator, van de eigen voor anderen; de nieuwste eerst.',
    needs: 'see-machines',
    response: z.array(Project),
  },
  'GET /api/project/page': {
    summary:
      'Returns a project with the machines that are there now, its assignments and exceptions, and the figures of each machine per day, for at most 400 days.',
    dutch:
      'Een project: welke machines er nu zijn, welke er met de hand op staan, en wat elk er per dag deed, van hoogstens 400 dagen.',
    needs: 'see-machines',
    query: z.object({
      _id: z.coerce.number().pipe(z.int32()),
      /** Default: the last 30 days. */
      firstDay: CalendarDay.optional(),
      lastDay: CalendarDay.optional(),
    }),
    response: ProjectPage,
  },
  'POST /api/project/create': {
    summary:
      'Creates a project. Machines are on it when their positions lie in its areas. An administrator names the organization.',
    dutch:
      'Maakt een project, waarvan de machines voortaan aan hun posities te herkennen zijn. Een administrator noemt de organisatie.',
    needs: 'manage-projects',
    body: z
      .object({ ...fields, organization: singleLineText(254).optional() })
      .refine(isInOrder, NOT_IN_ORDER),
    response: z.object({ message: z.string(), _id: z.number().int() }),
  },
  'POST /api/project/edit': {
    summary: 'Changes a project. The figures of its machines are computed again.',
    dutch: 'Wijzigt een project; wat zijn machines deden wordt opnieuw geteld.',
    needs: 'manage-projects',
    body: z.object({ ...fields, _id: z.int32(), version: z.int32() }).refine(isInOrder, NOT_IN_ORDER),
    response: z.object({ message: z.string(), version: z.number().int() }),
  },
  'POST /api/project/delete': {
    summary: 'Deletes a project: no machine is on it from now on. Reports about the past still name it.',
    dutch:
      'Verwijdert een project: vanaf nu staat er niemand meer op. Rapporten van wat was blijven het noemen.',
    needs: 'manage-projects',
    body: ById,
  },
  'POST /api/project/assign': {
    summary:
      'Assigns a machine to a project from a time to a time, whatever its positions are; `until` null: without end.',
    dutch:
      'Zegt dat een machine van een tijd tot een tijd op een project staat, wat haar posities ook zeggen; `until` null: vanaf dan.',
    needs: 'manage-projects',
    body: z.object({
      _id: z.int32(),
      serial: singleLineText(64).min(1, 'ontbreekt'),
      from: z.iso.datetime(),
      until: z.iso.datetime().nullable(),
    }),
    response: z.object({ message: z.string(), assignment: z.number().int() }),
  },
  'POST /api/project/unassign': {
    summary: 'Deletes an assignment.',
    dutch:
      'Neemt dat terug. Met `preview` wordt niets opgeslagen: het antwoord zegt welke uren zouden verhuizen.',
    needs: 'manage-projects',
    body: z.object({ assignment: z.int32(), preview }),
    response: Changed,
  },
  'POST /api/project/change-assignment': {
    summary:
      'Changes the begin and end of an assignment. `seen`: the begin and end that the caller saw; the second of two simultaneous changes gets 409.',
    dutch:
      'Wijzigt begin en eind van een toewijzing. `seen`: zoals de aanroeper haar zag; van twee die tegelijk wijzigen krijgt de tweede 409.',
    needs: 'manage-projects',
    body: z.object({ assignment: z.int32(), ...times, seen: z.object(times), preview }),
    response: Changed,
  },
  'POST /api/project/take-off': {
    summary:
      'Takes a machine off a project from a time on: its assignments end, and its positions do not count from then on. Nothing before that time changes.',
    dutch:
      'Haalt een machine vanaf een tijd van een project: toewijzingen eindigen dan, en haar posities tellen vanaf dan niet mee. Daarvoor verandert niets.',
    needs: 'manage-projects',
    body: z.object({
      _id: z.int32(),
      serial: singleLineText(64).min(1, 'ontbreekt'),
      from: z.iso.datetime(),
      preview,
    }),
    response: Changed,
  },
  'POST /api/project/except': {
    summary:
      "Excepts a machine's positions: they do not count for a project from a time to a time; `until` null: without end.",
    dutch:
      'Laat de posities van een machine van een tijd tot een tijd niet meetellen voor een project; `until` null: vanaf dan.',
    needs: 'manage-projects',
    body: z.object({ _id: z.int32(), serial: singleLineText(64).min(1, 'ontbreekt'), ...times, preview }),
    response: Changed,
  },
  'POST /api/project/unexcept': {
    summary: 'Deletes an exception: the positions count again.',
    dutch: 'Verwijdert zo een uitzondering: posities tellen weer mee.',
    needs: 'manage-projects',
    body: z.object({ exception: z.int32(), preview }),
    response: Changed,
  },
} as const satisfies Endpoints;
