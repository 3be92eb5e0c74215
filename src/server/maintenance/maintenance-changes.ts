import type { Caller } from '#server/auth/sessions.ts';
import { lockMachine } from '#server/labels/lock-machine.ts';
import { type AuditChange, audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { FieldErrors } from '#server/platform/field-errors.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import type { MaintenanceDoneFields, PlanFields } from '#shared/contract/maintenance.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { dutchDate, formatDecimals } from '#shared/domain/nl.ts';
import {
  addMaintenanceDone,
  addPlan,
  changePlan,
  countPlans,
  lockPlan,
  readHourMeters,
  removePlan,
  type StoredPlan,
} from './maintenance.store.ts';

/** Functions that change maintenance plans. Each writes an audit row in the same transaction. `now`: ms. */

const MAX_PLANS = 20;
/**
 * Maximum number of hours by which the meter in the cab may be ahead of the portal's. The portal's meter lags while the logger
 * sends nothing. A larger difference is a typing error.
 */
const MAX_AHEAD_HOURS = 1_000;

/**
 * Creates a plan.
 * @throws ProblemError 400 for invalid input; 404 outside the caller's scope; 409 if the machine has the maximum number of plans
 */
export const createPlan = (
  pool: Pool,
  caller: Caller,
  { serial, ...plan }: PlanFields & { readonly serial: string },
  now: number,
): Promise<number> =>
  inTransaction(pool, async (client) => {
    const machine = await lockMachine(client, caller.scope, serial);
    const { id: streamId, organizationId } = machine;
    await requirePast(client, streamId, ['lastHours', plan.lastHours], ['lastDay', plan.lastDay], now);
    if ((await countPlans(client, streamId, organizationId)) >= MAX_PLANS)
      throw new ProblemError('conflict', `Een machine heeft hoogstens ${MAX_PLANS} soorten onderhoud.`);
    const id = await addPlan(client, streamId, organizationId, plan);
    const named = { streamId, organizationId, serial: machine.serial, planName: plan.planName };
    await logChange(client, caller, 'maintenance.create', named, { after: plan });
    return id;
  });

/**
 * Changes a plan.
 * @throws ProblemError 400 for invalid input; 404 outside the caller's scope
 */
export const editPlan = (
  pool: Pool,
  caller: Caller,
  { _id, ...plan }: PlanFields & { readonly _id: number },
  now: number,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const before = await lockExistingPlan(client, caller, _id);
    await requirePast(client, before.streamId, ['lastHours', plan.lastHours], ['lastDay', plan.lastDay], now);
    await changePlan(client, _id, plan);
    await logChange(client, caller, 'maintenance.edit', before, { before: planFields(before), after: plan });
  });

/**
 * Records that a plan's maintenance was done.
 * @throws ProblemError 400 for invalid input; 404 outside the caller's scope; 409 if it was recorded already
 */
export const recordMaintenanceDone = (
  pool: Pool,
  caller: Caller,
  { _id, ...done }: MaintenanceDoneFields & { readonly _id: number },
  now: number,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const before = await lockExistingPlan(client, caller, _id);
    const { doneHours: lastHours, doneDay: lastDay } = done;
    await requirePast(client, before.streamId, ['doneHours', lastHours], ['doneDay', lastDay], now);
    // If two equal requests arrive at the same time, the second request finds here the values that the first one stored.
    if (lastHours === before.lastHours && lastDay === before.lastDay)
      throw new ProblemError('conflict', 'Dit onderhoud is al genoteerd.');
    const errors = new FieldErrors(['doneDay', 'doneHours']);
    if (lastDay < before.lastDay)
      errors.add('doneDay', `${FIELD_TEXTS.doneDay} ligt voor de vorige keer, ${dutchDate(before.lastDay)}.`);
    if (lastHours < before.lastHours)
      errors.add(
        'doneHours',
        `${FIELD_TEXTS.doneHours} is lager dan de vorige keer, ${inHours(before.lastHours)}.`,
      );
    errors.throwIfAny();
    await addMaintenanceDone(client, _id, done);
    await logChange(client, caller, 'maintenance.done', before, {
      before: planFields(before),
      after: { ...planFields(before), lastHours, lastDay },
    });
  });

/**
 * Deletes a plan.
 * @throws ProblemError 404 outside the caller's scope
 */
export const deletePlan = (pool: Pool, caller: Caller, id: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const plan = await lockExistingPlan(client, caller, id);
    await removePlan(client, id);
    await logChange(client, caller, 'maintenance.delete', plan, { before: planFields(plan) });
  });

async function lockExistingPlan(client: Transaction, { scope }: Caller, id: number) {
  const plan = await lockPlan(client, scope, id);
  if (!plan) throw notFound('Dit onderhoud bestaat niet.');
  return plan;
}

type Named<Value> = readonly [field: 'lastHours' | 'lastDay' | 'doneHours' | 'doneDay', value: Value];

/** Requires a day and hours that are not in the future. */
async function requirePast(
  client: Transaction,
  streamId: number,
  [hoursField, hours]: Named<number>,
  [dayField, day]: Named<string>,
  now: number,
): Promise<void> {
  const meter = (await readHourMeters(client, [streamId])).get(streamId) ?? 0;
  const errors = new FieldErrors([dayField, hoursField]);
  if (day > amsterdamDay(now)) errors.add(dayField, `${FIELD_TEXTS[dayField]} is nog niet geweest.`);
  if (hours > meter + MAX_AHEAD_HOURS)
    errors.add(
      hoursField,
      `${FIELD_TEXTS[hoursField]} is veel hoger dan de urenstand nu, ${inHours(meter)}.`,
    );
  errors.throwIfAny();
}

const inHours = (hours: number): string => `${formatDecimals(hours, 1)} uur`;

const planFields = ({ planName, everyHours, everyMonths, lastHours, lastDay }: PlanFields): PlanFields => ({
  planName,
  everyHours,
  everyMonths,
  lastHours,
  lastDay,
});

type ChangedItem = Pick<StoredPlan, 'streamId' | 'organizationId' | 'planName'> & { readonly serial: string };

async function logChange(
  client: Transaction,
  { email: actor }: Caller,
  action: 'maintenance.create' | 'maintenance.edit' | 'maintenance.done' | 'maintenance.delete',
  { streamId, organizationId, serial, planName }: ChangedItem,
  values: AuditChange,
): Promise<void> {
  const of = { actor, action, subject: serial, streamId, organizationId, data: { planName } };
  await audit(client, { ...of, ...values });
}
