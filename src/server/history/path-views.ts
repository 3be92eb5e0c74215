import { LRUCache } from 'lru-cache';
import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/database.ts';
import type { Range } from '#shared/domain/intervals.ts';

/** Repeated requests for one route within this time, for example while a person zooms, count as one view. */
const ONE_VIEW_MS = 10 * 60_000;
/**
 * How far a range may extend beyond an audited one, at either end, and still count as the same view: the end of a range 'until now'
 * moves with each request.
 */
const SLACK_MS = 3_600_000;
const MOST = 10_000;

/**
 * Returns a recorder that audits that a person views where a machine has been (13.9, 13.12). The audit log does not
 * contain the route itself.
 */
export function openPathViewAudit(db: Database) {
  const seen = new LRUCache<string, Range>({ max: MOST, ttl: ONE_VIEW_MS });
  return {
    async note(
      { caller }: { readonly caller: Caller },
      streamId: number,
      { from, to }: Range,
    ): Promise<void> {
      const key = `${caller.accountId} ${streamId}`;
      const known = seen.get(key);
      if (known && known.from <= from + SLACK_MS && to <= known.to + SLACK_MS) return;
      seen.set(key, { from, to });
      const { rows } = await db.query<{ serial: string }>('select serial from stream where id = $1', [
        streamId,
      ]);
      const data = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const subject = rows[0]?.serial ?? '';
      await audit(db, { actor: caller.email, action: 'path.view', subject, streamId, data });
    },
  };
}
