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
import { isRefusedData } from './refused-data.ts';
import type { StreamReading } from './signal-columns.ts';
import type { Telemetry } from './telemetry.ts';
import { WriteQueueUnavailable } from './write-queue.ts';
import type { DocumentRow } from './write-queue-group.ts';

/** What became of a document: a reading, or a reason why it is none. */
type Result = {
  reading?: StreamReading;
  outcome: string;
  counts: Counts;
  quarantined?: Pick<Quarantined, 'reason' | 'held'>;
  /** Says in Dutch how far a clock is off that the time is not of. */
  wrongClock?: string | undefined;
};

/**
 * A small file of a logger: snapshot JSON becomes a reading, Status.json or device.json the writer's health, anything else is
 * only kept. Resolves after the commit; what cannot be read goes into quarantine, since a logger repeats a refused upload
 * for ever (docs/design.md section 7).
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
    // Set apart, with the whole of it, and not asked for again.
    telemetry.log.error({ err: error, key: delivery.key }, 'A delivery could not be stored');
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
  if (destination.kind === 'held')
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

const refusedAs = (reason: string, counts: Counts = {}, held?: QuarantinedReadings): Result => ({
  outcome: reason,
  quarantined: { reason, held },
  counts: { ...counts, quarantined: 1 },
});

/** The row that answers HEAD, GET and LIST. */
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
