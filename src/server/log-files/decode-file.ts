import type { BusReport } from '#server/telemetry/decode/j1939/bus-report.ts';
import type { LogFormat } from '#server/telemetry/decode/log-file-name.ts';
import { decodeLogFile } from '#server/telemetry/log-decoding.ts';
import { logFindingsOf } from '#server/telemetry/log-report.ts';
import { bindingAt } from '#server/telemetry/logger-directory.ts';
import type { Telemetry } from '#server/telemetry/telemetry.ts';
import type { LogSummary } from '#shared/contract/log-files.ts';
import type { DeliveryFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { Range } from '#shared/domain/intervals.ts';

/** A log file that a person decodes for one stream. */
export type StreamLogFile = {
  readonly chunks: () => AsyncIterable<Buffer>;
  readonly format: LogFormat;
  readonly fileName: string;
  /** Serial number of the logger that recorded it. */
  readonly recorder: string;
  readonly streamId: number;
  /** Quarantined readings of the file. Default: none. */
  readonly quarantined?: readonly DeliveryFinding[];
};

type DecodedFile = {
  /** Readings that are in the stream's history now. */
  readonly readings: number;
  /** The number of readings, and why some or all of them were rejected. */
  readonly outcome: readonly DeliveryFinding[];
  readonly summary: LogSummary | undefined;
  readonly busReport: BusReport | undefined;
  readonly span: Range | undefined;
};

/**
 * Stores the readings of a log file that belong to a stream: those of the times in which the recording logger was bound to it. Other
 * readings are left out, and the outcome says so.
 * @throws WriteQueueUnavailable, or the database's error: try again
 */
export async function decodeForStream(
  telemetry: Telemetry,
  { chunks, format, fileName, recorder, streamId, quarantined = [] }: StreamLogFile,
  giveWay: () => Promise<void>,
): Promise<DecodedFile> {
  let isLeftOut = false;
  const decoded = await decodeLogFile(
    telemetry,
    { chunks, format, fileName, loggerSerial: recorder, streamId },
    (bindings, time) => {
      const binding = bindingAt(bindings, time);
      if (!binding) return { kind: 'unbound' };
      if (binding.streamId === streamId) return { kind: 'stored', binding };
      isLeftOut = true;
      return { kind: 'left out' };
    },
    giveWay,
  );
  const { counts, pass, summary, span } = decoded;
  const readings = (counts.readings ?? 0) + (counts.merged ?? 0) + (counts.duplicates ?? 0);
  const findings = [
    ...decoded.findings,
    ...(isLeftOut ? [{ kind: 'of-another-machine', recorder } as const] : []),
  ];
  const outcome = logFindingsOf({ ...decoded, format, readings, findings, quarantined });
  return { readings, outcome, summary, busReport: pass?.busReport, span };
}
