import { findOrganization } from '#server/organizations/organizations.store.ts';
import type { Transaction } from '#server/platform/database.ts';
import { addProject, assign } from '#server/projects/projects.store.ts';
import { findStream } from '#server/streams/streams.store.ts';
import { demoProjects } from '#shared/demo/projects.ts';
import { amsterdamDay, dayOf } from '#shared/domain/amsterdam-time.ts';

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
      const from = new Date(dayOf(firstDay)?.from ?? 0);
      await assign(client, { id, organizationId, version: 1, ...fields }, { streamId, from, until: null });
    }
  }
}
