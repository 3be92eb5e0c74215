import type { Delivery } from '#server/s3/upload-backend.ts';
import type { AbsentValues } from '#shared/contract/definition.ts';
import {
  type DeliveryFinding,
  NOT_DECODED_FINDING,
} from '#shared/domain/delivery-findings/delivery-findings.ts';
import { getOwnProperty } from '#shared/domain/own-value.ts';
import type { Signals } from '#shared/domain/signal.ts';
import type { CounterCounts } from './counters.ts';
import { detectFrozenClock } from './decode/frozen-clock.ts';
import { isAbsent } from './decode/j1939/absent-values.ts';
import { formatOf } from './decode/log-file-name.ts';
import { decodeSnapshot } from './decode/snapshot.ts';
import { decodeStatus } from './decode/status.ts';
import type { LoggerKey } from './logger-directory.ts';
import { type QuarantinedReadings, type QuarantineEntry, quarantineUpload } from './quarantine.store.ts';
import { isKeyReplacementOverdue, readingDestinationOf } from './reading-destination.ts';
import type { StreamReading } from './readings/signal-columns.ts';
import { isRefusedData } from './refused-data.ts';
import type { Telemetry } from './telemetry.ts';
import { WriteQueueUnavailable } from './write-queue.ts';
import type { DocumentRow } from './write-queue-group.ts';

/** The result of processing a document: the reading in it, or the reason why it contains none. */
type Result = {
  reading?: StreamReading;
  outcome: DeliveryFinding;
  counts: CounterCounts;
  quarantined?: Pick<QuarantineEntry, 'reason' | 'readings'>;
  /** Finding about a wrong clock that was not used. */
  wrongClock?: DeliveryFinding | undefined;
};

/**
 * Stores a small file of a logger: a snapshot (JSON) as a reading, Status.json or device.json as the writer's health; other files
 * are stored without further use. Resolves after the commit. An unreadable file is quarantined, because a logger would retry a
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
    // Quarantines the whole body and acknowledges the upload, so that the logger does not retry it.
    telemetry.log.error(
      { err: error, key: delivery.key },
      'A delivery could not be stored and is quarantined',
    );
    const reason: readonly DeliveryFinding[] = [{ kind: 'not-stored' }];
    result.quarantined = { reason };
    delete result.reading;
    result.counts = { quarantined: 1 };
    await quarantineUpload(pool, { loggerSerial, key: delivery.key, reason, size: delivery.size, body });
    return undefined;
  });
  const counts: CounterCounts = { uploads: 1, ...result.counts };
  if (committed) counts[committed] = 1;
  const error = result.quarantined?.reason ?? (result.wrongClock && [result.wrongClock]);
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
      return { outcome: { kind: 'configuration' }, counts: {} };
    default:
      return { outcome: NOT_DECODED_FINDING, counts: {} };
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
    const { other, seen } = detectFrozenClock(said, clocks.get(file) ?? [], receivedAt);
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
  const destination = readingDestinationOf(await directory.bindings(loggerSerial), time, key, receivedAt);
  const { binding } = destination;
  if (!binding) return refusedAs({ kind: 'reading-unbound' }, counts);
  if (destination.kind === 'quarantined')
    return refusedAs(destination.reason, counts, { from: time, to: time, count: 1 });
  if (!(await partitions.ensure([reading.time], loggerSerial))) {
    return refusedAs({ kind: 'weeks-of-today' }, counts);
  }
  const signals = binding.absent ? withoutAbsent(reading.signals, binding.absent) : reading.signals;
  return {
    reading: { streamId: binding.streamId, time, signals, receivedAt },
    outcome: { kind: 'reading' },
    counts,
    wrongClock,
  };
}

function withoutAbsent(signals: Signals, absent: AbsentValues): Signals {
  const isThere = ([name, value]: [string, number]): boolean => {
    const none = getOwnProperty(absent, name);
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
  if (isKeyReplacementOverdue(key, now())) return refusedAs({ kind: 'former-owners-key' });
  const { writerId, loggerSerial } = key;
  const status = decodeStatus(body);
  if (!status) return refusedAs({ kind: 'file-unreadable', file: fileName });
  const { serialNumber = loggerSerial } = status;
  if (serialNumber !== loggerSerial)
    return refusedAs({ kind: 'other-logger', recorder: serialNumber, signer: loggerSerial });
  try {
    await pool.query('update writer_health set status = $2, status_at = now() where writer_id = $1', [
      writerId,
      JSON.stringify(status),
    ]);
  } catch (error) {
    if (!isRefusedData(error)) throw error;
    return refusedAs({ kind: 'file-not-stored', file: fileName });
  }
  return { outcome: { kind: 'status' }, counts: {} };
}

const refusedAs = (
  reason: DeliveryFinding,
  counts: CounterCounts = {},
  readings?: QuarantinedReadings,
): Result => ({
  outcome: reason,
  quarantined: { reason: [reason], readings },
  counts: { ...counts, quarantined: 1 },
});

function documentOf(delivery: Delivery, key: LoggerKey, outcome: DeliveryFinding, body: Buffer): DocumentRow {
  const { size, etag, contentType, metadata } = delivery;
  return {
    loggerSerial: key.loggerSerial,
    key: delivery.key,
    size,
    etag,
    contentType,
    metadata,
    outcome: [outcome],
    body,
  };
}
