import { addTask, addTaskPlans, addTemplate, readTasks } from '#server/maintenance/templates.store.ts';
import { findOrganization } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import type { Transaction } from '#server/platform/database.ts';
import { findStream } from '#server/streams/streams.store.ts';
import { demoMachines } from '#shared/demo/fleet.ts';
import { type DemoModel, EX26, RK220 } from '#shared/demo/models.ts';
import { FLEET_OWNER } from '#shared/demo/organizations.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

const DAY_MS = 86_400_000;

type Task = {
  readonly planName: string;
  readonly everyHours: number | null;
  readonly everyMonths: number | null;
};

const TEMPLATES: readonly { readonly model: DemoModel; readonly tasks: readonly Task[] }[] = [
  {
    model: EX26,
    tasks: [
      { planName: 'Draaikrans smeren', everyHours: 250, everyMonths: null },
      { planName: 'Keuring', everyHours: null, everyMonths: 12 },
    ],
  },
  {
    model: RK220,
    tasks: [
      { planName: 'Grote beurt', everyHours: 500, everyMonths: 12 },
      { planName: 'Hydrauliekfilter', everyHours: 1_000, everyMonths: null },
      { planName: 'Keuring', everyHours: null, everyMonths: 12 },
    ],
  },
];

/** Hours and days since a machine's tasks were last done; machines that are not listed get smaller, different numbers. */
const LONG_AGO: Readonly<Record<string, { readonly hours: number; readonly days: number }>> = {
  'STR26-0519': { hours: 5, days: 100 },
  'RH220-5109': { hours: 120, days: 381 },
};

/** Adds maintenance templates of two models to the demo's organization and applies them. Runs once, so that deleted rows stay deleted. */
export async function addDemoMaintenance(client: Transaction, now: Date): Promise<void> {
  const organizationId = (await findOrganization(client, FLEET_OWNER)) as number;
  const { rowCount } = await client.query(
    `select from audit where organization_id = $1 and action = 'maintenance-template.create' limit 1`,
    [organizationId],
  );
  if (rowCount) return;
  for (const { model, tasks } of TEMPLATES) {
    const named = { brand: model.brand, model: model.model };
    const id = await addTemplate(client, { organizationId, ...named });
    if (id === undefined) continue;
    for (const task of tasks) await addTask(client, id, task);
    await audit(client, {
      actor: 'demo',
      action: 'maintenance-template.create',
      subject: `${named.brand} ${named.model}`,
      organizationId,
      data: {},
    });
    const stored = await readTasks(client, id);
    const machines = demoMachines.filter((one) => one.organization === FLEET_OWNER && one.model === model);
    for (const [n, { serialNumber, startHours }] of machines.entries()) {
      const streamId = (await findStream(client, serialNumber)) as number;
      const { hours, days } = LONG_AGO[serialNumber] ?? { hours: 20 + 30 * n, days: 30 + 40 * n };
      await addTaskPlans(
        client,
        organizationId,
        stored.map(({ id: taskId }) => ({ streamId, taskId, lastHours: Math.max(0, startHours - hours) })),
        amsterdamDay(now.getTime() - days * DAY_MS),
      );
    }
  }
}
