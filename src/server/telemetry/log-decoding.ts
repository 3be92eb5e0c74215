import { isDeepStrictEqual } from 'node:util';
import { DefinitionError } from '#server/definitions/definition-thread.ts';
import type { Definition } from '#shared/contract/definition.ts';
import type { LogSummary } from '#shared/contract/log-files.ts';
import type { DeliveryFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { readEarlierSources } from './bus-reports.store.ts';
import type { CounterCounts } from './counters.ts';
import { planFromDefinition } from './decode/can-log/decode-plan.ts';
import type { TextLimits } from './decode/file-text.ts';
import {
  isFrameFormat,
  type LogFormat,
  parseLogStartMs,
  serialFromFileName,
} from './decode/log-file-name.ts';
import { impossibleTimesFinding, LogError, newLogStats } from './decode/log-outcome.ts';
import { decodeRecordedLog, type LogBatch } from './decode/recorded-log.ts';
import { Dm1Intake } from './dm1/dm1-intake.ts';
import { type DecodingPass, type LogReport, unboundFinding as unboundAll } from './log-report.ts';
import { summarizeLog } from './log-summary.ts';
import type { Binding, ReadDefinition } from './logger-directory.ts';
import type { QuarantinedReadings } from './quarantine.store.ts';
import type { ReadingDestination } from './reading-destination.ts';
import { storeAcceptedReadings } from './refused-data.ts';
import type { Telemetry } from './telemetry.ts';
import { WriteQueueUnavailable } from './write-queue.ts';

export const EMPTY_DEFINITION: Definition = { buses: [], mapping: { signals: [], keep: [] } };
const NO_DEFINITION: ReadDefinition = {
  definition: EMPTY_DEFINITION,
  plan: () => planFromDefinition(EMPTY_DEFINITION),
};
/**
 * Limits of a file from a logger. A file beyond a limit is stored and quarantined, and its readings before the limit are stored. A
 * log of CAN frames becomes 7 to 20 times as large when it is decompressed, a log of a parked machine 40 to 60 times; only files of
 * zeros and gzip bombs exceed 300 times (the maximum of gzip is 1,032). The largest accepted file, 128 MiB, becomes 2.5 GiB of
 * frames at 20 times.
 */
export const LOG_TEXT_LIMITS: TextLimits = { maxTextBytes: 4 * 1024 ** 3, maxRatio: 300 };
/** Limit of decoding time, for all definitions together: 2.5 GiB of CAN frames take about 3 minutes. */
const MAX_DECODING_MS = 5 * 60_000;
/** Maximum time for decoding, waiting and storing together. Above it the server is overloaded, and the logger retries later. */
const MAX_DELIVERY_MS = 15 * 60_000;

export type LogFile = {
  /**
   * Returns the file from its beginning; called once for each definition that applied to the logger in the time range of the file,
   * which is nearly always one.
   */
  readonly chunks: () => AsyncIterable<Buffer>;
  readonly format: LogFormat;
  readonly fileName: string;
  /** Serial number of the logger that recorded the file. */
  readonly loggerSerial: string;
  /** Decodes the file for this stream only, by the stream's definitions. Default: for each stream of the logger. */
  readonly streamId?: number;
};

/**
 * Returns where a reading is stored (reading-destination.ts).
 * @param recorder serial number of the logger, if the file names it
 */
type DestinationOf = (
  bindings: readonly Binding[],
  time: number,
  recorder: string | undefined,
) => ReadingDestination;

/** The result of decoding a file; `findings`: distinct reasons why a part of it is not in the history. */
export type DecodedLog = Pick<LogReport, 'findings' | 'pass' | 'span'> & {
  readonly counts: CounterCounts;
  /** Summary by the definition that was valid at the file's newest time; undefined when no part of the file could be read. */
  readonly summary: LogSummary | undefined;
  readonly quarantined: QuarantinedReadings | undefined;
};

/**
 * Decodes a log file and stores its readings in batches, each reading in the stream to which the logger was bound at the reading's
 * time. Safe to repeat after a failure, because readings that are already stored do not change.
 * @param giveWay called every few milliseconds of decoding, which continues when the promise resolves
 * @throws WriteQueueUnavailable, or the database's error; the logger then uploads the file again
 */
export async function decodeLogFile(
  telemetry: Telemetry,
  file: LogFile,
  destinationOf: DestinationOf,
  giveWay: () => Promise<void>,
): Promise<DecodedLog> {
  const bindings = await telemetry.directory.bindings(file.loggerSerial);
  const own = bindings.filter(({ streamId }) => file.streamId === undefined || streamId === file.streamId);
  const counts: CounterCounts = {};
  const findings: DeliveryFinding[] = [];
  const quarantined = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY, count: 0 };
  const time = newDecodingTimeLimits();
  const passes = new Map<number | undefined, Omit<DecodingPass, 'isPresent'>>();
  const summaries = new Map<number | undefined, LogSummary>();
  const unbound = { count: 0, isAll: true };
  for (const definitionId of definitionsOf(own)) {
    const its = own.filter((binding) => binding.definitionId === definitionId);
    if (!its.some((binding) => mayContainReadingIn(time, binding))) continue;
    try {
      const pass = {
        bindings,
        destinationOf,
        counts,
        findings,
        quarantined,
        unbound,
        time,
        giveWay,
        summaries,
      };
      passes.set(definitionId, await decodePass(telemetry, file, definitionId, pass));
    } catch (error) {
      if (!isUnreadableLogError(error)) throw error;
      addFinding(findings, deliveryFindingOf(error));
    }
  }
  if (unbound.count > 0)
    addFinding(findings, unbound.isAll ? unboundAll(time.span) : { kind: 'partly-unbound' });
  return {
    counts,
    findings,
    quarantined: quarantined.count > 0 ? quarantined : undefined,
    pass: passOf(passes, own, time),
    span: time.span,
    summary: [own.findLast((one) => mayContainReadingIn(time, one))?.definitionId, ...summaries.keys()]
      .map((definitionId) => summaries.get(definitionId))
      .find((summary) => summary !== undefined),
  };
}

