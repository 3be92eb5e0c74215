import { DoorUnavailable } from '#server/door/upload-backend.ts';
import type { Pool } from '#server/platform/database.ts';
import { formatOf, isLogFormat } from '#server/telemetry/decode/log-file-name.ts';
import {
  type DecodingTime,
  decodedBatches,
  decodingTime,
  isOf,
  isUnreadable,
  type LogFile,
  tooManyWeeks,
} from '#server/telemetry/log-decoding.ts';
import type { StoredLog } from '#server/telemetry/objects.store.ts';
import type { Telemetry } from '#server/telemetry/telemetry.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { withoutFalsePosition } from '#shared/domain/position.ts';
import { type DecodedBinding, isIn, type Period, type RedecodingRow, stage } from './redecoding.store.ts';

/** What decoding again needs of the portal. */
export type RedecodingParts = Pick<Telemetry, 'directory' | 'partitions' | 'now' | 'warn'> & {
  readonly pool: Pool;
};

/** Of all files together. */
export type StagingRun = {
  /** In Dutch: why a part of them is no history. */
  readonly findings: Set<string>;
  /** Readings put aside so far. */
  staged: number;
};

/**
 * Puts aside what a stored log file says, of the binding's time from `from` on: by the new definition, and by each that
 * may have decoded it when it came in: that of a reading's time, or the one of then (a clock may run ahead, and so it was
 * before definitions had their times). A file that cannot be read (any more) is left where it ends, as when it came in.
 * @throws FunnelUnavailable, or the database's error: to be done again
 */
export async function stageFile(
  parts: RedecodingParts,
  row: RedecodingRow,
  { loggerSerial, bound, former: known }: DecodedBinding,
  log: StoredLog,
  run: StagingRun,
  giveWay: () => Promise<void>,
): Promise<void> {
  const fileName = log.key.slice(log.key.lastIndexOf('/') + 1);
  const format = formatOf(fileName);
  if (!isLogFormat(format)) return;
  const { chunks } = log;
  const file: LogFile = { chunks, format, fileName, loggerSerial };
  const former = known.filter(({ from }) => from === null || from <= log.storedAt);
  // What the first pass, by the new one, has found out.
  let span: Range | undefined;
  for (const definitionId of new Set([row.definitionId, ...former.map((period) => period.definitionId)])) {
    const periods = former.filter((period) => period.definitionId === definitionId);
    const counts = (time: number): boolean =>
      isIn(bound, time) &&
      (row.from === null || time >= row.from) &&
      (definitionId === row.definitionId ||
        periods.some((period) => isIn(period, time) || isIn(period, log.storedAt)));
    const time: DecodingTime = { ...decodingTime(), span };
    const decodedIt = ({ from, to }: Period): boolean =>
      isIn({ from, to }, log.storedAt) ||
      isOf(time, { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY });
    if (definitionId !== row.definitionId && !periods.some(decodedIt)) continue;
    try {
      await stagePass(parts, row, file, definitionId, { run, counts, time, giveWay });
      span = time.span;
    } catch (error) {
      if (error instanceof DoorUnavailable) return; // its 30 days are over, or a newer one took its place
      if (!isUnreadable(error)) throw error;
      run.findings.add(error.message);
    }
  }
}

type Pass = {
  readonly run: StagingRun;
  readonly counts: (time: number) => boolean;
  readonly time: DecodingTime;
  readonly giveWay: () => Promise<void>;
};

async function stagePass(
  parts: RedecodingParts,
  { streamId, preview }: RedecodingRow,
  file: LogFile,
  definitionId: number,
  { run, counts, time, giveWay }: Pass,
): Promise<void> {
  const { findings } = run;
  for await (const batch of decodedBatches(parts, file, definitionId, { findings, time, giveWay })) {
    const readings = batch.readings
      .filter(({ time }) => counts(time))
      .map(({ time, signals }) => ({ time, signals: withoutFalsePosition(signals) }));
    const times = readings.map(({ time }) => time);
    if (!preview && !(await parts.partitions.ensure(times, file.loggerSerial))) throw tooManyWeeks();
    if (readings.length > 0) await stage(parts.pool, streamId, definitionId, readings, run.staged);
    run.staged += readings.length;
  }
}
