import type { TestPortal } from '#server/test/portal.ts';
import { type Label, markerOf, type Planted } from './planted.ts';

export type ProjectThing =
  | 'project'
  | 'foreign project'
  | 'assignment'
  | 'foreign assignment'
  | 'exception'
  | 'foreign exception';

/** Returns unchanged projects and assignments of the organization of `user` and of another one. */
export type PlantedProjects = {
  nextProject(thing: ProjectThing): number;
  /** Returns begin and end of a planted assignment; undefined for other assignments. */
  timesOf(assignment: number): { readonly from: string; readonly until: string } | undefined;
  /** A project of `user` that no request changes. */
  readonly projectId: number;
};

/** Number of projects: more than the requests of the table that need one. */
const EACH = 200;

/** Plants a project of every organization, and some to change. */
export async function plantProjects(
  { pool }: TestPortal,
  ids: ReadonlyMap<Label, number>,
  planted: ReadonlyMap<Label, Planted>,
): Promise<PlantedProjects> {
  const insert = async (sql: string, parameters: unknown[]) =>
    (await pool.query<{ id: number }>(sql, parameters)).rows.map(({ id }) => id);
  const projects = (label: Label, count: number) =>
    insert(
      `insert into project (organization_id, name, number, client, first_day)
       select $1, $2 || '-project', $2 || '-nummer', $2 || '-opdrachtgever', '2026-01-01' from generate_series(1, $3) returning id`,
      [ids.get(label), markerOf(label), count],
    );
  const assignments = async (label: Label) =>
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
  const exceptions = async (label: Label) =>
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
    nextProject(thing) {
      const id = all[thing].shift();
      if (id === undefined) throw new Error(`No ${thing} is left`);
      return id;
    },
  };
}
