import { type Delivery, DoorUnavailable, type SpooledBody } from '#server/door/upload-backend.ts';
import { inTransaction } from '#server/platform/database.ts';
import { takeToday } from '#server/writers/log-quotas.ts';
import type { Counts } from './counters.ts';
import { formatOf, isLogFormat } from './decode/log-file-name.ts';
import { decodeLogFile } from './log-decoding.ts';
import type { LoggerKey } from './logger-directory.ts';
import { storeFile } from './objects.store.ts';
import { quarantine } from './quarantine.store.ts';
import type { Telemetry } from './telemetry.ts';

/** Until midnight; the logger repeats. */
export const QUOTA_USED = 'The key has used its quota of log files of today.';

/**
 * A log file of a logger, from the spool: decoded into readings by the definition of the binding that was valid then,
 * and after that stored whole, so that a corrected definition can decode it again. Its object is made last, in one
 * transaction with what is noted of it: whatever breaks off before, HEAD and LIST do not know the file, or know the
 * one before it, and the logger delivers it again. A file that cannot be decoded is stored too, with the reason in
 * quarantine. Resolves when all is committed (docs/decisions/0005).
 * @param giveWay lets other files have their turn while this one is decoded
 * @throws FunnelUnavailable, DoorUnavailable (the quota of the day), or the database's error: to be delivered again
 */
export async function deliverLog(
  telemetry: Telemetry,
  delivery: Delivery,
  body: SpooledBody,
  { accessKey, loggerSerial, writerId }: LoggerKey,
  giveWay: () => Promise<void>,
): Promise<void> {
  const { pool, counters, quotas, now } = telemetry;
  const { key, fileName, size, etag, contentType, metadata } = delivery;
  const counts: Counts = { uploads: 1 };
  let outcome = 'niet gedecodeerd';
  let reason: string | undefined;
  const format = formatOf(fileName);
  if (isLogFormat(format)) {
    const decoded = await decodeLogFile(
      telemetry,
      { chunks: body.read, format, fileName, loggerSerial },
      giveWay,
    );
    Object.assign(counts, decoded.counts);
    if (decoded.findings.length > 0) reason = decoded.findings.join('; ');
    const readings = (counts.readings ?? 0) + (counts.merged ?? 0) + (counts.duplicates ?? 0);
    outcome = [`${readings} metingen`, ...decoded.findings].join('; ');
  }

  await inTransaction(pool, async (client) => {
    if (!(await takeToday(client, quotas, { accessKey, bytes: size, now: now() }))) {
      throw new DoorUnavailable(QUOTA_USED);
    }
    const object = { loggerSerial, key, size, etag, contentType, metadata, outcome };
    await storeFile(client, object, body.read());
    if (reason !== undefined) {
      counts.quarantined = 1;
      await quarantine(client, { loggerSerial, key, reason, size, body: undefined });
    }
  });
  const counted = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  counters.add(writerId, counted, { at: now(), ...(reason !== undefined && { error: reason }) });
}
