import { addTariff, countTariffs } from '#server/charging-tariffs/tariffs.store.ts';
import { findOrganization } from '#server/organizations/organizations.store.ts';
import type { Transaction } from '#server/platform/database.ts';
import { demoTariffs } from '#shared/demo/tariffs.ts';
import { amsterdamDay, daysAfter } from '#shared/domain/amsterdam-time.ts';

/** Adds charging tariffs to the demo's organizations; skips an organization that has any. */
export async function addDemoTariffs(client: Transaction, now: Date): Promise<void> {
  for (const [name, tariffs] of Object.entries(demoTariffs)) {
    const organizationId = (await findOrganization(client, name)) as number;
    if ((await countTariffs(client, organizationId)) > 0) continue;
    for (const { begunBefore, ...tariff } of tariffs) {
      const firstDay = daysAfter(amsterdamDay(now.getTime()), -begunBefore);
      await addTariff(client, organizationId, { ...tariff, firstDay, lastDay: null, terreinId: null });
    }
  }
}