/** Returns the result of decoding by the definition that was valid at the newest time in the file. */
function passOf(
  passes: ReadonlyMap<number | undefined, Omit<DecodingPass, 'isPresent'>>,
  bindings: readonly Binding[],
  time: DecodingTimeLimits,
): DecodingPass | undefined {
  const binding = bindings.findLast((one) => mayContainReadingIn(time, one));
  const pass = binding && passes.get(binding.definitionId);
  const last = bindings.findLast(({ writerId }) => writerId === binding?.writerId);
  return pass && { ...pass, isPresent: last?.definitionId === binding.definitionId };
}

/**
 * Returns the definitions, newest first: the first decoding shows the time range of the file, and definitions that were not used in
 * that range are skipped. Decoding without a definition comes last.
 */
const definitionsOf = (bindings: readonly Binding[]): Set<number | undefined> => {
  const newestFirst = bindings.toReversed().map(({ definitionId }) => definitionId);
  return new Set([...newestFirst.filter((id) => id !== undefined), ...newestFirst]);
};

/** Returns whether the rest of a file, or a definition, cannot be read; the readings before the error are valid. */
export const isUnreadableLogError = (error: unknown): error is LogError | DefinitionError =>
  error instanceof LogError || error instanceof DefinitionError;

export const deliveryFindingOf = (error: LogError | DefinitionError): DeliveryFinding =>
  error instanceof LogError ? error.finding : { kind: 'definition-unreadable', message: error.message };

/** Adds a finding unless the list contains an equal one. */
export function addFinding(findings: DeliveryFinding[], finding: DeliveryFinding): void {
  if (!findings.some((one) => isDeepStrictEqual(one, finding))) findings.push(finding);
}

/**
 * Time limits of a file, for decoding it by all its definitions together. `leftMs`: decoding time left; `deadline`: for decoding,
 * waiting and storing (performance.now()); `span`: time range of the file, both ends inclusive, once it is known.
 */
export type DecodingTimeLimits = { leftMs: number; readonly deadline: number; span?: Range | undefined };

/** Returns whether the file may contain a reading in the range (half-open, ms). The time of a reading is the start of its second. */
export const mayContainReadingIn = (
  { span }: Pick<DecodingTimeLimits, 'span'>,
  { from, to }: Range,
): boolean => span === undefined || (from <= span.to && Math.floor(span.from / 1000) * 1000 < to);

export const newDecodingTimeLimits = (): DecodingTimeLimits => ({
  leftMs: MAX_DECODING_MS,
  deadline: performance.now() + MAX_DELIVERY_MS,
});

type Pass = Decoding & {
  readonly bindings: readonly Binding[];
  readonly destinationOf: DestinationOf;
  readonly counts: CounterCounts;
  /** Number and time range of quarantined readings; updated while the file is decoded. */
  readonly quarantined: { from: number; to: number; count: number };
  /** Summaries by definition; also filled if the decoding ends with an error. */
  readonly summaries: Map<number | undefined, LogSummary>;
  /** Number of readings at times when the logger was bound to no machine; `isAll`: there are no other readings. */
  readonly unbound: { count: number; isAll: boolean };
};

/** State of a file while it is decoded; shared by its passes, each of which decodes the whole file by one definition. */
type Decoding = {
  /** Reasons why a part of the file is not in the history; decoding it by a definition may add reasons. */
  readonly findings: DeliveryFinding[];
  readonly time: DecodingTimeLimits;
  readonly giveWay: () => Promise<void>;
};

/**
 * Decodes the file with one definition and stores the readings that belong to the bindings with that definition. Returns the
 * results of the pass.
 */
