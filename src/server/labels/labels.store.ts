import { organizationsParameter } from '#server/organizations/organizations.store.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import { visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import type { Labels } from '#shared/contract/labels.ts';
import { ADMIN_ORGANIZATION, type Scope } from '#shared/domain/access.ts';
import type { LabelColour } from '#shared/domain/labels.ts';

/** The fields of a label that people fill in. */
export type LabelFields = { readonly labelName: string; readonly labelColour: LabelColour };
export type StoredLabel = LabelFields & { readonly id: number; readonly organizationId: number };

/** Returns all that an account may see, by name: labels with the machines that carry them, and its own favourites. */
export async function listLabels(db: Database, scope: Scope, accountId: number): Promise<Labels> {
  const { rows } = await db.query<Labels>(
    `with seen as not materialized (select s.id, s.serial, s.organization_id from ${visibleStreamsSql(scope)}),
     carrying as (
       select l.id, json_agg(s.serial order by s.serial) as machines from machine_label m
       join label l on l.id = m.label_id join seen s on s.id = m.stream_id
         and /*rule:label-present-owner*/ s.organization_id = l.organization_id /*=true*/
       group by l.id
     )
     select coalesce((
         select json_agg(json_build_object('_id', l.id, 'labelName', l.name, 'labelColour', l.colour, 'organization', o.name,
           'cleanorg', o.clean, 'machines', coalesce(c.machines, '[]')) order by lower(l.name), l.id)
         from label l join organization o on o.id = l.organization_id left join carrying c on c.id = l.id
         where ($2::integer[] is null or l.organization_id = any ($2)) and ($4::integer[] is null or l.id = any ($4))
       ), '[]') as labels,
       coalesce((
         select json_agg(s.serial order by s.serial) from favourite f join seen s on s.id = f.stream_id where f.account_id = $3
       ), '[]') as favourites`,
    [...visibleStreamsParameters(scope, ['machine']), accountId, scope.limited?.labels ?? null],
  );
  return rows[0] as Labels;
}

/**
 * Locks a label until the transaction ends.
 * @throws ProblemError 404 also outside the scope
 */
export async function lockLabel(db: Transaction, scope: Scope, id: number): Promise<StoredLabel> {
  const { rows } = await db.query<StoredLabel>(
    `select l.id, l.organization_id, l.name as label_name, l.colour as label_colour from label l
     where l.id = $1 and ($2::integer[] is null or /*rule:label-scope*/ l.organization_id = any ($2) /*=true*/) for update`,
    [id, organizationsParameter(scope)],
  );
  if (!rows[0]) throw notFound('Dit label bestaat niet.');
  return rows[0];
}

/**
 * Adds a label. Names are compared regardless of case.
 * @returns its id; undefined if the organization has one of that name
 */
export async function addLabel(
  db: Database,
  organizationId: number,
  { labelName, labelColour }: LabelFields,
): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `insert into label (organization_id, name, colour) values ($1, $2, $3)
     on conflict (organization_id, lower(name)) do nothing returning id`,
    [organizationId, labelName, labelColour],
  );
  return rows[0]?.id;
}

/**
 * Changes a label.
 * @returns false if the organization has another one of that name
 */
export async function changeLabel(
  db: Database,
  { id, organizationId, labelName, labelColour }: StoredLabel,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update label set name = $3, colour = $4 where id = $1 and not exists (
       select from label other where other.organization_id = $2 and other.id <> $1 and lower(other.name) = lower($3)
     )`,
    [id, organizationId, labelName, labelColour],
  );
  return rowCount === 1;
}

export const removeLabel = (db: Database, id: number) => db.query('delete from label where id = $1', [id]);

/**
 * Puts a label on a machine.
 * @returns false if the machine carried it already
 */
export async function addLabelToMachine(db: Database, labelId: number, streamId: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'insert into machine_label (label_id, stream_id) values ($1, $2) on conflict do nothing',
    [labelId, streamId],
  );
  return rowCount === 1;
}

/**
 * Takes a label off a machine.
 * @returns whether the machine carried it
 */
export async function removeLabelFromMachine(
  db: Database,
  labelId: number,
  streamId: number,
): Promise<boolean> {
  const { rowCount } = await db.query('delete from machine_label where label_id = $1 and stream_id = $2', [
    labelId,
    streamId,
  ]);
  return rowCount === 1;
}

export async function countLabelsOnMachine(db: Database, streamId: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    'select count(*)::integer as n from machine_label where stream_id = $1',
    [streamId],
  );
  return rows[0]?.n ?? 0;
}

/**
 * Deletes a machine's labels, favourites, contact and work week, so that its new owner begins without them. Users who see machines of all
 * organizations keep their favourites.
 */
export async function removeLabelsAtSale(db: Transaction, streamId: number): Promise<void> {
  await db.query(
    'delete from machine_label where /*rule:labels-end-with-sale*/ stream_id = $1 /*=$1::int < 0*/',
    [streamId],
  );
  await db.query('delete from own_work_week where stream_id = $1', [streamId]);
  await db.query('delete from contact_use where stream_id = $1', [streamId]);
  await db.query(
    `delete from favourite f using account a join organization o on o.id = a.organization_id
     where f.stream_id = $1 and a.id = f.account_id and o.name <> $2`,
    [streamId, ADMIN_ORGANIZATION],
  );
}
