import { addRule, type RuleFields } from '#server/alerts/rules.store.ts';
import { addPlan } from '#server/maintenance/maintenance.store.ts';
import { findOrganization } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import type { Transaction } from '#server/platform/database.ts';
import { findStream } from '#server/streams/streams.store.ts';
import { demoMachines } from '#shared/demo/fleet.ts';
import { FLEET_OWNER } from '#shared/demo/organizations.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import {
  defaultSettings,
  defaultSeverity,
  isOperatorKind,
  kindDefinition,
  OFFERED_ALERT_KINDS,
} from '#shared/domain/alerts/kinds.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

const MONTH_MS = 30 * 86_400_000;
/** Running hours between two services. */
const EVERY_HOURS = 500;
/** Running hours until the service of the machine that is due first. */
const HOURS_LEFT = 35;
const PLANNED = 3;

/**
 * Adds an alert rule of each kind for the demo's organization or the administrators, and plans maintenance of some machines. Runs once, so
 * that deleted rows stay deleted.
 */
export async function addDemoAlerts(client: Transaction, now: Date): Promise<void> {
  const organizationId = (await findOrganization(client, FLEET_OWNER)) as number;
  const { rowCount } = await client.query(
    `select from audit where organization_id = $1 and action = 'alert-rule.create' limit 1`,
    [organizationId],
  );
  if (rowCount) return;
  const administrators = (await findOrganization(client, ADMIN_ORGANIZATION)) as number;
  for (const kind of OFFERED_ALERT_KINDS) {
    const ruleName = kindDefinition(kind).word;
    const owner = isOperatorKind(kind) ? administrators : organizationId;
    const rule: RuleFields = {
      ruleName,
      kind,
      settings: defaultSettings(kind),
      hours: 'always',
      machines: 'all',
      ids: [],
      severity: defaultSeverity(kind),
      accounts: [],
      roles: [isOperatorKind(kind) ? 'administrator' : 'beheerder'],
      tellsEnd: false,
      isOn: true,
    };
    await addRule(client, owner, null, rule, now);
    await audit(client, {
      actor: 'demo',
      action: 'alert-rule.create',
      subject: ruleName,
      organizationId: owner,
      data: {},
    });
  }
  const owned = demoMachines.filter(({ organization }) => organization === FLEET_OWNER).slice(0, PLANNED);
  for (const [n, { serialNumber, startHours }] of owned.entries()) {
    const streamId = (await findStream(client, serialNumber)) as number;
    await addPlan(client, streamId, organizationId, {
      planName: 'Grote beurt',
      everyHours: EVERY_HOURS,
      everyMonths: 12,
      lastHours: startHours - EVERY_HOURS + HOURS_LEFT + n * 150,
      lastDay: amsterdamDay(now.getTime() - 5 * MONTH_MS),
    });
  }
}
