import type { Pool } from '#server/platform/database.ts';
import { EndpointUnavailable } from '#server/s3/upload-backend.ts';
import type { BusReport } from '#server/telemetry/decode/j1939/bus-report.ts';
import { formatOf, isLogFormat } from '#server/telemetry/decode/log-file-name.ts';
import { newLogStats } from '#server/telemetry/decode/log-outcome.ts';
import type { LogBatch } from '#server/telemetry/decode/recorded-log.ts';
import { Dm1DayBuilder, type Dm1Days, joinDays } from '#server/telemetry/dm1/dm1-days.ts';
import {
  addFinding,
  type DecodingTimeLimits,
  decodedBatches,
  deliveryFindingOf,
  isUnreadableLogError,
  type LogFile,
  mayContainReadingIn,
  newDecodingTimeLimits,
  tooManyWeeksError,
} from '#server/telemetry/log-decoding.ts';
import { logFindingsOf } from '#server/telemetry/log-report.ts';
import { summarizeLog } from '#server/telemetry/log-summary.ts';
import { type StoredLog, updateLogOutcome } from '#server/telemetry/objects.store.ts';
import type { Telemetry } from '#server/telemetry/telemetry.ts';
import type { LogSummary } from '#shared/contract/log-files.ts';
import {
  type DeliveryFinding,
  dutchFindingText,
} from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { withoutFalsePosition } from '#shared/domain/position.ts';
import {
  type DecodedBinding,
  type DefinitionPeriod,
  isInDefinitionPeriod,
  type RedecodingRow,
} from './redecoding.store.ts';
import { stageReadings } from './staged.store.ts';

/** The services that re-decoding needs. */
export type RedecodingDependencies = Pick<Telemetry, 'directory' | 'partitions' | 'now' | 'warn'> & {
  readonly pool: Pool;
};

/** State of a re-decoding that all its files share. */
export type StagingRun = {
  /** Dutch reasons why some of the files are not in the history. */
  readonly findings: Set<string>;
  staged: number;
  /** The fault codes in the files. `allDm1`: decoded by all definitions; `newDm1`: decoded by the new definition only. */
  allDm1: Dm1Days;
  newDm1: Dm1Days;
  /** Periods whose readings were permanently erased: no reading in these periods is staged. */
  readonly erased: readonly Omit<DefinitionPeriod, 'definitionId'>[];
};

/**
 * Stages the readings of a stored log file in the binding's time from `from` on: decoded by the new definition, and by each
 * definition that may have decoded the file when it was received. That is the definition that was valid at a reading's time, or,
 * because a logger's clock may be fast, the definition that was valid when the file was received. A file with an error is staged up to
 * that error, as when it was received.
 * @throws WriteQueueUnavailable, or the database's error; the job is then retried
 */
