import { findOrganization } from '#server/organizations/organizations.store.ts';
import type { Transaction } from '#server/platform/database.ts';
import { addTerrein } from '#server/terreinen/terreinen.store.ts';
import { demoTerreinen } from '#shared/demo/terreinen.ts';

/** ms; the demo's history is as long. */
const COUNTED_BACK_MS = 35 * 86_400_000;

/** Adds the demo's terreinen that are missing; one that was changed or deleted stays as it is. */
export async function addDemoTerreinen(client: Transaction, now: Date): Promise<void> {
  for (const { organization, ...terrein } of demoTerreinen) {
    const organizationId = (await findOrganization(client, organization)) as number;
    const { rowCount } = await client.query('select from terrein where organization_id = $1 and name = $2', [
      organizationId,
      terrein.terreinName,
    ]);
    if (rowCount) continue;
    const fields = { ...terrein, areas: [...terrein.areas] as never };
    await addTerrein(client, organizationId, fields, now.getTime() - COUNTED_BACK_MS);
  }
}
