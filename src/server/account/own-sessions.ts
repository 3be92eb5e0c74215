import { type Caller, SESSION_IS_VALID_SQL } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import type { OwnSession } from '#shared/contract/account.ts';
import { describeUserAgent } from '#shared/domain/browser-text.ts';

/** Maximum number of sessions in the list. An account has thousands if a program signs in for each call. */
const MAX_SHOWN = 50;

/** Returns the caller's own session first, then the most recently used ones. */
export async function listOwnSessions(
  db: Database,
  { accountId, session }: Caller,
): Promise<{ sessions: OwnSession[]; total: number }> {
  const { rows } = await db.query<{
    id: number;
    address: string;
    userAgent: string;
    since: Date;
    lastUsed: Date;
    total: number;
  }>(
    `select s.id, s.address, s.user_agent, s.created_at as since, s.last_used_at as last_used,
       count(*) over ()::int as total
     from session s join account a on a.id = s.account_id join organization o on o.id = a.organization_id
     where s.account_id = $1 and ${SESSION_IS_VALID_SQL}
     order by s.id = $2 desc, s.last_used_at desc, s.id desc limit $3`,
    [accountId, session.id, MAX_SHOWN + 1],
  );
  const sessions = rows.map(({ id, address, userAgent, since, lastUsed }) => ({
    id,
    device: describeUserAgent(userAgent) || 'Onbekend apparaat',
    address,
    since: since.toISOString(),
    lastUsed: lastUsed.toISOString(),
    isOwn: id === session.id,
  }));
  return { sessions, total: rows[0]?.total ?? 0 };
}

/** Ends one of the caller's sessions. @throws ProblemError 404, also for a session of another account */
export async function endOwnSession(pool: Pool, caller: Caller, id: number): Promise<void> {
  if ((await endSessions(pool, caller, 'id = $2', id)) === 0) throw notFound('Deze sessie is er niet meer.');
}

/** Ends all sessions of the caller's account except the caller's. */
export async function endOtherSessions(pool: Pool, caller: Caller): Promise<void> {
  await endSessions(pool, caller, 'id <> $2', caller.session.id);
}

const endSessions = (pool: Pool, { accountId, email }: Caller, which: string, id: number): Promise<number> =>
  inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `delete from session
      where /*rule:session-end-own*/ account_id = $1 /*=$1::integer is not null*/ and ${which}`,
      [accountId, id],
    );
    const ended = rowCount ?? 0;
    if (ended > 0)
      await audit(client, { actor: email, action: 'session.end', subject: email, data: { ended } });
    return ended;
  });
