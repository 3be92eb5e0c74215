import { z } from 'zod';
import { dayOf } from '#shared/domain/amsterdam-time.ts';
import { areaErrorOf, MOST_CORNERS } from '#shared/domain/area.ts';
import { AREA_ERROR_TEXTS } from '#shared/domain/area-error-texts.ts';
import type { Endpoint } from './endpoint.ts';

export const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most, 'is te lang')
    .regex(/^\P{C}*$/u, 'is onleesbaar');

export const Day = z
  .string()
  .regex(/^20\d\d-\d\d-\d\d$/, 'is geen datum')
  .refine((day) => dayOf(day) !== undefined, 'is geen datum');

const degrees = (most: number) => z.number().min(-most).max(most);
const Place = z.object({ lat: degrees(90), lon: degrees(180) });

const Circle = z.object({ centre: Place, radiusMetres: z.number() });

/** A circle or a polygon on the map (src/shared/domain/area.ts). Corners are looked at one by one where they are not too many. */
export const AreaOnMap = z
  .union([Circle, z.object({ corners: z.array(z.unknown()) })])
  .superRefine((area, { addIssue }) => {
    if ('corners' in area && area.corners.length > MOST_CORNERS)
      addIssue({ code: 'custom', message: AREA_ERROR_TEXTS['many-corners'] });
  })
  .pipe(z.union([Circle, z.object({ corners: z.array(Place) })]))
  .superRefine((area, { addIssue }) => {
    const fault = areaErrorOf(area);
    if (fault) addIssue({ code: 'custom', message: AREA_ERROR_TEXTS[fault] });
  });

/** Areas of one project or terrein. */
export const MOST_AREAS = 20;

/** What people say of a project. */
const fields = {
  projectName: line(120).min(1, 'ontbreekt'),
  /** The number by which the client or the organization knows it. */
  projectNumber: line(60).default(''),
  /** Opdrachtgever. */
  client: line(120).default(''),
  /** First and last day, 'YYYY-MM-DD' in Amsterdam; null: no end yet. */
  firstDay: Day,
  lastDay: Day.nullable(),
  areas: z.array(AreaOnMap).max(MOST_AREAS, `zijn er hoogstens ${MOST_AREAS}`),
};

type Days = { readonly firstDay: string; readonly lastDay: string | null };
const isInOrder = ({ firstDay, lastDay }: Days): boolean => lastDay === null || lastDay >= firstDay;
const NOT_IN_ORDER = { path: ['lastDay'], message: 'ligt voor de eerste dag' };

const ShownPlace = z.object({ lat: z.number(), lon: z.number() });
export const ShownAreas = z.array(
  z.union([
    z.object({ centre: ShownPlace, radiusMetres: z.number() }),
    z.object({ corners: z.array(ShownPlace) }),
  ]),
);

const Project = z.object({
  _id: z.number().int(),
  /** Functional and display name. */
  organization: z.string(),
  cleanorg: z.string(),
  projectName: z.string(),
  projectNumber: z.string(),
  client: z.string(),
  /** 'YYYY-MM-DD'. */
  firstDay: z.string(),
  lastDay: z.string().nullable(),
  areas: ShownAreas,
  /** To be sent back with a change: of two who change at once the second is told. */
  version: z.number().int(),
  /** How many machines are there now. */
  machinesNow: z.number().int(),
  /** Of how many machines the days are still to be counted, after a change. */
  left: z.number().int(),
});
export type Project = z.output<typeof Project>;

/** What a machine did on a project on a day. */
const ProjectDay = z.object({
  /** 'YYYY-MM-DD', in Amsterdam. */
  day: z.string(),
  serial: z.string(),
  runningMs: z.number(),
  chargingMs: z.number(),
  /** null: not known. */
  outKwh: z.number().nullable(),
  chargedKwh: z.number().nullable(),
  /** Of how much of the time in which it was heard there the energy is known. */
  knownMs: z.number(),
  heardMs: z.number(),
  /** How long the machine was there between its first and its last activity, and how much of that was heard: the coverage. */
  windowMs: z.number(),
  windowHeardMs: z.number(),
  /** It may still change. */
  isProvisional: z.boolean(),
});
export type ProjectDay = z.output<typeof ProjectDay>;

