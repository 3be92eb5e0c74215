import { createHash } from 'node:crypto';
import type { TestPortal } from '#server/test/portal.ts';
import { type Label, markerOf } from './planted.ts';

/** Token in the link of an invitation e-mail, of an organization that no other request uses. */
export const INVITATION_TOKEN = 'bGluayBvZiBhIG1haWw';
/** Organization of INVITATION_TOKEN. */
export const FOR_NEWCOMERS = 'kanarie-nieuwkomers';

export type Newcomer = 'invitation' | 'foreign invitation' | 'applicant' | 'foreign applicant';

/** Returns undecided newcomers of each kind, of the organization of `user` and of another one. */
export type Newcomers = { next(newcomer: Newcomer): number };

/** Number of newcomers: more than the requests of the table that need one. */
const EACH = 400;

/** Plants invitations and registrations of every organization, and some to decide about. */
export async function plantNewcomers(
  { pool, organization }: TestPortal,
  ids: ReadonlyMap<Label, number>,
): Promise<Newcomers> {
  const insert = async (sql: string, organizationId: number, emails: readonly string[], more: unknown[]) =>
    (await pool.query<{ id: number }>(sql, [organizationId, emails, ...more])).rows.map(({ id }) => id);
  const invited = (organizationId: number, emails: readonly string[], hashes: readonly Buffer[] = []) =>
    insert(
      `insert into invitation (organization_id, email, role, expires_at, token_hashes)
       select $1, email, 'kijker', now() + interval '7 days', $3 from unnest($2::text[]) email returning id`,
      organizationId,
      emails,
      [hashes],
    );
  const waiting = (organizationId: number, emails: readonly string[]) =>
    insert(
      `insert into applicant (organization_id, email, password_hash)
       select $1, email, 'the hash of nobody' from unnest($2::text[]) email returning id`,
      organizationId,
      emails,
      [],
    );

  for (const [label, id] of ids) {
    await invited(id, [`genodigd@${markerOf(label)}.example`]);
    await waiting(id, [`wacht@${markerOf(label)}.example`]);
  }
  const foreign = await organization(FOR_NEWCOMERS);
  const own = ids.get('eigen') as number;
  await invited(
    foreign,
    ['met-link@nieuw.example'],
    [createHash('sha256').update(INVITATION_TOKEN).digest()],
  );
  const several = (who: string) => Array.from({ length: EACH }, (_, n) => `${who}${n}@nieuw.example`);
  const all: Readonly<Record<Newcomer, number[]>> = {
    invitation: await invited(own, several('genodigd')),
    'foreign invitation': await invited(foreign, several('elders-genodigd')),
    applicant: await waiting(own, several('wacht')),
    'foreign applicant': await waiting(foreign, several('elders-wacht')),
  };
  return {
    next(newcomer) {
      const id = all[newcomer].shift();
      if (id === undefined) throw new Error(`No ${newcomer} is left`);
      return id;
    },
  };
}
