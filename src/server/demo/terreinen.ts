import { findOrganization } from '#server/organizations/organizations.store.ts';
import type { Transaction } from '#server/platform/database.ts';
import { addTerrein } from '#server/terreinen/terreinen.store.ts';
import { demoTerreinen } from '#shared/demo/terreinen.ts';

/** Length of the demo's history. */
const COMPUTED_BACK_MS = 35 * 86_400_000;

/** Adds the demo's missing terreinen; changed and deleted ones stay as they are. */
export async function addDemoTerreinen(client: Transaction, now: Date): Promise<void> {
  for (const { organization, ...terrein } of demoTerreinen) {
    const organizationId = (await findOrganization(client, organization)) as number;
    const { rowCount } = await client.query('select from terrein where organization_id = $1 and name = $2', [
      organizationId,
      terrein.terreinName,
    ]);
    if (rowCount) continue;
    const fields = { ...terrein, areas: [...terrein.areas] as never };
    await addTerrein(client, organizationId, fields, now.getTime() - COMPUTED_BACK_MS);
  }
}
