import type { Caller } from '#server/auth/sessions.ts';
import {
  lockOrganizationForNewRow,
  resolveTargetOrganization,
} from '#server/organizations/organizations.store.ts';
import { type AuditChange, audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import type { StreamRow } from '#server/streams/find-stream.ts';
import type { Scope } from '#shared/domain/access.ts';
import { MAX_LABELS, MAX_LABELS_PER_MACHINE } from '#shared/domain/labels.ts';
import {
  addLabel,
  addLabelToMachine,
  changeLabel,
  countLabelsOnMachine,
  type LabelFields,
  lockLabel,
  removeLabel,
  removeLabelFromMachine,
  type StoredLabel,
} from './labels.store.ts';
import { lockMachine } from './lock-machine.ts';

/** Functions that change labels; each change adds a row to the audit log. */

/**
 * Creates a label.
 * @throws ProblemError 400 for an unknown organization; 409 if it has a label of that name, or the maximum number of labels
 */
export const createLabel = (
  pool: Pool,
  caller: Caller,
  { organization, ...label }: LabelFields & { readonly organization?: string | undefined },
): Promise<number> =>
  inTransaction(pool, async (client) => {
    const organizationId = await resolveTargetOrganization(client, caller, organization);
    await lockOrganizationForNewRow(client, organizationId, 'label', MAX_LABELS, 'labels');
    const id = await addLabel(client, organizationId, label);
    if (id === undefined) throw nameTaken(label);
    await logChange(client, caller, 'label.create', { ...label, organizationId }, { after: inLog(label) });
    return id;
  });

type Changed = { readonly _id: number } & {
  readonly [Field in keyof LabelFields]?: LabelFields[Field] | undefined;
};

/**
 * Changes a label. Absent fields stay unchanged.
 * @throws ProblemError 404 outside the caller's scope; 409 if another label has that name
 */
export const editLabel = (
  pool: Pool,
  caller: Caller,
  { _id, labelName, labelColour }: Changed,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const before = await lockLabel(client, caller.scope, _id);
    const after = {
      ...before,
      ...(labelName !== undefined && { labelName }),
      ...(labelColour !== undefined && { labelColour }),
    };
    if (!(await changeLabel(client, after))) throw nameTaken(after);
    await logChange(client, caller, 'label.edit', after, { before: inLog(before), after: inLog(after) });
  });

/**
 * Deletes a label, also from the machines that carry it.
 * @throws ProblemError 404 outside the caller's scope
 */
export const deleteLabel = (pool: Pool, caller: Caller, id: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const label = await lockLabel(client, caller.scope, id);
    await removeLabel(client, id);
    await logChange(client, caller, 'label.delete', label, { before: inLog(label) });
  });

/** A label, and the serial number of a machine. */
type OfMachine = { readonly _id: number; readonly serial: string };

/**
 * Gives a machine a label. Idempotent.
 * @throws ProblemError 404 for an unknown label, or a machine of another organization; 409 if it carries the maximum
 * number of labels
 */
export const assignLabel = (pool: Pool, caller: Caller, { _id, serial }: OfMachine): Promise<void> =>
  inTransaction(pool, async (client) => {
    const label = await lockLabel(client, caller.scope, _id);
    const machine = await lockMachine(client, ofOrganization(caller, label), serial);
    if (!(await addLabelToMachine(client, label.id, machine.id))) return;
    if ((await countLabelsOnMachine(client, machine.id)) > MAX_LABELS_PER_MACHINE)
      throw new ProblemError('conflict', `Een machine draagt hoogstens ${MAX_LABELS_PER_MACHINE} labels.`);
    await logMachineChange(client, caller, 'label.assign', label, machine);
  });

/**
 * Takes a label from a machine. Idempotent.
 * @throws ProblemError 404 for an unknown label, or a machine of another organization
 */
export const unassignLabel = (pool: Pool, caller: Caller, { _id, serial }: OfMachine): Promise<void> =>
  inTransaction(pool, async (client) => {
    const label = await lockLabel(client, caller.scope, _id);
    const machine = await lockMachine(client, ofOrganization(caller, label), serial);
    if (await removeLabelFromMachine(client, label.id, machine.id))
      await logMachineChange(client, caller, 'label.unassign', label, machine);
  });

/** Limits the scope to the label's organization: a machine carries labels of its own organization only. */
const ofOrganization = ({ scope }: Caller, { organizationId }: StoredLabel): Scope => ({
  ...scope,
  organizations: [organizationId],
});

const nameTaken = ({ labelName }: LabelFields) =>
  new ProblemError('conflict', `Er is al een label '${labelName}'.`);

const inLog = ({ labelName, labelColour }: LabelFields) => ({ labelName, labelColour });

const logChange = (
  client: Transaction,
  { email: actor }: Caller,
  action: 'label.create' | 'label.edit' | 'label.delete',
  { labelName: subject, organizationId }: Omit<StoredLabel, 'id'>,
  values: AuditChange,
) => audit(client, { actor, action, subject, organizationId, data: {}, ...values });

const logMachineChange = (
  client: Transaction,
  { email: actor }: Caller,
  action: 'label.assign' | 'label.unassign',
  { labelName: name }: StoredLabel,
  { id: streamId, serial: subject }: StreamRow,
) => audit(client, { actor, action, subject, streamId, data: { name } });
