import type { Caller } from '#server/auth/sessions.ts';
import {
  findOrganizationInScope,
  lockExistingOrganization,
} from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import type { NamedWeekOwner, OwnWeek, WorkWeekFields } from '#shared/contract/work-weeks.ts';
import type { Scope } from '#shared/domain/access.ts';
import { type WorkWeekOwner, workWeekAt } from '#shared/domain/alerts/work-calendar.ts';
import { type OwnWeek as OwnRow, readCalendars, readOwnWeeks } from './calendars.store.ts';

/**
 * Stores the work weeks of labels, projects and machines, which take precedence over the work week of their organization (docs/alerts.md
 * section 2).
 */

type Asked = { readonly name: string; readonly by: WorkWeekOwner; readonly target: string };
type Answer = NamedWeekOwner & { readonly week: WorkWeekFields | null };

const COLUMN: Readonly<Record<WorkWeekOwner, string>> = {
  machine: 'stream_id',
  project: 'project_id',
  label: 'label_id',
};

/**
 * SQL statements that find the owner of a work week in an organization ($2), by the name that the caller gives ($1). Each locks the owner
 * against deletion.
 */
const FIND: Readonly<Record<WorkWeekOwner, string>> = {
  label:
    'select id, name, id::text as target from label where id = $1::int and organization_id = $2 for key share',
  project:
    'select id, name, id::text as target from project where id = $1::int and organization_id = $2 and deleted_at is null for share',
  machine: `select s.id, s.alias as name, s.serial as target from stream s join ownership w on w.stream_id = s.id
     where lower(s.serial) = lower($1)
       and /*rule:work-week-organization*/ w.organization_id = $2 /*=$2::int is not null*/ and w.valid_to = 'infinity' and s.deleted_at is null
       and s.kind = 'machine' for share of s, w`,
};
const UNKNOWN: Readonly<Record<WorkWeekOwner, string>> = {
  label: 'Dit label bestaat niet.',
  project: 'Dit project bestaat niet.',
  machine: 'Deze machine bestaat niet.',
};

const MAX_INTEGER_ID = 2 ** 31 - 1;
const isId = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) <= MAX_INTEGER_ID;

type Found = NamedWeekOwner & { readonly id: number; readonly organizationId: number };

/**
 * Returns a label, a project or a machine of an organization, locked against deletion.
 * @throws ProblemError 404 outside the scope, or if the organization has no such owner
 */
export async function lockWeekOwner(db: Database, scope: Scope, { name, by, target }: Asked): Promise<Found> {
  const { id: organizationId } = await findOrganizationInScope(db, scope, name);
  if (by !== 'machine' && !isId(target)) throw notFound(UNKNOWN[by]);
  const { rows } = await db.query<{ id: number; name: string; target: string }>(FIND[by], [
    target,
    organizationId,
  ]);
  if (!rows[0]) throw notFound(UNKNOWN[by]);
  return { by, id: rows[0].id, target: rows[0].target, targetName: rows[0].name, organizationId };
}

async function weekOf(db: Database, { by, id, organizationId }: Found): Promise<WorkWeekFields | null> {
  const { rows } = await db.query<{ week: WorkWeekFields }>(
    `select week from own_work_week where ${COLUMN[by]} = $1 and organization_id = $2`,
    [id, organizationId],
  );
  return rows[0]?.week ?? null;
}

/**
 * Returns a label, a project or a machine with its work week; null if it has none of its own.
 * @throws ProblemError 404 outside the scope
 */
export const readOwnWeek = async (db: Database, scope: Scope, asked: Asked): Promise<Answer> => {
  const { id, organizationId, ...owner } = await lockWeekOwner(db, scope, asked);
  return { ...owner, week: await weekOf(db, { id, organizationId, ...owner }) };
};

/** Stores the work week of a label, a project or a machine, by the owner's id, in place of the one stored before. */
export async function storeOwnWeek(
  db: Database,
  { by, id, organizationId }: Pick<Found, 'by' | 'id' | 'organizationId'>,
  week: WorkWeekFields,
): Promise<void> {
  await db.query(
    `insert into own_work_week (organization_id, ${COLUMN[by]}, week) values ($1, $2, $3)
     on conflict (${COLUMN[by]}) do update set week = excluded.week, organization_id = excluded.organization_id`,
    [organizationId, id, JSON.stringify(week)],
  );
}

