import { organizationMarker, type PlantedOrganization } from '#server/test/security/principals/planted.ts';
import {
  createNextIdTaker,
  existingOrUnknownId,
  type MakeRequest,
  type RequestSubject,
  requestById,
  TEXT_FIELD_VALUES,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

type ProjectThing =
  | 'project'
  | 'foreign project'
  | 'assignment'
  | 'foreign assignment'
  | 'exception'
  | 'foreign exception';

/**
 * Hands out ids of test projects, assignments and exceptions that no request has changed yet: of the organization of `user`, or of
 * another organization.
 */
export type PlantedProjects = {
  nextProject(thing: ProjectThing): number;
  /** Returns begin and end of an assignment that `plant` stored; undefined for other assignments. */
  timesOf(assignment: number): { readonly from: string; readonly until: string } | undefined;
  /** A project of `user` that no request changes. */
  readonly projectId: number;
};

/** Number of planted projects: enough for each request in the table of permissions that changes a project to get another project. */
const EACH = 200;

const PROJECT = {
  projectName: 'Kade',
  firstDay: '2026-01-01',
  lastDay: null,
  areas: [{ centre: { lat: 52, lon: 5 }, radiusMetres: 50 }],
};
let minutes = 0;
/** Returns a minute in which the machine has no assignment yet, because a machine can be on one project at a time only. */
function nextMinute() {
  minutes += 1;
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
  return { from: at(minutes), until: at(minutes + 1) };
}
/** Returns a time in the future, because the planted machines have belonged to their organization only since the start of this run. */
const inAnHour = (): string => `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 16)}:00Z`;

const about = (thing: ProjectThing, more?: Parameters<typeof requestById>[1], name?: string) =>
  requestById<PlantedProjects>((world) => world.nextProject(thing), more, name);
/** Returns the request to end an assignment half a minute after its begin. */
const shorter =
  (thing: ProjectThing): MakeRequest<PlantedProjects> =>
  (target, world) => {
    const assignment = existingOrUnknownId(target, world, () => world.nextProject(thing));
    const { from, until } = world.timesOf(assignment) ?? nextMinute();
    const half = new Date(Date.parse(from) + 30_000).toISOString();
    return { body: { assignment, from, until: half, seen: { from, until } } };
  };
const EDITED = { ...PROJECT, version: 1 };
const during = ({ serial }: RequestSubject) => ({ serial, ...nextMinute() });
const fromNow = ({ serial }: RequestSubject) => ({ serial, from: inAnHour() });
const excepted = (target: RequestSubject) => ({ ...fromNow(target), until: null });

export const noun: TestedNoun<PlantedProjects> = {
  permissions: `
                                                 nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/project/get                             401    200  200    200     403         200   200        200   403               401      401     200          200     200
GET /api/project/page                            401    200  200    200     403         200   200        404   403               401      401     200          404     200
POST /api/project/create                         401    403  403    200     403         200   403        403   403               401      401     403          403     403    generated
POST /api/project/edit                           401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/edit (of another)              401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/project/delete                         401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/delete (of another)            401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/project/assign                         401    403  403    200     403         200   403        403   403               401      401     403          403     403    generated
POST /api/project/assign (to another's)          401    403  403    404     403         404   403        403   403               401      401     403          403     403
POST /api/project/unassign                       401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/unassign (of another)          401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/project/change-assignment              401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/change-assignment (of another) 401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/project/take-off                       401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/take-off (of another's)        401    403  403    404     403         404   403        403   403               401      401     403          403     403
POST /api/project/except                         401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/except (of another's)          401    403  403    404     403         404   403        403   403               401      401     403          403     403
POST /api/project/unexcept                       401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/unexcept (of another)          401    403  403    404     403         200   403        403   403               401      401     403          403     403
`,
  /** Inserts a project for each organization, and extra ones for the tests that change a project. */
  async plant({ pool }, { ids, planted }) {
    const insert = async (sql: string, parameters: unknown[]) =>
      (await pool.query<{ id: number }>(sql, parameters)).rows.map(({ id }) => id);
    const projects = (label: PlantedOrganization, count: number) =>
      insert(
        `insert into project (organization_id, name, number, client, first_day)
         select $1, $2 || '-project', $2 || '-nummer', $2 || '-opdrachtgever', '2026-01-01' from generate_series(1, $3) returning id`,
        [ids.get(label), organizationMarker(label), count],
      );
    const assignments = async (label: PlantedOrganization) =>
      insert(
        `insert into assignment (project_id, stream_id, valid_from, valid_to)
         select $1, $2, t, t + interval '1 minute' from generate_series(timestamptz '2025-01-01', '2025-01-02', '1 minute') t limit $3
         returning id`,
        [(await projects(label, 1))[0], planted.get(label)?.logger.streamId, EACH],
      );
    const times = async () => {
      const { rows } = await pool.query<{ id: number; from: Date; until: Date }>(
        'select id, valid_from as "from", valid_to as until from assignment',
      );
      return new Map(
        rows.map(({ id, from, until }) => [id, { from: from.toISOString(), until: until.toISOString() }]),
      );
    };
    const exceptions = async (label: PlantedOrganization) =>
      insert(
        `insert into project_exception (project_id, stream_id, valid_from, valid_to)
         select $1, $2, t, t + interval '1 minute' from generate_series(timestamptz '2026-01-02', '2026-01-03', '1 minute') t limit $3
         returning id`,
        [(await projects(label, 1))[0], planted.get(label)?.logger.streamId, EACH],
      );
    for (const label of ids.keys()) await projects(label, 1);
    const all: Readonly<Record<ProjectThing, number[]>> = {
      project: await projects('eigen', EACH),
      'foreign project': await projects('ander', EACH),
      assignment: await assignments('eigen'),
      'foreign assignment': await assignments('ander'),
      exception: await exceptions('eigen'),
      'foreign exception': await exceptions('ander'),
    };
    const known = await times();
    return {
      timesOf: (assignment) => known.get(assignment),
      projectId: (await projects('eigen', 1))[0] as number,
      nextProject: createNextIdTaker(all),
    };
  },
  requests: {
    'GET /api/project/page': (target, world) => ({
      query: { _id: target === world.own ? String(world.projectId) : '2147483647' },
    }),
    'POST /api/project/create': () => ({ body: { ...PROJECT, organization: organizationMarker('eigen') } }),
    'POST /api/project/edit': about('project', EDITED),
    'POST /api/project/edit (of another)': about('foreign project', EDITED),
    'POST /api/project/delete': about('project'),
    'POST /api/project/delete (of another)': about('foreign project'),
    'POST /api/project/assign': about('project', during),
    "POST /api/project/assign (to another's)": about('foreign project', during),
    'POST /api/project/unassign': about('assignment', undefined, 'assignment'),
    'POST /api/project/unassign (of another)': about('foreign assignment', undefined, 'assignment'),
    'POST /api/project/change-assignment': shorter('assignment'),
    'POST /api/project/change-assignment (of another)': shorter('foreign assignment'),
    'POST /api/project/take-off': about('project', fromNow),
    "POST /api/project/take-off (of another's)": about('foreign project', fromNow),
    'POST /api/project/except': about('project', excepted),
    "POST /api/project/except (of another's)": about('foreign project', excepted),
    'POST /api/project/unexcept': about('exception', undefined, 'exception'),
    'POST /api/project/unexcept (of another)': about('foreign exception', undefined, 'exception'),
  },
  fields: {
    projectName: TEXT_FIELD_VALUES,
    client: TEXT_FIELD_VALUES,
    radiusMetres: { good: [50, 200], odd: [0, -1, 1e9] },
    exception: { good: [1, 2, 3, 4, 5], odd: [2 ** 31, 0] },
    seen: { good: [{ from: '2025-01-01T00:00:00Z', until: '2025-01-01T01:00:00Z' }], odd: [{}, 'x'] },
    assignment: { good: [1, 2, 3, 4, 5], odd: [2 ** 31, 0] },
  },
  administration: ['assignment', 'project_exception'],
  rules: {
    'projects.pg.test.ts > 14.1d': {
      'projects-scope': 'A list of projects holds those of the scope only.',
    },
    'limited-people.long.pg.test.ts': {
      'limited-machines': 'A machine outside the limit does not exist for a limited person.',
      'limited-history': 'A limited person reads the history of the times of the limit only.',
      'limited-alerts': 'Alerts of several machines are not for limited people.',
      'limited-report': 'A report for a limited person covers the times of the limit only.',
    },
  },
};
