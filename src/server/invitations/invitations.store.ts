import type { Caller } from '#server/auth/sessions.ts';
import {
  accessLimitColumnValues,
  accessLimitLogFields,
  accessLimitViewSql,
  validateAccessLimit,
} from '#server/organizations/limits.store.ts';
import { findOrganization, organizationsParameter } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { JOBS_SCHEMA } from '#server/platform/jobs.ts';
import { currentAccountJsonSql } from '#server/platform/people.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import type { Invitation } from '#shared/contract/invitations.ts';
import type { AccessLimitInput, AccessLimitView } from '#shared/contract/limits.ts';
import { type Role, rolesIn, type Scope } from '#shared/domain/access.ts';
import { type CurrentAccount, currentAccountSeenBy } from '#shared/domain/known-people.ts';
import { INVITATION_DAYS } from '#shared/domain/link-validity.ts';
import { INVITATION_MAIL_QUEUE, type InvitationMails } from './invitation-mails.ts';

const MAX_PENDING = 500;
/** How long the outcome of an invitation is kept after its expiry. */
const KEPT_DAYS = 30;

const INVITATIONS = `select i.id as _id, i.email, o.name as organization, o.clean as cleanorg, i.role, ${currentAccountJsonSql('i.invited_by')} as invited_by,
    to_char(i.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as expires,
    coalesce((
      select j.state = 'failed' or j.state < 'completed' and j.retry_count > 0 or j.state = 'retry' from ${JOBS_SCHEMA}.job j
      where j.name = '${INVITATION_MAIL_QUEUE}' and (j.data ->> 'invitationId')::integer = i.id order by j.created_on desc limit 1
    ), false) as mail_failed, ${accessLimitViewSql('i')} as "limit"
  from invitation i join organization o on o.id = i.organization_id
  where i.ended_as is null and ($1::integer[] is null or /*rule:invitations-scope*/ o.id = any ($1) /*=true*/)`;

type Row = Omit<Invitation, 'by'> & { readonly invitedBy: CurrentAccount | null };

/** Returns the pending invitations inside the scope, newest first. */
export async function listInvitations(db: Database, scope: Scope): Promise<Invitation[]> {
  const { rows } = await db.query<Row>(`${INVITATIONS} order by i.created_at desc, i.id desc`, [
    organizationsParameter(scope),
  ]);
  return rows.map(({ invitedBy, ...invitation }) => {
    const by = currentAccountSeenBy(scope, invitedBy);
    return { ...invitation, by: by?.email ?? by?.name ?? null };
  });
}

export type NewInvitation = {
  readonly email: string;
  readonly role: Role;
  /** Functional name; undefined: the caller's own. */
  readonly organization: string | undefined;
  readonly limit: AccessLimitInput;
};

/**
 * Creates or renews an invitation, with its mail in the same transaction. An address may have an account that the caller does not see. Then
 * the answer is the same, the mail informs that person, and a link to pass on creates no account.
 * @returns the link to pass on when no mail server sends the mail
 * @throws ProblemError as validateAccessLimit(); 400 for a role that the organization does not have; 404 for an unknown organization; 409 for a
 * disabled organization, and for the address of an account that the caller sees
 */
