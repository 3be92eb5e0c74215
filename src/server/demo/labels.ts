import { addLabel, addLabelToMachine } from '#server/labels/labels.store.ts';
import { findOrganization } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import type { Transaction } from '#server/platform/database.ts';
import { findStream } from '#server/streams/streams.store.ts';
import { storeOwnWeek } from '#server/work-weeks/own-weeks.store.ts';
import { FLEET_OWNER } from '#shared/demo/organizations.ts';
import { CONTINUOUS_CREW, EVENING_CREW, NIGHT_CREW } from '#shared/demo/work-weeks.ts';
import type { WorkWeek } from '#shared/domain/alerts/work-week.ts';
import type { LabelColour } from '#shared/domain/labels.ts';
import { workWeekFieldsOf } from './work-weeks.ts';

/** A label in the demo. */
type DemoLabel = {
  readonly organization: string;
  readonly labelName: string;
  readonly labelColour: LabelColour;
  /** Serial numbers of the machines that get the label. */
  readonly machines: readonly string[];
  /** Work week of the label, which overrides that of the organization. */
  readonly week?: WorkWeek;
};

const demoLabels: readonly DemoLabel[] = [
  {
    organization: FLEET_OWNER,
    labelName: 'Avondploeg',
    labelColour: 'purple',
    machines: ['VLT2-B027', 'KIP10-0904'],
    week: EVENING_CREW,
  },
  {
    organization: FLEET_OWNER,
    labelName: 'Dag en nacht',
    labelColour: 'red',
    machines: [
      'STR26-0519',
      'KIP25-3318',
      'RH220-5101',
      'RH220-5109',
      'RH160-6004',
      'RH160-6011',
      'RH160-6019',
    ],
    week: CONTINUOUS_CREW,
  },
  {
    organization: FLEET_OWNER,
    labelName: 'Nachtploeg',
    labelColour: 'grey',
    machines: ['RH220-5120'],
    week: NIGHT_CREW,
  },
  {
    organization: FLEET_OWNER,
    labelName: 'Keuring in december',
    labelColour: 'orange',
    machines: ['STR26-0431', 'STR09-1122', 'KIP10-0904'],
  },
  {
    organization: FLEET_OWNER,
    labelName: 'Ploeg tunnels',
    labelColour: 'blue',
    machines: ['STR26-0519', 'KIP25-3318'],
  },
  {
    organization: FLEET_OWNER,
    labelName: 'Verhuurd',
    labelColour: 'green',
    machines: ['STR26-0417', 'STR09-1108', 'STR09-1122', 'KIP25-3301'],
  },
];

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
      if (week) await storeOwnWeek(client, { by: 'label', id, organizationId }, workWeekFieldsOf(week));
      for (const serial of machines) {
        const streamId = await findStream(client, serial);
        // A machine that was sold to another organization gets no label.
        const { rows } = await client.query(
          `select from ownership where stream_id = $1 and organization_id = $2 and valid_to = 'infinity'`,
          [streamId, organizationId],
        );
        if (streamId !== undefined && rows.length > 0) await addLabelToMachine(client, id, streamId);
      }
    }
  }
}
