import { inTransaction } from '#server/platform/database.ts';
import {
  type Delivery,
  EndpointUnavailable,
  KeyWithdrawn,
  type SpooledBody,
} from '#server/s3/upload-backend.ts';
import { consumeToday } from '#server/writers/log-quotas.ts';
import type { LogSummary } from '#shared/contract/log-files.ts';
import type { Counts } from './counters.ts';
import { encryptedLog } from './decode/encrypted-log.ts';
import type { BusReport } from './decode/j1939/bus-report.ts';
import { formatOf, isLogFormat, NOT_DECODED } from './decode/log-file-name.ts';
import type { BilingualText } from './decode/log-outcome.ts';
import { decodeLogFile } from './log-decoding.ts';
import { heldWords, reportOf } from './log-report.ts';
import type { LoggerKey } from './logger-directory.ts';
import { storeFile } from './objects.store.ts';
import { type QuarantinedReadings, quarantine } from './quarantine.store.ts';
import { BEFORE_THIS_BINDING, destinationOf, FORMER_OWNERS_KEY, isOverdue } from './reading-destination.ts';
import type { Telemetry } from './telemetry.ts';

/** Until midnight; the logger repeats. */
export const QUOTA_USED = 'The key has used its quota of log files of today.';

/**
 * A log file of a logger, from the spool or from its parts: decoded into readings by the definition of the binding that was valid then,
 * and after that stored whole, so that a corrected definition can decode it again. Its object is made last, in one
 * transaction with what is noted of it: whatever breaks off before, HEAD and LIST do not know the file, or know the
 * one before it, and the logger delivers it again. A file that cannot be decoded is stored too, with the reason in
 * quarantine. Resolves when all is committed (docs/decisions/0005).
 * @param giveWay lets other files have their turn while this one is decoded
 * @throws KeyWithdrawn while it was decoded; WriteQueueUnavailable, EndpointUnavailable (the quota of the day), or the database's error: to be delivered again
 */
export async function deliverLog(
  telemetry: Telemetry,
  delivery: Delivery,
  body: SpooledBody,
  signer: LoggerKey,
  giveWay: () => Promise<void>,
): Promise<void> {
  const { pool, counters, quotas, now } = telemetry;
  const { accessKey, loggerSerial, writerId } = signer;
  const receivedAt = now();
  // Decoding again leaves such a file out until an administrator accepts it.
  let isWithheld = isOverdue(signer, receivedAt);
  const { key, fileName, size, etag, contentType, metadata, cameInParts = false } = delivery;
  const counts: Counts = { uploads: 1 };
  let outcome: string = NOT_DECODED;
  let findings: readonly string[] = [];
  let clockError: BilingualText | undefined;
  let held: QuarantinedReadings | undefined;
  let busReport: BusReport | undefined;
  let summary: LogSummary | undefined;
  let readings = 0;
  let heldReason: string = isWithheld ? FORMER_OWNERS_KEY : BEFORE_THIS_BINDING;
  const format = formatOf(fileName);
  if (isLogFormat(format)) {
    const decoded = await decodeLogFile(
      telemetry,
      { chunks: body.read, format, fileName, loggerSerial },
      (bindings, time, recorder) => {
        const destination = destinationOf(bindings, time, signer, receivedAt, recorder);
        if (destination.kind === 'held' && destination.reason !== BEFORE_THIS_BINDING) {
          heldReason = destination.reason;
          isWithheld = true;
        }
        return destination;
      },
      giveWay,
    );
    Object.assign(counts, decoded.counts);
    ({ findings, held, summary } = decoded);
    busReport = decoded.pass?.busReport;
    clockError = decoded.pass?.clockError;
    readings = (counts.readings ?? 0) + (counts.merged ?? 0) + (counts.duplicates ?? 0);
    outcome = reportOf({
      ...decoded,
      format,
      readings,
      held: held && heldWords(held.count, heldReason),
    });
  }
  const encrypted = encryptedLog(fileName);
  if (encrypted) {
    outcome = encrypted.message;
    findings = [encrypted.message];
  }
  const reasons = [...(held ? [heldReason] : []), ...(findings.length > 0 ? [findings.join('; ')] : [])];

  await inTransaction(pool, async (client) => {
    const { rowCount: isInForce } = await client.query(
      'select from writer_key where access_key = $1 and retired_at is null for no key update',
      [accessKey],
    );
    if (!isInForce) throw new KeyWithdrawn();
    if (!cameInParts && !(await consumeToday(client, quotas, { accessKey, bytes: size, now: now() }))) {
      throw new EndpointUnavailable(QUOTA_USED);
    }
    const object = {
      loggerSerial,
      key,
      size,
      etag,
      contentType,
      metadata,
      outcome,
      isWithheld,
      busReport,
      summary,
    };
    const objectId = await storeFile(client, object, body.read());
    // Of a file that came again, the one before is gone.
    await client.query(
      'delete from quarantine where logger_serial = $1 and key = $2 and object_id is not null',
      [loggerSerial, key],
    );
    for (const reason of reasons) {
      const apart = { loggerSerial, key, reason, size };
      await quarantine(client, reason === heldReason ? { ...apart, held, objectId } : apart);
    }
    if (reasons.length > 0) counts.quarantined = 1;
  });
  // Frames of which nothing fits are no fault of the file, and no history either.
  const isNothing = readings === 0 && reasons.length === 0 && (summary?.frames ?? 0) > 0;
  const errors = [...reasons, ...(isNothing ? [outcome] : []), ...(clockError ? [clockError.nl] : [])];
  const counted = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  await counters.add(writerId, counted, {
    at: now(),
    ...(errors.length > 0 && { error: errors.join('; ') }),
  });
}
