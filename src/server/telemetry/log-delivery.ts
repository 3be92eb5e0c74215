import { inTransaction } from '#server/platform/database.ts';
import {
  type Delivery,
  EndpointUnavailable,
  KeyWithdrawn,
  type SpooledBody,
} from '#server/s3/upload-backend.ts';
import { consumeDailyQuota } from '#server/writers/log-quotas.ts';
import type { LogSummary } from '#shared/contract/log-files.ts';
import {
  type DeliveryFinding,
  type FormatFinding,
  NOT_DECODED_FINDING,
  type QuarantineReason,
} from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { CounterCounts } from './counters.ts';
import { encryptedLogError } from './decode/encrypted-log.ts';
import type { BusReport } from './decode/j1939/bus-report.ts';
import { formatOf, isLogFormat } from './decode/log-file-name.ts';
import { decodeLogFile } from './log-decoding.ts';
import { logFindingsOf } from './log-report.ts';
import type { LoggerKey } from './logger-directory.ts';
import { storeFile } from './objects.store.ts';
import { type QuarantinedReadings, quarantineUpload } from './quarantine.store.ts';
import { isKeyReplacementOverdue, readingDestinationOf } from './reading-destination.ts';
import type { Telemetry } from './telemetry.ts';

/** Error message. The quota is renewed at midnight, and the logger retries. */
export const QUOTA_USED_MESSAGE = 'The key has used its quota of log files of today.';

/**
 * Decodes a log file of a logger into readings, by the definition of the binding at the time of the readings, and then stores the
 * whole file, so that a corrected definition can decode it again. The file comes from the spool or from its uploaded parts. Its
 * object is created last, in one transaction with its other records: after a failure before that, HEAD and LIST show no file, or
 * its previous version, and the logger uploads it again. A file that cannot be decoded is stored too, with the reason in
 * quarantine. Resolves after the commit (docs/decisions/0005).
 * @param giveWay lets other files be decoded meanwhile
 * @throws KeyWithdrawn when the key was withdrawn meanwhile; WriteQueueUnavailable, EndpointUnavailable (quota of the day) or the
 * database's error: the logger then uploads the file again
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
  // Re-decoding skips a withheld file until an administrator accepts it.
  let isWithheld = isKeyReplacementOverdue(signer, receivedAt);
  const { key, fileName, size, etag, contentType, metadata, cameInParts = false } = delivery;
  const counts: CounterCounts = { uploads: 1 };
  let outcome: readonly DeliveryFinding[] = [NOT_DECODED_FINDING];
  let findings: readonly DeliveryFinding[] = [];
  let clockError: FormatFinding | undefined;
  let quarantined: QuarantinedReadings | undefined;
  let busReport: BusReport | undefined;
  let summary: LogSummary | undefined;
  let readings = 0;
  let quarantineReason: QuarantineReason = { kind: isWithheld ? 'former-owners-key' : 'before-this-binding' };
  const format = formatOf(fileName);
  if (isLogFormat(format)) {
    const decoded = await decodeLogFile(
      telemetry,
      { chunks: body.read, format, fileName, loggerSerial },
      (bindings, time, recorder) => {
        const destination = readingDestinationOf(bindings, time, signer, receivedAt, recorder);
        if (destination.kind === 'quarantined' && destination.reason.kind !== 'before-this-binding') {
          quarantineReason = destination.reason;
          isWithheld = true;
        }
        return destination;
      },
      giveWay,
    );
    Object.assign(counts, decoded.counts);
    ({ findings, quarantined, summary } = decoded);
    busReport = decoded.pass?.busReport;
    clockError = decoded.pass?.clockError;
    readings = (counts.readings ?? 0) + (counts.merged ?? 0) + (counts.duplicates ?? 0);
    outcome = logFindingsOf({
      ...decoded,
      format,
      readings,
      quarantined: quarantined
        ? [{ kind: 'quarantined', count: quarantined.count, reason: quarantineReason }]
        : [],
    });
  }
  const encrypted = encryptedLogError(fileName);
  if (encrypted) {
    outcome = [encrypted.finding];
    findings = outcome;
  }
  const reasons = [
    ...(quarantined ? [{ reason: [quarantineReason], readings: quarantined }] : []),
    ...(findings.length > 0 ? [{ reason: findings }] : []),
  ];

  await inTransaction(pool, async (client) => {
    const { rowCount: isInForce } = await client.query(
      'select from writer_key where access_key = $1 and retired_at is null for no key update',
      [accessKey],
    );
    if (!isInForce) throw new KeyWithdrawn();
    if (!cameInParts && !(await consumeDailyQuota(client, quotas, { accessKey, bytes: size, now: now() }))) {
      throw new EndpointUnavailable(QUOTA_USED_MESSAGE);
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
    // Deletes the records of the previous upload of the same file.
    await client.query(
      'delete from quarantine where logger_serial = $1 and key = $2 and object_id is not null',
      [loggerSerial, key],
    );
    for (const reason of reasons)
      await quarantineUpload(client, {
        loggerSerial,
        key,
        size,
        ...reason,
        ...('readings' in reason && { objectId }),
      });
    if (reasons.length > 0) counts.quarantined = 1;
  });
  // A file with frames but without readings is not damaged, but has nothing to store in the history.
  const isNothing = readings === 0 && reasons.length === 0 && (summary?.frames ?? 0) > 0;
  const errors = [
    ...reasons.flatMap(({ reason }) => reason),
    ...(isNothing ? outcome : []),
    ...(clockError ? [clockError] : []),
  ];
  const counted = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  await counters.add(writerId, counted, {
    at: now(),
    ...(errors.length > 0 && { error: errors }),
  });
}
