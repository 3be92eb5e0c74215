import { createHash } from 'node:crypto';
import type { Pool } from '#server/platform/database.ts';
import { type Label, markerOf } from './planted.ts';

/** What the link of a mail has behind its '#': an invitation to an organization of which nothing else is looked for. */
export const INVITATION_TOKEN = 'bGluayBvZiBhIG1haWw';

export type Newcomer = 'invitation' | 'foreign invitation' | 'applicant' | 'foreign applicant';

/** Of each kind: the next one that nobody has decided about, of the organization of `user` and of another one. */
export type Newcomers = { next(newcomer: Newcomer): number };

/** More than there are people who may decide. */
const EACH = 12;

/** Who was invited, who waits and who was deleted, of every organization, and some to decide about. */
export async function plantNewcomers(pool: Pool, ids: ReadonlyMap<Label, number>): Promise<Newcomers> {
  const invited = async (organizationId: number, email: string, hashes: readonly Buffer[] = []) =>
    (
      await pool.query<{ id: number }>(
        `insert into invitation (organization_id, email, role, expires_at, token_hashes)
         values ($1, $2, 'kijker', now() + interval '7 days', $3) returning id`,
        [organizationId, email, hashes],
      )
    ).rows[0]?.id as number;
  const waiting = async (organizationId: number, email: string) =>
    (
      await pool.query<{ id: number }>(
        `insert into applicant (organization_id, email, password_hash) values ($1, $2, 'x') returning id`,
        [organizationId, email],
      )
    ).rows[0]?.id as number;

  for (const [label, id] of ids) {
    await invited(id, `genodigd@${markerOf(label)}.example`);
    await waiting(id, `wacht@${markerOf(label)}.example`);
  }
  const { rows } = await pool.query<{ id: number }>(
    `select id from organization where name in ('kanarie-open', $1) order by name = $1`,
    [markerOf('eigen')],
  );
  const [open = 0, own = 0] = rows.map(({ id }) => id);
  await invited(open, 'met-link@nieuw.example', [createHash('sha256').update(INVITATION_TOKEN).digest()]);
  const all = new Map<Newcomer, number[]>();
  for (const [kind, of] of [
    ['foreign ', open],
    ['', own],
  ] as const) {
    const emails = Array.from({ length: EACH }, (_, n) => `${kind.trim()}${n}@nieuw.example`);
    all.set(`${kind}invitation`, await Promise.all(emails.map((email) => invited(of, `genodigd-${email}`))));
    all.set(`${kind}applicant`, await Promise.all(emails.map((email) => waiting(of, `wacht-${email}`))));
  }
  return {
    next(newcomer) {
      const id = all.get(newcomer)?.shift();
      if (id === undefined) throw new Error(`No ${newcomer} is left`);
      return id;
    },
  };
}