async function decodePass(
  telemetry: Telemetry,
  file: LogFile,
  definitionId: number | undefined,
  pass: Pass,
): Promise<Omit<DecodingPass, 'isPresent'>> {
  const { pool, writeQueue, partitions, now, warn } = telemetry;
  const { bindings, destinationOf, counts, findings, quarantined, unbound, time, summaries } = pass;
  const { definition } = await definitionOf(telemetry, definitionId);
  const isFirst = time.span === undefined;
  let found: Pick<DecodingPass, 'stats' | 'busReport' | 'remarks' | 'clockError'> = {
    stats: newLogStats(),
    busReport: undefined,
    remarks: [],
  };
  const faults = new Dm1Intake(pool);
  const named = serialFromFileName(file.fileName);
  const streamOf = (at: number, recorder: string | undefined): number | undefined => {
    const { kind, binding } = destinationOf(bindings, at, recorder);
    return kind === 'stored' && binding.definitionId === definitionId ? binding.streamId : undefined;
  };
  try {
    for await (const batch of decodedBatches(telemetry, file, definitionId, pass)) {
      const { readings, dm1, stats, busReport, remarks, clockError, recorder = named } = batch;
      await faults.add(dm1, (at) => streamOf(at, recorder));
      const its = readings.flatMap((reading) => {
        const { kind, binding } = destinationOf(bindings, reading.time, recorder);
        if (kind === 'unbound') unbound.count += 1;
        else unbound.isAll = false;
        if (!binding || binding.definitionId !== definitionId) return [];
        if (kind === 'stored') return [{ streamId: binding.streamId, ...reading, receivedAt: now() }];
        quarantined.from = Math.min(quarantined.from, reading.time);
        quarantined.to = Math.max(quarantined.to, reading.time);
        quarantined.count += 1;
        return [];
      });
      found = { stats, busReport, remarks, clockError };
      summaries.set(definitionId, summarizeLog(definition, batch));
      const times = its.map(({ time }) => time);
      if (!(await partitions.ensure(times, file.loggerSerial))) throw tooManyWeeksError();
      const streams = new Set(its.map(({ streamId }) => streamId));
      const { inserted, merged, refused, why } = await writeQueue.whileLocked(streams, () =>
        storeAcceptedReadings(pool, its),
      );
      if (refused > 0) {
        warn(
          'Some readings of a log file could not be stored',
          `${file.fileName}: ${(why as Error).message}`,
        );
        addFinding(findings, { kind: 'partly-not-stored' });
      }
      counts.readings = (counts.readings ?? 0) + inserted;
      counts.merged = (counts.merged ?? 0) + merged;
      counts.duplicates = (counts.duplicates ?? 0) + its.length - inserted - merged - refused;
      // The counts cover the whole file up to now, not only this batch.
      const { frames, unknownIds: unknownFrames, badLines, skippedValues: skippedSignals } = stats;
      if (isFirst) Object.assign(counts, { frames, unknownFrames, badLines, skippedSignals });
    }
  } finally {
    // Also stores the fault codes that were read before an error.
    await faults.store();
  }
  return { definition, ...found };
}

const definitionOf = async (
  { directory }: Pick<Telemetry, 'directory'>,
  definitionId: number | undefined,
): Promise<ReadDefinition> =>
  definitionId === undefined ? NO_DEFINITION : directory.definition(definitionId);

export const tooManyWeeksError = (): LogError => new LogError('corrupt', { kind: 'too-many-weeks' });

/**
 * Yields the readings of a file decoded by one definition (undefined: none), within the limits of a file from a logger.
 * @throws LogError, DefinitionError; WriteQueueUnavailable when it takes too long
 */
export async function* decodedBatches(
  telemetry: Pick<Telemetry, 'directory' | 'now' | 'pool'>,
  file: LogFile,
  definitionId: number | undefined,
  { findings, time, giveWay }: Decoding,
): AsyncGenerator<LogBatch> {
  const { definition, plan } = await definitionOf(telemetry, definitionId);
  if (isFrameFormat(file.format) && definition.buses.length === 0)
    addFinding(findings, { kind: 'without-dbc' });
  const hasJ1939 = definition.buses.some(({ j1939 = 'none' }) => j1939 !== 'none');
  const memory = hasJ1939 ? await readEarlierSources(telemetry.pool, file.loggerSerial) : undefined;
  const startMs = parseLogStartMs(file.fileName);
  const leftBefore = time.leftMs;
  let last: LogBatch | undefined;
  for await (const batch of decodeRecordedLog({
    chunks: file.chunks,
    format: file.format,
    definition,
    plan,
    now: telemetry.now(),
    textLimits: LOG_TEXT_LIMITS,
    longestMs: leftBefore,
    giveWay,
    ...(memory && { memory }),
    ...(startMs !== undefined && { startMs }),
  })) {
    time.leftMs = leftBefore - batch.spentMs;
    yield batch;
    last = batch;
    if (performance.now() > time.deadline)
      throw new WriteQueueUnavailable('Storing a log file takes too long.');
  }
  time.span ??= last?.span;
  const impossible = last && impossibleTimesFinding(last.stats);
  if (last && impossible && findings.length === 0) {
    const { refusedTimes, frames, values } = last.stats;
    findings.push(refusedTimes === frames + values ? { kind: 'all-times-impossible' } : impossible);
  }
}