/**
 * Sets the work week of a label, a project or a machine, or deletes it (null).
 * @throws ProblemError 404 outside the caller's scope
 */
export const changeOwnWeek = (
  pool: Pool,
  caller: Caller,
  asked: Asked,
  week: WorkWeekFields | null,
): Promise<Answer> =>
  inTransaction(pool, async (client) => {
    const found = await lockWeekOwner(client, caller.scope, asked);
    const { id, organizationId, ...owner } = found;
    await lockExistingOrganization(client, organizationId);
    const before = await weekOf(client, found);
    if (week === null)
      await client.query(
        `delete from own_work_week where ${COLUMN[owner.by]} = $1 and organization_id = $2`,
        [id, organizationId],
      );
    else await storeOwnWeek(client, found, week);
    if (before !== null || week !== null)
      await audit(client, {
        actor: caller.email,
        action: week === null ? 'organization.own-week-delete' : 'organization.own-week',
        subject: asked.name,
        organizationId,
        data: { weekOwner: `${owner.by} ${owner.targetName}` },
        ...(before && week && { before }),
        ...(week && { after: week }),
      });
    return { ...owner, week };
  });

/**
 * Returns the work weeks of an organization's labels, projects and machines, each with the machines to which it would apply if another of
 * these weeks did not take precedence. `holds`: the owner of the week that applies to the machine `serialNumber` now.
 * @param now the present time in ms
 * @throws ProblemError 404 outside the scope
 */
export async function listOwnWeeks(
  db: Database,
  scope: Scope,
  { name, serialNumber }: { readonly name: string; readonly serialNumber?: string | undefined },
  now: number,
): Promise<{ ownWeeks: OwnWeek[]; holds: NamedWeekOwner | null }> {
  const { id: organizationId } = await findOrganizationInScope(db, scope, name);
  const rows = await readOwnWeeks(db, [organizationId]);
  const machines = await readMachines(db, organizationId);
  const calendars = await readCalendars(db, machines, { from: now, to: now }, rows);
  const counts = new Map<OwnRow, number>();
  const overruled = new Map<OwnRow, OwnWeek['overruled'][number][]>();
  let holds: NamedWeekOwner | null = null;
  for (const { streamId, serial, alias, labels } of machines) {
    const calendar = calendars.get(streamId);
    const winner = calendar && rows.find(({ week }) => week === workWeekAt(calendar, now));
    if (!winner) continue;
    if (serial.toLowerCase() === serialNumber?.toLowerCase()) holds = ownerOf(winner);
    counts.set(winner, (counts.get(winner) ?? 0) + 1);
    const onProject = calendar.projects.find(({ from, to }) => from <= now && now < to)?.week;
    for (const row of rows) {
      const isOther = row.week === onProject || (row.labelId !== null && labels.includes(row.labelId));
      if (!isOther || row === winner) continue;
      const lost = { serialNumber: serial, alias, winner: ownerOf(winner) };
      overruled.set(row, [...(overruled.get(row) ?? []), lost]);
    }
  }
  const order: readonly WorkWeekOwner[] = ['machine', 'project', 'label'];
  const ownWeeks = rows.map((row) => ({
    ...ownerOf(row),
    week: row.week,
    machines: counts.get(row) ?? 0,
    overruled: overruled.get(row) ?? [],
  }));
  return { ownWeeks: ownWeeks.sort((a, b) => order.indexOf(a.by) - order.indexOf(b.by)), holds };
}

const ownerOf = ({ labelId, projectId, serial, name }: OwnRow): NamedWeekOwner => {
  if (labelId !== null) return { by: 'label', target: String(labelId), targetName: name };
  if (projectId !== null) return { by: 'project', target: String(projectId), targetName: name };
  return { by: 'machine', target: serial ?? '', targetName: name };
};

type Machine = {
  readonly streamId: number;
  readonly organizationId: number;
  readonly serial: string;
  readonly alias: string;
  readonly labels: readonly number[];
};

async function readMachines(db: Database, organizationId: number): Promise<Machine[]> {
  const { rows } = await db.query<Machine>(
    `select s.id as stream_id, w.organization_id, s.serial, s.alias,
       array(select label_id from machine_label l where l.stream_id = s.id) as labels
     from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
     where w.organization_id = $1 and s.deleted_at is null and s.kind = 'machine' order by s.id`,
    [organizationId],
  );
  return rows;
}