export async function stageFile(
  parts: RedecodingDependencies,
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
  const findings: DeliveryFinding[] = [];
  const file: LogFile = { chunks, format, fileName, loggerSerial };
  const former = known.filter(({ from }) => from === null || from <= log.storedAt);
  // Results of the first pass, which uses the new definition.
  let span: Range | undefined;
  let outcome: readonly DeliveryFinding[] | undefined;
  let busReport: BusReport | undefined;
  let summary: LogSummary | undefined;
  for (const definitionId of new Set([row.definitionId, ...former.map((period) => period.definitionId)])) {
    const periods = former.filter((period) => period.definitionId === definitionId);
    const counts = (time: number): boolean =>
      isInDefinitionPeriod(bound, time) &&
      !run.erased.some((its) => isInDefinitionPeriod(its, time)) &&
      (row.from === null || time >= row.from) &&
      (definitionId === row.definitionId ||
        periods.some(
          (period) => isInDefinitionPeriod(period, time) || isInDefinitionPeriod(period, log.storedAt),
        ));
    const time: DecodingTimeLimits = { ...newDecodingTimeLimits(), span };
    const decodedIt = ({ from, to }: DefinitionPeriod): boolean =>
      isInDefinitionPeriod({ from, to }, log.storedAt) ||
      mayContainReadingIn(time, {
        from: from ?? Number.NEGATIVE_INFINITY,
        to: to ?? Number.POSITIVE_INFINITY,
      });
    if (definitionId !== row.definitionId && !periods.some(decodedIt)) continue;
    try {
      const staged = await stagePass(parts, row, file, definitionId, {
        run,
        findings,
        counts,
        time,
        giveWay,
      });
      span = time.span;
      if (definitionId !== row.definitionId || !isWhollyIn(bound, row.from, span)) continue;
      const { definition } = await parts.directory.definition(definitionId);
      ({ busReport } = staged);
      summary = staged.last && summarizeLog(definition, staged.last);
      const { stats, remarks, clockError } = staged;
      const pass = { definition, isPresent: true, stats, busReport, remarks, clockError };
      outcome = logFindingsOf({
        ...{ format, readings: staged.readings, findings: [...findings], pass, span, summary },
      });
    } catch (error) {
      if (error instanceof EndpointUnavailable) return; // the file expired after 30 days, or a newer one replaced it
      if (!isUnreadableLogError(error)) throw error;
      addFinding(findings, deliveryFindingOf(error));
    }
  }
  for (const finding of findings) run.findings.add(dutchFindingText(finding));
  if (!row.preview && outcome !== undefined) {
    await updateLogOutcome(parts.pool, log.id, outcome, busReport, summary);
  }
}

/** Returns whether the whole file is decoded again. If the file has times outside the range, its stored outcome is kept. */
const isWhollyIn = (bound: DecodedBinding['bound'], from: number | null, span: Range | undefined): boolean =>
  span !== undefined &&
  isInDefinitionPeriod(bound, span.from) &&
  isInDefinitionPeriod(bound, span.to) &&
  (from === null || span.from >= from);

type Pass = {
  readonly run: StagingRun;
  /** Reasons why a part of the file is not in the history. The pass appends to this list. */
  readonly findings: DeliveryFinding[];
  readonly counts: (time: number) => boolean;
  readonly time: DecodingTimeLimits;
  readonly giveWay: () => Promise<void>;
};

/** The result of decoding a file by one definition. `readings`: number of readings that were staged. */
type StagedPass = Pick<LogBatch, 'stats' | 'busReport' | 'remarks' | 'clockError'> & {
  readonly readings: number;
  readonly last?: LogBatch;
};

async function stagePass(
  parts: RedecodingDependencies,
  { streamId, preview, definitionId: newDefinitionId }: RedecodingRow,
  file: LogFile,
  definitionId: number,
  { run, findings, counts, time, giveWay }: Pass,
): Promise<StagedPass> {
  let pass: StagedPass = { stats: newLogStats(), remarks: [], readings: 0 };
  for await (const batch of decodedBatches(parts, file, definitionId, { findings, time, giveWay })) {
    const sum = new Dm1DayBuilder();
    // Rounds the time of a DM1 down to its second, as for a reading.
    sum.add(batch.dm1, (time) => counts(Math.floor(time / 1000) * 1000));
    const decoded = sum.take();
    run.allDm1 = joinDays(run.allDm1, decoded);
    if (definitionId === newDefinitionId) run.newDm1 = joinDays(run.newDm1, decoded);
    const readings = batch.readings
      .filter(({ time }) => counts(time))
      .map(({ time, signals }) => ({ time, signals: withoutFalsePosition(signals) }));
    const times = readings.map(({ time }) => time);
    if (!preview && !(await parts.partitions.ensure(times, file.loggerSerial))) throw tooManyWeeksError();
    if (readings.length > 0) await stageReadings(parts.pool, streamId, definitionId, readings, run.staged);
    run.staged += readings.length;
    const { stats, busReport, remarks, clockError } = batch;
    pass = {
      stats,
      remarks,
      ...(clockError && { clockError }),
      ...(busReport && { busReport }),
      readings: pass.readings + readings.length,
      last: batch,
    };
  }
  return pass;
}
