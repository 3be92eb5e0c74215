import type { Database } from '#server/platform/database.ts';

/** Number of machines, loggers and users of an organization. */
export type Belongings = {
  readonly machines: number;
  readonly loggers: number;
  /** Number of deleted machines and loggers whose history is still stored. */
  readonly deleted: number;
  /**
   * Number of machines and loggers that now belong to another organization, with history from the time when they belonged to this
   * one.
   */
  readonly moved: number;
  readonly users: number;
};

/** Counts the machines, loggers and users of an organization, each machine or logger once. */
export async function countOrganizationBelongings(db: Database, organizationId: number): Promise<Belongings> {
  const { rows } = await db.query<Belongings>(
    `with owned as (
       select s.kind, s.deleted_at is not null as is_deleted, bool_or(w.valid_to = 'infinity') as is_present
       from ownership w join stream s on s.id = w.stream_id where w.organization_id = $1 group by s.id
     )
     select
       count(*) filter (where not is_deleted and is_present and kind = 'machine')::int as machines,
       count(*) filter (where not is_deleted and is_present and kind = 'logger')::int as loggers,
       count(*) filter (where is_deleted)::int as deleted,
       count(*) filter (where not is_deleted and not is_present)::int as moved,
       (select count(*)::int from account where organization_id = $1) as users
     from owned`,
    [organizationId],
  );
  return rows[0] as Belongings;
}

/** Returns a text such as '2 machines, 1 logger en 3 gebruikers'; undefined when there is nothing. */
export function belongingsText({ machines, loggers, deleted, moved, users }: Belongings): string | undefined {
  const counted: readonly (readonly [number, string, string])[] = [
    [machines, 'machine', 'machines'],
    [loggers, 'logger', 'loggers'],
    [
      deleted,
      'verwijderde machine of logger waarvan de gegevens nog bewaard worden',
      'verwijderde machines of loggers waarvan de gegevens nog bewaard worden',
    ],
    [
      moved,
      'machine of logger van vroeger, met de geschiedenis van die tijd',
      'machines of loggers van vroeger, met de geschiedenis van die tijd',
    ],
    [users, 'gebruiker', 'gebruikers'],
  ];
  const parts = counted.filter(([n]) => n > 0).map(([n, one, more]) => `${n} ${n === 1 ? one : more}`);
  if (parts.length < 2) return parts[0];
  return `${parts.slice(0, -1).join(', ')} en ${parts.at(-1)}`;
}
