import type { Database } from '#server/platform/database.ts';
import type { LoggerHealth, QuarantinedReadings } from '#shared/contract/writers.ts';
import {
  type DeliveryFinding,
  dutchFindingsText,
} from '#shared/domain/delivery-findings/delivery-findings.ts';

type Row = {
  id: string;
  key: string;
  receivedAt: Date;
  reason: DeliveryFinding[];
  size: string;
  heldFrom: Date | null;
  heldTo: Date | null;
  heldCount: number | null;
  isGone: boolean;
  into: QuarantinedReadings['into'];
};

/**
 * Returns the quarantined uploads of a logger since it was bound, newest first. Also returns quarantined readings from before
 * that time, with the machines that the logger was bound to then.
 */
export async function listQuarantineOf(
  db: Database,
  loggerSerial: string,
  since: Date,
): Promise<LoggerHealth['quarantine']> {
  const { rows } = await db.query<Row>(
    `select q.id, q.key, q.received_at, q.reason, q.size, q.held_from, q.held_to, q.held_count,
       q.object_id is not null and not exists (select from object where id = q.object_id) as is_gone,
       array(
         select json_build_object('serial', s.serial, 'organization', o.clean, 'isDeleted', s.deleted_at is not null)
         from stream s join ownership h on h.stream_id = s.id and h.valid_to = 'infinity'
         join organization o on o.id = h.organization_id
         where s.id in (
           select stream_id from writer
           where logger_serial = $1 and valid_from <= q.held_to and q.held_from < valid_to
         ) order by s.id
       ) as into
     from quarantine q where q.logger_serial = $1 and (q.received_at >= $2 or q.held_count is not null)
     order by q.id desc`,
    [loggerSerial, since],
  );
  return rows.map(({ id, key, receivedAt, reason, size, heldFrom, heldTo, heldCount, isGone, into }) => ({
    id: Number(id),
    key,
    receivedAt: receivedAt.toISOString(),
    reason: dutchFindingsText(reason),
    findings: reason,
    size: Number(size),
    held:
      heldFrom && heldTo && heldCount
        ? {
            from: heldFrom.toISOString(),
            to: heldTo.toISOString(),
            readings: heldCount,
            isGone: isGone,
            into,
          }
        : null,
  }));
}
