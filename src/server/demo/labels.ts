import { addLabel, addToMachine } from '#server/labels/labels.store.ts';
import { findOrganization } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import type { Transaction } from '#server/platform/database.ts';
import { findStream } from '#server/streams/streams.store.ts';
import { storeOwnWeek } from '#server/work-weeks/own-weeks.store.ts';
import { demoLabels } from '#shared/demo/labels.ts';
import { fieldsOf } from './work-weeks.ts';

/** Adds labels to the demo's organization, unless it has or had any. */
export async function addDemoLabels(client: Transaction): Promise<void> {
  const organizations = Map.groupBy(demoLabels, ({ organization }) => organization);
  for (const [name, labels] of organizations) {
    const organizationId = (await findOrganization(client, name)) as number;
    const { rowCount } = await client.query(
      `select from audit where organization_id = $1 and action = 'label.create' limit 1`,
      [organizationId],
    );
    if (rowCount) continue;
    for (const { organization: _, machines, week, ...label } of labels) {
      const id = await addLabel(client, organizationId, label);
      if (id === undefined) continue;
      await audit(client, {
        actor: 'demo',
        action: 'label.create',
        subject: label.labelName,
        organizationId,
        data: {},
      });
      if (week) await storeOwnWeek(client, { by: 'label', id, organizationId }, fieldsOf(week));
      for (const serial of machines) {
        const streamId = await findStream(client, serial);
        // The machine may have been sold.
        const { rows } = await client.query(
          `select from ownership where stream_id = $1 and organization_id = $2 and valid_to = 'infinity'`,
          [streamId, organizationId],
        );
        if (streamId !== undefined && rows.length > 0) await addToMachine(client, id, streamId);
      }
    }
  }
}
