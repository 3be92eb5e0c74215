import type { TestPortal } from '#server/test/portal.ts';
import { organizationMarker, type PlantedMachine, type PlantedOrganization } from './planted.ts';

/**
 * Limits the accounts whose e-mail addresses end in `emails.limited` to a project on which the planted machine of `eigen` has been since
 * January, and those whose addresses end in `emails.today` to the present day.
 */
export async function plantLimits(
  { pool }: TestPortal,
  ids: ReadonlyMap<PlantedOrganization, number>,
  planted: ReadonlyMap<PlantedOrganization, PlantedMachine>,
  emails: { readonly limited: string; readonly today: string },
): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into project (organization_id, name, number, client, first_day) values ($1, $2, '', '', '2026-01-01') returning id`,
    [ids.get('eigen'), `${organizationMarker('eigen')}-beperkt`],
  );
  const projectId = rows[0]?.id as number;
  await pool.query(
    `insert into assignment (project_id, stream_id, valid_from) values ($1, $2, '2026-01-10')`,
    [projectId, planted.get('eigen')?.logger.streamId],
  );
  await pool.query(
    `update account set limit_projects = array[$2::int], limit_labels = '{}' where email like '%' || $1`,
    [emails.limited, projectId],
  );
  await pool.query(`update account set only_today = true where email like '%' || $1`, [emails.today]);
}