const ProjectPage = z.object({
  project: Project,
  /** Every machine that is named below; where it is another organization's by now, `serial` is a name of ours and alias ''. */
  machines: z.array(z.object({ serial: z.string(), alias: z.string() })),
  /**
   * The machines on the project. Times are ISO, UTC; `since` is null for a caller who may not see it; `unseenMs`: time since then with
   * readings but without a position.
   */
  now: z.array(
    z.object({ serial: z.string(), since: z.string().nullable(), byHand: z.boolean(), unseenMs: z.number() }),
  ),
  /** By hand; until null: from then on. */
  assignments: z.array(
    z.object({
      assignment: z.number().int(),
      serial: z.string(),
      from: z.string(),
      until: z.string().nullable(),
    }),
  ),
  /** Times in which a machine's positions do not count for the project; until null: from then on. */
  exceptions: z.array(
    z.object({
      exception: z.number().int(),
      serial: z.string(),
      from: z.string(),
      until: z.string().nullable(),
    }),
  ),
  /** The newest first. */
  days: z.array(ProjectDay),
  /** Days on which a machine was on the project and nothing came in; `shiftMs`: so much of the work week counts as not covered. */
  silentDays: z.array(z.object({ day: z.string(), serial: z.string(), shiftMs: z.number() })),
});
export type SilentProjectDay = ProjectPage['silentDays'][number];
export type ProjectPage = z.output<typeof ProjectPage>;

/** Hours of a machine that go from one project to another by a change; null: no project. */
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

/** `moves`: of a preview, the hours that would move; left out when the change was stored. */
const Changed = z.object({ message: z.string(), moves: z.array(ProjectMove).optional() });
/** true: nothing is stored, and the answer says which hours would move. */
const preview = z.boolean().default(false);
const times = { from: z.iso.datetime(), until: z.iso.datetime().nullable() };

const ById = z.object({ _id: z.int32() });

/** Places and periods of work. */
export const projectsApi = {
  'GET /api/project/get': {
    summary:
      'The projects of all organizations for an administrator, of their own for others; the newest first.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    response: z.array(Project),
  },
  'GET /api/project/page': {
    summary:
      'A project with who is there now, the machines that are on it by hand, and what each did there per day, of at most 400 days.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    query: z.object({
      _id: z.coerce.number().pipe(z.int32()),
      /** Left out: the last 30 days. */
      firstDay: Day.optional(),
      lastDay: Day.optional(),
    }),
    response: ProjectPage,
  },
  'POST /api/project/create': {
    summary:
      'Makes a project, from which on its machines are known by their positions. An administrator names the organization.',
    access: 'session',
    needs: 'manage-projects',
    changes: true,
    body: z.object({ ...fields, organization: line(254).optional() }).refine(isInOrder, NOT_IN_ORDER),
    response: z.object({ message: z.string(), _id: z.number().int() }),
  },
  'POST /api/project/edit': {
    summary: 'Changes a project; what its machines did is counted anew.',
    access: 'session',
    needs: 'manage-projects',
    changes: true,
    body: z.object({ ...fields, _id: z.int32(), version: z.int32() }).refine(isInOrder, NOT_IN_ORDER),
    response: z.object({ message: z.string(), version: z.number().int() }),
  },
  'POST /api/project/delete': {
    summary: 'Deletes a project: nobody is on it any more from now on. Reports of what was go on naming it.',
    access: 'session',
    needs: 'manage-projects',
    changes: true,
    body: ById,
    response: z.object({ message: z.string() }),
  },
  'POST /api/project/assign': {
    summary:
      'Says that a machine is on a project from a time to a time, whatever its positions say; `until` null: from then on.',
    access: 'session',
    needs: 'manage-projects',
    changes: true,
    body: z.object({
      _id: z.int32(),
      serial: line(64).min(1, 'ontbreekt'),
      from: z.iso.datetime(),
      until: z.iso.datetime().nullable(),
    }),
    response: z.object({ message: z.string(), assignment: z.number().int() }),
  },
  'POST /api/project/unassign': {
    summary: 'Takes such a word back.',
    access: 'session',
    needs: 'manage-projects',
    changes: true,
    body: z.object({ assignment: z.int32(), preview }),
    response: Changed,
  },
  'POST /api/project/change-assignment': {
    summary:
      'Changes begin and end of an assignment. `seen`: as the caller saw it; of two who change at once the second gets 409.',
    access: 'session',
    needs: 'manage-projects',
    changes: true,
    body: z.object({ assignment: z.int32(), ...times, seen: z.object(times), preview }),
    response: Changed,
  },
  'POST /api/project/take-off': {
    summary:
      'Takes a machine off a project from a time on: assignments end then, and its positions do not count from then on. Before that nothing changes.',
    access: 'session',
    needs: 'manage-projects',
    changes: true,
    body: z.object({ _id: z.int32(), serial: line(64).min(1, 'ontbreekt'), from: z.iso.datetime(), preview }),
    response: Changed,
  },
  'POST /api/project/except': {
    summary:
      "Lets a machine's positions not count for a project from a time to a time; `until` null: from then on.",
    access: 'session',
    needs: 'manage-projects',
    changes: true,
    body: z.object({ _id: z.int32(), serial: line(64).min(1, 'ontbreekt'), ...times, preview }),
    response: Changed,
  },
  'POST /api/project/unexcept': {
    summary: 'Deletes such an exception: positions count again.',
    access: 'session',
    needs: 'manage-projects',
    changes: true,
    body: z.object({ exception: z.int32(), preview }),
    response: Changed,
  },
} as const satisfies Record<string, Endpoint>;
