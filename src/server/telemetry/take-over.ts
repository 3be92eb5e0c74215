import { audit } from '#server/platform/audit.ts';
import { inTransaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import { EndpointUnavailable } from '#server/s3/upload-backend.ts';
import { requireWriter } from '#server/streams/current-writer.ts';
import { findStreamRow, lockStream } from '#server/streams/find-stream.ts';
import { formatOf, isLogFormat } from './decode/log-file-name.ts';
import { TIME_NAMES } from './decode/reading-rules.ts';
import { decodeSnapshot } from './decode/snapshot.ts';
import { decodeLogFile, type LogFile } from './log-decoding.ts';
import { noteTakenOver, storedLog } from './objects.store.ts';
import { type HeldDelivery, readHeld } from './quarantine.store.ts';
import { destinationOfHeld } from './reading-destination.ts';
import { storeAcceptable } from './refused-data.ts';
import type { Telemetry } from './telemetry.ts';
import { WriteQueueUnavailable } from './write-queue.ts';

/** How many readings are in the history now, and in Dutch why others are not. */
type TakenOver = { readonly readings: number; readonly findings: readonly string[] };

/**
 * Stores the readings of a delivery that were held, each in the stream that the logger was on at its time, and takes the
 * delivery out of quarantine. What breaks off on the way is still there, and is taken over by the same call: a reading
 * that is stored already changes nothing.
 * @param serial of what the logger reports for now
 * @param id of the delivery in quarantine
 * @returns what became of it, in one sentence
 * @throws ProblemError 404 it is not there, 409 nothing of it can be stored, 503 not now
 */
export async function takeOver(
  telemetry: Telemetry,
  serial: string,
  id: number,
  actor: string,
): Promise<string> {
  const { pool, directory } = telemetry;
  const stream = await findStreamRow(pool, serial);
  const { loggerSerial } = await requireWriter(pool, stream.id);
  const held = await readHeld(pool, loggerSerial, id);
  if (!held) throw gone();
  const into = new Set(
    (await directory.bindings(loggerSerial))
      .filter(({ from, to }) => from <= held.to && held.from < to)
      .map(({ streamId }) => streamId),
  );
  if (into.size === 0) throw conflict('De machine van toen is er niet meer.');
  const taken =
    held.body === null ? await takeLog(telemetry, held) : await takeDocument(telemetry, held, held.body);
  if (taken.readings === 0) throw conflict(`Er is niets overgenomen: ${taken.findings.join('; ')}.`);
  await inTransaction(pool, async (client) => {
    const { id: streamId, serial: subject } = await lockStream(client, serial);
    const { rowCount } = await client.query('delete from quarantine where id = $1', [id]);
    if (!rowCount) throw gone();
    await noteTakenOver(client, held.objectId);
    const { rows } = await client.query<{ serial: string }>(
      'select serial from stream where id = any ($1) order by id',
      [[...into]],
    );
    // The readings may be another organization's, or a former owner's.
    const aside = {
      key: held.key,
      from: new Date(held.from).toISOString(),
      to: new Date(held.to).toISOString(),
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

/** The one reading of a snapshot. */
async function takeDocument(
  { pool, directory, partitions }: Telemetry,
  held: HeldDelivery,
  body: Buffer,
): Promise<TakenOver> {
  // By the clock that it was held by: another one may have stood still.
  const decoded = decodeSnapshot(body, held.receivedAt, (clocks) =>
    TIME_NAMES.find((name) => Math.round(Number(clocks[name]) * 1000) === held.from),
  );
  if (!decoded.ok) return { readings: 0, findings: [decoded.reason] };
  const { reading } = decoded;
  const { binding } = destinationOfHeld(await directory.bindings(held.loggerSerial), reading.time, held);
  if (!binding) return { readings: 0, findings: [NOT_BOUND] };
  await partitions.ensure([reading.time], undefined);
  const { refused } = await storeAcceptable(pool, [
    { streamId: binding.streamId, ...reading, receivedAt: held.receivedAt },
  ]);
  return refused > 0 ? { readings: 0, findings: [REFUSED] } : { readings: 1, findings: [] };
}
const NOT_BOUND = 'de logger was toen aan geen machine gekoppeld';
const REFUSED = 'de meting kon niet worden opgeslagen';

/** Those of a log file, which takes turns with what loggers deliver. */
async function takeLog(telemetry: Telemetry, held: HeldDelivery): Promise<TakenOver> {
  const { loggerSerial, key, objectId } = held;
  const log = objectId === null ? undefined : await storedLog(telemetry.pool, objectId);
  const fileName = key.slice(key.lastIndexOf('/') + 1);
  const format = formatOf(fileName);
  if (!log || !isLogFormat(format)) {
    throw conflict('Het logbestand is er niet meer: het is vervangen, of ouder dan 30 dagen.');
  }
  const file: LogFile = { chunks: log.chunks, format, fileName, loggerSerial };
  try {
    let taken: TakenOver = { readings: 0, findings: [] };
    await telemetry.logs.run(loggerSerial, async (giveWay) => {
      const { counts, findings } = await decodeLogFile(
        telemetry,
        file,
        (bindings, time) => destinationOfHeld(bindings, time, held),
        giveWay,
      );
      const { readings = 0, merged = 0, duplicates = 0 } = counts;
      taken = { readings: readings + merged + duplicates, findings };
    });
    return taken;
  } catch (error) {
    if (!(error instanceof WriteQueueUnavailable || error instanceof EndpointUnavailable)) throw error;
    throw new ProblemError('unavailable', 'Overnemen lukt nu niet. Probeer het zo weer.');
  }
}
