import type { Delivery } from '#server/s3/upload-backend.ts';
import type { AbsentValues } from '#shared/contract/definition.ts';
import { ownValue } from '#shared/domain/own-value.ts';
import type { Signals } from '#shared/domain/signal.ts';
import type { Counts } from './counters.ts';
import { otherClock } from './decode/frozen-clock.ts';
import { isAbsent } from './decode/j1939/absent-values.ts';
import { formatOf, NOT_DECODED } from './decode/log-file-name.ts';
import { decodeSnapshot } from './decode/snapshot.ts';
import { decodeStatus } from './decode/status.ts';
import type { LoggerKey } from './logger-directory.ts';
import { type Quarantined, type QuarantinedReadings, quarantine } from './quarantine.store.ts';
import { destinationOf, FORMER_OWNERS_KEY, isOverdue, ofOtherLogger } from './reading-destination.ts';
import type { StreamReading } from './readings/signal-columns.ts';
import { isRefusedData } from './refused-data.ts';
import type { Telemetry } from './telemetry.ts';
import { WriteQueueUnavailable } from './write-queue.ts';
import type { DocumentRow } from './write-queue-group.ts';

/** The result of processing a document: the reading it contained, or the reason why it contains none. */
type Result = {
  reading?: StreamReading;
  outcome: string;
  counts: Counts;
  quarantined?: Pick<Quarantined, 'reason' | 'readings'>;
  /** Dutch description of a wrong clock that was not used. */
  wrongClock?: string | undefined;
};

/**
 * Stores a small file of a logger: a snapshot (JSON) as a reading, Status.json or device.json as the writer's health;
 * other files are only kept. Resolves after the commit. An unreadable file is quarantined, because a logger retries a
 * refused upload for ever (docs/design.md section 7).
 */
export async function deliverDocument(
  telemetry: Telemetry,
  delivery: Delivery,
  body: Buffer,
  key: LoggerKey,
): Promise<void> {
  const { pool, writeQueue, counters, now } = telemetry;
  const { loggerSerial, writerId } = key;
  const result = await read(telemetry, delivery, body, key);
  const document = documentOf(delivery, key, result.outcome, body);
  const commit = { document, reading: result.reading, quarantined: result.quarantined };
  const committed = await writeQueue.commit(commit).catch(async (error: Error) => {
    if (error instanceof WriteQueueUnavailable) throw error;
    if (!isRefusedData(error)) throw new WriteQueueUnavailable(error.message, { cause: error });
    // Quarantine the whole body and acknowledge the upload, so that the logger does not retry it.
    telemetry.log.error(
      { err: error, key: delivery.key },
      'A delivery could not be stored and is quarantined',
    );
    const reason = 'De levering kon niet worden opgeslagen.';
    result.quarantined = { reason };
    delete result.reading;
    result.counts = { quarantined: 1 };
    await quarantine(pool, { loggerSerial, key: delivery.key, reason, size: delivery.size, body });
    return undefined;
  });
  const counts: Counts = { uploads: 1, ...result.counts };
  if (committed) counts[committed] = 1;
  const error = result.quarantined?.reason ?? result.wrongClock;
  await counters.add(writerId, counts, { at: now(), ...(error && { error }) });
}

function read(
  telemetry: Telemetry,
  delivery: Delivery,
  body: Buffer,
  key: LoggerKey,
): Result | Promise<Result> {
  switch (formatOf(delivery.fileName)) {
    case 'snapshot':
      return readSnapshot(telemetry, body, key, delivery.fileName);
    case 'status':
      return readStatus(telemetry, delivery, body, key);
    case 'configuration':
      return { outcome: 'configuratie', counts: {} };
    default:
      return { outcome: NOT_DECODED, counts: {} };
  }
}

async function readSnapshot(
  { clocks, directory, partitions, now }: Telemetry,
  body: Buffer,
  key: LoggerKey,
  fileName: string,
): Promise<Result> {
  const receivedAt = now();
  const { loggerSerial } = key;
  const decoded = decodeSnapshot(body, receivedAt, (said) => {
    const file = `${loggerSerial}/${fileName}`;
    const { other, seen } = otherClock(said, clocks.get(file) ?? [], receivedAt);
    clocks.set(file, seen);
    return other;
  });
  if (!decoded.ok) return refusedAs(decoded.reason);
  const { reading, skipped, isFrozen, wrongClock } = decoded;
  const counts = {
    ...(skipped > 0 && { skippedSignals: skipped }),
    ...(isFrozen && { frozenClocks: 1 }),
  };
  const { time } = reading;
  const destination = destinationOf(await directory.bindings(loggerSerial), time, key, receivedAt);
  const { binding } = destination;
  if (!binding) return refusedAs('De logger was op dat moment aan geen machine gekoppeld.', counts);
  if (destination.kind === 'quarantined')
    return refusedAs(destination.reason, counts, { from: time, to: time, count: 1 });
  if (!(await partitions.ensure([reading.time], loggerSerial))) {
    return refusedAs('De logger levert vandaag te veel verschillende weken.', counts);
  }
  const signals = binding.absent ? withoutAbsent(reading.signals, binding.absent) : reading.signals;
  return {
    reading: { streamId: binding.streamId, time, signals, receivedAt },
    outcome: 'meting',
    counts,
    wrongClock,
  };
}

function withoutAbsent(signals: Signals, absent: AbsentValues): Signals {
  const isThere = ([name, value]: [string, number]): boolean => {
    const none = ownValue(absent, name);
    return none === undefined || !isAbsent(value, none);
  };
  return Object.fromEntries(Object.entries(signals).filter(isThere));
}

async function readStatus(
  { pool, now }: Telemetry,
  { fileName }: Delivery,
  body: Buffer,
  key: LoggerKey,
): Promise<Result> {
  if (isOverdue(key, now())) return refusedAs(FORMER_OWNERS_KEY);
  const { writerId, loggerSerial } = key;
  const status = decodeStatus(body);
  if (!status) return refusedAs(`${fileName} is onleesbaar.`);
  const { serialNumber = loggerSerial } = status;
  if (serialNumber !== loggerSerial) return refusedAs(ofOtherLogger(serialNumber, loggerSerial));
  try {
    await pool.query('update writer_health set status = $2, status_at = now() where writer_id = $1', [
      writerId,
      JSON.stringify(status),
    ]);
  } catch (error) {
    if (!isRefusedData(error)) throw error;
    return refusedAs(`${fileName} kon niet worden opgeslagen.`);
  }
  return { outcome: 'status', counts: {} };
}

const refusedAs = (reason: string, counts: Counts = {}, readings?: QuarantinedReadings): Result => ({
  outcome: reason,
  quarantined: { reason, readings },
  counts: { ...counts, quarantined: 1 },
});

function documentOf(delivery: Delivery, key: LoggerKey, outcome: string, body: Buffer): DocumentRow {
  const { size, etag, contentType, metadata } = delivery;
  return {
    loggerSerial: key.loggerSerial,
    key: delivery.key,
    size,
    etag,
    contentType,
    metadata,
    outcome,
    body,
  };
}