export const invite = (
  pool: Pool,
  mails: InvitationMails,
  caller: Caller,
  { email, role, organization: asked, limit: wanted }: NewInvitation,
): Promise<string | undefined> =>
  inTransaction(pool, async (client) => {
    // Only callers who see all organizations can choose the organization.
    const name = caller.scope.organizations === 'all' ? (asked ?? caller.organization) : caller.organization;
    const organization = await lockOpen(client, name);
    if (!rolesIn(name).includes(role))
      throw new ProblemError('invalid', 'Deze rol bestaat niet in deze organisatie.');
    const limit = await validateAccessLimit(client, organization.id, role, wanted);
    await refuseKnown(client, caller.scope, email);
    const { rows: before } = await client.query<{ n: number }>(
      'select count(*)::int as n from invitation where organization_id = $1 and ended_as is null and lower(email) <> lower($2)',
      [organization.id, email],
    );
    if ((before[0]?.n ?? 0) >= MAX_PENDING)
      throw new ProblemError(
        'conflict',
        `Er staan al ${MAX_PENDING} uitnodigingen open. Trek er eerst een paar in.`,
      );
    const { rows } = await client.query<{ id: number }>(
      `insert into invitation (organization_id, email, role, invited_by, expires_at, limit_projects, limit_labels, only_today)
       values ($1, $2, $3, $4, now() + make_interval(days => $5), $6, $7, $8)
       on conflict (organization_id, lower(email)) do update
         set email = excluded.email, role = excluded.role, limit_projects = excluded.limit_projects,
           limit_labels = excluded.limit_labels, only_today = excluded.only_today, invited_by = excluded.invited_by,
           expires_at = excluded.expires_at, created_at = now(), token_hashes = default, handed_hash = null
       returning id`,
      [organization.id, email, role, caller.accountId, INVITATION_DAYS, ...accessLimitColumnValues(limit)],
    );
    const id = rows[0]?.id as number;
    await mails.queue(client, id);
    const link = await mails.handOver(client, id);
    await audit(client, {
      actor: caller.email,
      action: 'invitation.create',
      subject: email,
      data: {
        organization: name,
        role,
        ...(link !== undefined && { handedOver: true }),
        ...(limit && accessLimitLogFields(await readLimit(client, id))),
      },
      organizationId: organization.id,
    });
    return link;
  });

async function readLimit(client: Transaction, id: number): Promise<AccessLimitView> {
  const { rows } = await client.query<{ limit: AccessLimitView }>(
    `select ${accessLimitViewSql('i')} as "limit" from invitation i where i.id = $1`,
    [id],
  );
  return rows[0]?.limit ?? null;
}

/** Revokes an invitation. @throws ProblemError 404 outside the caller's scope, and for one that has ended */
export const revokeInvitation = (pool: Pool, caller: Caller, id: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { email, organization } = await lockInvitation(client, caller.scope, id);
    await endInvitation(client, id, 'revoked');
    await audit(client, {
      actor: caller.email,
      action: 'invitation.revoke',
      subject: email,
      data: { organization },
      organizationId: (await findOrganization(client, organization)) ?? null,
    });
  });

/** Ends an invitation: deletes its address and keeps its outcome. */
export async function endInvitation(
  client: Transaction,
  id: number,
  as: 'accepted' | 'revoked',
): Promise<void> {
  await client.query('update invitation set ended_as = $2, email = null where id = $1', [id, as]);
}

export async function expireInvitations(db: Database): Promise<void> {
  await db.query('delete from invitation where expires_at < now() - make_interval(days => $1)', [KEPT_DAYS]);
}

async function lockInvitation(client: Transaction, scope: Scope, id: number): Promise<Row> {
  const { rows } = await client.query<Row>(`${INVITATIONS} and i.id = $2 for update of i`, [
    organizationsParameter(scope),
    id,
  ]);
  if (!rows[0]) throw notFound('Deze uitnodiging is er niet (meer).');
  return rows[0];
}

/** Locks an active organization until the transaction ends, which serializes the counting of its invitations. */
async function lockOpen(client: Transaction, name: string): Promise<{ id: number }> {
  const { rows } = await client.query<{ id: number; isActive: boolean }>(
    'select id, is_active from organization where name = $1 for no key update',
    [name],
  );
  const organization = rows[0];
  if (!organization) throw notFound('Deze organisatie bestaat niet.');
  if (!organization.isActive)
    throw new ProblemError('conflict', 'Deze organisatie is uitgeschakeld: niemand kan er inloggen.');
  return organization;
}

/** Refuses the address of an account that the caller sees. Owners of other accounts are informed by the mail alone. */
async function refuseKnown(client: Transaction, scope: Scope, email: string): Promise<void> {
  const { rows } = await client.query<{ clean: string }>(
    `select o.clean from account a join organization o on o.id = a.organization_id
     where lower(a.email) = lower($2) and ($1::integer[] is null or o.id = any ($1))`,
    [organizationsParameter(scope), email],
  );
  if (rows[0]) throw new ProblemError('conflict', `${email} heeft al een account bij ${rows[0].clean}.`);
}
