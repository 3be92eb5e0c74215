import { findOrganization } from '#server/organizations/organizations.store.ts';
import type { Transaction } from '#server/platform/database.ts';
import { addProject, storeAssignment } from '#server/projects/projects.store.ts';
import { findStream } from '#server/streams/streams.store.ts';
import { FLEET_OWNER } from '#shared/demo/organizations.ts';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { Area } from '#shared/domain/area.ts';

/** A project in the demo; its area is where machines work (src/simulator/work-sites.ts). */
type DemoProject = {
  readonly organization: string;
  readonly projectName: string;
  readonly projectNumber: string;
  readonly client: string;
  /** First and last day, in days before and after the day on which the demo was created; null: no last day. */
  readonly begunBefore: number;
  readonly endsAfter: number | null;
  readonly areas: readonly Area[];
  /** Serial numbers of machines that a person assigned, without an end date. */
  readonly assigned: readonly string[];
};

const circle = (lat: number, lon: number, radiusMetres: number): Area => ({
  centre: { lat, lon },
  radiusMetres,
});

const demoProjects: readonly DemoProject[] = [
  {
    organization: FLEET_OWNER,
    projectName: 'Raamovereenkomst bouwrijp maken 2026',
    projectNumber: 'KI-2026-014',
    client: 'Bouwfonds De Lage Landen',
    begunBefore: 40,
    endsAfter: null,
    areas: [
      // These areas are in Leidsche Rijn, Vathorst, Hessenpoort and other places.
      {
        corners: [
          { lat: 52.0975, lon: 5.0415 },
          { lat: 52.1045, lon: 5.0405 },
          { lat: 52.1052, lon: 5.0535 },
          { lat: 52.098, lon: 5.0552 },
        ],
      },
      circle(52.209, 5.419, 450),
      circle(52.538, 6.135, 450),
      circle(52.72, 6.47, 450),
      circle(53.206, 6.62, 450),
      circle(52.985, 6.57, 450),
      circle(52.179, 6.028, 450),
      circle(51.956, 5.858, 450),
      circle(53.19, 5.76, 450),
      circle(52.945, 5.93, 450),
      circle(51.858, 4.535, 450),
      circle(51.611, 4.82, 450),
      circle(52.216, 6.84, 450),
      circle(51.573, 4.993, 450),
      circle(51.442, 5.416, 450),
      circle(52.394, 5.278, 450),
    ],
    assigned: [],
  },
  {
    // The area of project 'fase 3' lies next to that of the project above in this list, and overlaps its edge.
    organization: FLEET_OWNER,
    projectName: 'Warmtenet Leidsche Rijn, fase 3',
    projectNumber: 'KI-2026-022',
    client: 'Warmtebedrijf Utrecht',
    begunBefore: 24,
    endsAfter: 45,
    areas: [
      {
        corners: [
          { lat: 52.1006, lon: 5.047 },
          { lat: 52.1032, lon: 5.0468 },
          { lat: 52.1035, lon: 5.0622 },
          { lat: 52.1009, lon: 5.0626 },
        ],
      },
    ],
    assigned: [],
  },
  {
    // Machines under ground have no positions.
    organization: FLEET_OWNER,
    projectName: 'Tunnelonderhoud Rotte en Maas',
    projectNumber: 'KI-2026-031',
    client: 'Tunnelbeheer Rijnmond',
    begunBefore: 33,
    endsAfter: 90,
    areas: [circle(51.968, 4.513, 500), circle(51.919, 4.305, 500)],
    assigned: ['STR26-0519', 'KIP25-3318'],
  },
];

const DAY_MS = 86_400_000;

/** Adds the demo's missing projects; changed and deleted ones stay as they are. */
export async function addDemoProjects(client: Transaction, now: Date): Promise<void> {
  const day = (days: number): string => amsterdamDay(now.getTime() + days * DAY_MS);
  for (const { organization, begunBefore, endsAfter, assigned, ...project } of demoProjects) {
    const organizationId = (await findOrganization(client, organization)) as number;
    const { rowCount } = await client.query(
      'select from project where organization_id = $1 and number = $2',
      [organizationId, project.projectNumber],
    );
    if (rowCount) continue;
    const firstDay = day(-begunBefore);
    const fields = {
      ...project,
      firstDay,
      lastDay: endsAfter === null ? null : day(endsAfter),
      areas: [...project.areas] as never,
    };
    const id = await addProject(client, organizationId, fields);
    for (const serial of assigned) {
      const streamId = (await findStream(client, serial)) as number;
      const from = new Date(amsterdamDayRange(firstDay)?.from ?? 0);
      await storeAssignment(
        client,
        { id, organizationId, version: 1, ...fields },
        { streamId, from, until: null },
      );
    }
  }
}
