import { audit } from '#server/platform/audit.ts';
import { inTransaction } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { findStreamRow, lockStream } from '#server/streams/find-stream.ts';
import { formatOf, isLogFormat } from '#server/telemetry/decode/log-file-name.ts';
import { serialOfUploadKey } from '#server/telemetry/manual-uploads.ts';
import { updateLogOutcome } from '#server/telemetry/objects.store.ts';
import type { Telemetry } from '#server/telemetry/telemetry.ts';
import type { LogFile } from '#shared/contract/log-files.ts';
import { decodeForStream } from './decode-file.ts';
import { countQuarantinedReadings, findLogFile, readLogFile } from './log-files.store.ts';

/**
 * Decodes a stored file once more, by the definitions that applied at its time. Stores the readings that are missing and replaces the
 * file's summary in the table. Stored readings stay, even if another definition gave them: only redecoding.ts replaces readings.
 * @throws ProblemError 404; 409 if files of its kind are not decoded, or its readings may be a former owner's
 */
export async function redecodeLogFile(
  telemetry: Telemetry,
  { serial, id, actor }: { readonly serial: string; readonly id: string; readonly actor: string },
): Promise<LogFile> {
  const { pool, logs } = telemetry;
  const stream = await findStreamRow(pool, serial);
  const { key, shown } = await findLogFile(pool, stream.id, id);
  const format = formatOf(shown.name);
  if (!shown.canDecode || !isLogFormat(format))
    throw new ProblemError('conflict', 'Dit bestand kan niet worden gedecodeerd.');
  const recorder = serialOfUploadKey(key) ?? shown.loggerSerial;
  const quarantined = await countQuarantinedReadings(pool, id);
  const file = {
    ...{ format, recorder, fileName: shown.name, streamId: stream.id },
    chunks: () => readLogFile(pool, shown),
    quarantined: quarantined.flatMap(({ count, reason }) =>
      reason.map((one) => ({ kind: 'quarantined', count, reason: one }) as const),
    ),
  };
  let decoded: LogFile | undefined;
  await logs.run(recorder, async (giveWay) => {
    const { outcome, summary, busReport } = await decodeForStream(telemetry, file, giveWay);
    decoded = await inTransaction(pool, async (client) => {
      const { id: streamId, serial: subject } = await lockStream(client, stream.serial);
      await findLogFile(client, streamId, id);
      await updateLogOutcome(client, id, outcome, busReport, summary);
      const data = { logger: recorder, file: shown.name };
      await audit(client, { actor, action: 'log-file.decode', subject, streamId, data });
      return (await findLogFile(client, streamId, id)).shown;
    });
  });
  return decoded as LogFile;
}
