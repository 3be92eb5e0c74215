import type { Database } from '#server/platform/database.ts';
import type { Range } from '#shared/domain/intervals.ts';

/** An owner of a machine or LMB logger, with its times of ownership in ms, in order. */
export type Owner = {
  readonly organizationId: number;
  /** Functional name (as in calls) and display name (as on screens). */
  readonly organization: string;
  readonly organizationName: string;
  readonly times: readonly Range[];
};

/** Returns the owners of a stream in order of time. */
export async function readOwners(db: Database, streamId: number): Promise<Owner[]> {
  const { rows } = await db.query<Omit<Owner, 'times'> & Range>(
    `select o.id as organization_id, o.name as organization, o.clean as organization_name,
       date_part('epoch', w.valid_from) * 1000 as "from", date_part('epoch', w.valid_to) * 1000 as "to"
     from ownership w join organization o on o.id = w.organization_id where w.stream_id = $1 order by w.valid_from`,
    [streamId],
  );
  const owners = new Map<number, Owner & { readonly times: Range[] }>();
  for (const { from, to, ...owner } of rows) {
    const known = owners.get(owner.organizationId);
    if (known) known.times.push({ from, to });
    else owners.set(owner.organizationId, { ...owner, times: [{ from, to }] });
  }
  return [...owners.values()];
}
