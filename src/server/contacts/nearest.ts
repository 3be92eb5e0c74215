import type { Database } from '#server/platform/database.ts';
import { readPresentMachines } from '#server/projects/present.ts';
import type { NearestContact } from '#shared/contract/contacts.ts';
import type { Role, Scope } from '#shared/domain/access.ts';
import { contactVisibilityRolesOf } from '#shared/domain/contacts.ts';

/** A machine and its organization. */
export type ContactMachine = { readonly streamId: number; readonly organizationId: number };
/** The person who requests contacts. */
export type ContactViewer = { readonly role: Role; readonly scope: Scope };

type Row = Pick<NearestContact, 'contactName' | 'telephone' | 'contactNote'> & {
  readonly organizationId: number;
  readonly projectId: number | null;
  readonly streamId: number | null;
  readonly projectName: string | null;
};

/**
 * Returns the nearest contacts of machines, by stream: the contact of the machine, otherwise of the project that it is on now, otherwise of
 * its organization. A contact that the reader's role may not see is skipped, and so is a project that the reader does not see.
 * @param machines machines that the reader sees
 * @param now ms
 */
export async function nearestContacts(
  db: Database,
  { role, scope }: ContactViewer,
  machines: readonly ContactMachine[],
  now: number,
): Promise<Map<number, NearestContact>> {
  const found = new Map<number, NearestContact>();
  if (machines.length === 0) return found;
  const organizations = [...new Set(machines.map(({ organizationId }) => organizationId))];
  const { rows } = await db.query<Row>(
    `select u.organization_id, u.project_id, u.stream_id, p.name as project_name,
       c.name as contact_name, c.telephone, c.note as contact_note
     from contact_use u join contact c on c.id = u.contact_id left join project p on p.id = u.project_id
     where u.organization_id = any ($1) and c.seen_from = any ($2) and (u.stream_id is null or u.stream_id = any ($3))`,
    [organizations, contactVisibilityRolesOf(role), machines.map(({ streamId }) => streamId)],
  );
  if (rows.length === 0) return found;
  const ofMachine = new Map(rows.map((row) => [row.streamId, row]));
  const ofProject = new Map(rows.map((row) => [row.projectId, row]));
  const ofOrganization = new Map(
    rows
      .filter(({ projectId, streamId }) => (projectId ?? streamId) === null)
      .map((row) => [row.organizationId, row]),
  );
  const hasProjects = rows.some(({ projectId }) => projectId !== null);
  const present = hasProjects ? await readPresentMachines(db, organizations, scope.positionHours, now) : [];
  const named = scope.limited?.projects ?? undefined;
  const projectOf = new Map(present.map(({ streamId, projectId }) => [streamId, projectId]));
  for (const { streamId, organizationId } of machines) {
    const byMachine = ofMachine.get(streamId);
    const projectId = projectOf.get(streamId) ?? 0;
    // A limited person sees no names of other projects.
    const byProject = !named || named.includes(projectId) ? ofProject.get(projectId) : undefined;
    const row = [byMachine, byProject].find((one) => one?.organizationId === organizationId);
    const nearest = row ?? ofOrganization.get(organizationId);
    if (nearest) found.set(streamId, shown(nearest));
  }
  return found;
}

const shown = ({
  streamId,
  projectId,
  projectName,
  contactName,
  telephone,
  contactNote,
}: Row): NearestContact => ({
  contactName,
  telephone,
  contactNote,
  by: streamId !== null ? 'machine' : projectId !== null ? 'project' : 'organization',
  ownerName: projectName ?? '',
});
