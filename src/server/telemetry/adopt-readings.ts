import { audit } from '#server/platform/audit.ts';
import { inTransaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import { EndpointUnavailable } from '#server/s3/upload-backend.ts';
import { requireWriter } from '#server/streams/current-writer.ts';
import { findStreamRow, lockStream } from '#server/streams/find-stream.ts';
import { dutchFindingText } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { formatOf, isLogFormat } from './decode/log-file-name.ts';
import { TIME_FIELD_NAMES } from './decode/reading-rules.ts';
import { decodeSnapshot } from './decode/snapshot.ts';
import { decodeLogFile, type LogFile } from './log-decoding.ts';
import { findStoredLog, recordAdopted } from './objects.store.ts';
import { type QuarantinedDelivery, readQuarantined } from './quarantine.store.ts';
import { destinationOfQuarantined } from './reading-destination.ts';
import { storeAcceptedReadings } from './refused-data.ts';
import type { Telemetry } from './telemetry.ts';
import { WriteQueueUnavailable } from './write-queue.ts';

/** The result of an adoption: the number of readings that are now in the history, and Dutch reasons why other readings are not. */
type Adopted = { readonly readings: number; readonly findings: readonly string[] };

/**
 * Stores the readings of a quarantined upload, each in the stream that the logger was bound to at the time of the reading, and
 * deletes the upload from quarantine. After an interruption the upload is still in quarantine and the call can be repeated,
 * because readings that are already stored do not change.
 * @param serial serial number of the stream for which the logger reports now
 * @param id id of the quarantined upload
 * @returns the result in one sentence
 * @throws ProblemError 404 when the upload does not exist, 409 when none of its readings can be stored, 503 when the database is
 * overloaded
 */
export async function adoptReadings(
  telemetry: Telemetry,
  serial: string,
  id: number,
  actor: string,
): Promise<string> {
  const { pool, directory } = telemetry;
  const stream = await findStreamRow(pool, serial);
  const { loggerSerial } = await requireWriter(pool, stream.id);
  const delivery = await readQuarantined(pool, loggerSerial, id);
  if (!delivery) throw gone();
  const into = new Set(
    (await directory.bindings(loggerSerial))
      .filter(({ from, to }) => from <= delivery.to && delivery.from < to)
      .map(({ streamId }) => streamId),
  );
  if (into.size === 0) throw conflict('De machine van toen is er niet meer.');
  const taken =
    delivery.body === null
      ? await adoptLog(telemetry, delivery)
      : await adoptSnapshot(telemetry, delivery, delivery.body);
  if (taken.readings === 0) throw conflict(`Er is niets overgenomen: ${taken.findings.join('; ')}.`);
  await inTransaction(pool, async (client) => {
    const { id: streamId, serial: subject } = await lockStream(client, serial);
    const { rowCount } = await client.query('delete from quarantine where id = $1', [id]);
    if (!rowCount) throw gone();
    await recordAdopted(client, delivery.objectId);
    const { rows } = await client.query<{ serial: string }>(
      'select serial from stream where id = any ($1) order by id',
      [[...into]],
    );
    // In the audit log only administrators see `aside`, because the readings may belong to another organization or a former owner.
    const aside = {
      key: delivery.key,
      from: new Date(delivery.from).toISOString(),
      to: new Date(delivery.to).toISOString(),
      readings: taken.readings,
      into: rows.map((row) => row.serial),
    };
    const data = { logger: loggerSerial };
    await audit(client, { actor, action: 'writer.take-over', subject, streamId, data, aside });
  });
  const sentence = `${taken.readings} ${taken.readings === 1 ? 'meting' : 'metingen'} overgenomen.`;
  return taken.findings.length === 0 ? sentence : `${sentence} De rest niet: ${taken.findings.join('; ')}.`;
}

const gone = () => notFound('Deze levering staat niet meer in quarantaine.');
const conflict = (message: string) => new ProblemError('conflict', message);

async function adoptSnapshot(
  { pool, directory, partitions }: Telemetry,
  delivery: QuarantinedDelivery,
  body: Buffer,
): Promise<Adopted> {
  // Uses the clock field of the snapshot that has the quarantined time. If the first clock stood still at the upload, it is another one.
  const decoded = decodeSnapshot(body, delivery.receivedAt, (clocks) =>
    TIME_FIELD_NAMES.find((name) => Math.round(Number(clocks[name]) * 1000) === delivery.from),
  );
  if (!decoded.ok) return { readings: 0, findings: [dutchFindingText(decoded.reason)] };
  const { reading } = decoded;
  const { binding } = destinationOfQuarantined(
    await directory.bindings(delivery.loggerSerial),
    reading.time,
    delivery,
  );
  if (!binding) return { readings: 0, findings: [NOT_BOUND] };
  await partitions.ensure([reading.time], undefined);
  const { refused } = await storeAcceptedReadings(pool, [
    { streamId: binding.streamId, ...reading, receivedAt: delivery.receivedAt },
  ]);
  return refused > 0 ? { readings: 0, findings: [REFUSED] } : { readings: 1, findings: [] };
}
const NOT_BOUND = 'de logger was toen aan geen machine gekoppeld';
const REFUSED = 'de meting kon niet worden opgeslagen';

/** Adopts the readings of a log file. The file waits in the same queue as the loggers' uploads. */
async function adoptLog(telemetry: Telemetry, delivery: QuarantinedDelivery): Promise<Adopted> {
  const { loggerSerial, key, objectId } = delivery;
  const log = objectId === null ? undefined : await findStoredLog(telemetry.pool, objectId);
  const fileName = key.slice(key.lastIndexOf('/') + 1);
  const format = formatOf(fileName);
  if (!log || !isLogFormat(format)) {
    throw conflict('Het logbestand is er niet meer: het is vervangen, of ouder dan 30 dagen.');
  }
  const file: LogFile = { chunks: log.chunks, format, fileName, loggerSerial };
  try {
    let taken: Adopted = { readings: 0, findings: [] };
    await telemetry.logs.run(loggerSerial, async (giveWay) => {
      const { counts, findings } = await decodeLogFile(
        telemetry,
        file,
        (bindings, time) => destinationOfQuarantined(bindings, time, delivery),
        giveWay,
      );
      const { readings = 0, merged = 0, duplicates = 0 } = counts;
      taken = { readings: readings + merged + duplicates, findings: findings.map(dutchFindingText) };
    });
    return taken;
  } catch (error) {
    if (!(error instanceof WriteQueueUnavailable || error instanceof EndpointUnavailable)) throw error;
    throw new ProblemError('unavailable', 'Overnemen lukt nu niet. Probeer het zo weer.');
  }
}
