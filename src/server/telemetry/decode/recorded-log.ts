import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Definition } from '#shared/contract/definition.ts';
import type { FormatFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { Reading } from '#shared/domain/signal.ts';
import type { NamedBus } from './can-log/can-frame.ts';
import { type DecodePlan, planFromDefinition } from './can-log/decode-plan.ts';
import { type FrameFormatReader, frameFormatReaderOf } from './can-log/frame-formats.ts';
import { FrameLogDecoder } from './can-log/frame-log.ts';
import type { LogPrescan } from './can-log/frame-reader.ts';
import type { FrameDecodingOptions } from './can-log/frame-reading-decoder.ts';
import { CsvLog } from './csv/csv-log.ts';
import { readLogText, type TextLimits } from './file-text.ts';
import { detectForeignFormat, SIGNATURE_LENGTH_BYTES } from './foreign-format.ts';
import { GpxLog } from './gpx/gpx-log.ts';
import { type BusReport, type EarlierSources, NO_EARLIER_SOURCES } from './j1939/bus-report.ts';
import type { Dm1Observation } from './j1939/dm1-log.ts';
import { LogClock, type LogClockOptions } from './log-clock.ts';
import { isFrameFormat, isTextFormat, type LogFormat } from './log-file-name.ts';
import { LogError, type LogStats, newLogStats, noReadableLineError } from './log-outcome.ts';
import { decodeToUtf8, normalizeCarriageReturns } from './plain-text.ts';
import type { LogOffset } from './second-readings.ts';

export type RecordedLog = LogClockOptions & {
  /** Returns the file from its beginning, in parts of any size, compressed with gzip or not. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
  readonly format: LogFormat;
  readonly definition: Definition;
  /**
   * Returns the prepared definition; called only for files with frames. Default: prepares it in this process, which takes long if
   * its DBC files are large.
   * @throws any error if the definition cannot be used; the decoding throws it too
   */
  readonly plan?: () => DecodePlan;
  /** J1939 sources in earlier logs of the same logger. Default: none. */
  readonly memory?: EarlierSources;
  /** Position from which to resume after an earlier batch of this file. Only a part is decoded, but the whole file is read. */
  readonly resume?: LogResumePosition;
  /** Limits of the decompressed text. Default: 8 GiB, at any compression ratio. */
  readonly textLimits?: TextLimits;
  /** Maximum decoding time. The time of the consumer of the batches and the time in `giveWay` do not count. Default: no limit. */
  readonly longestMs?: number;
  /** Called every few milliseconds, so that other work can go first. Decoding continues when the promise resolves. */
  readonly giveWay?: () => Promise<void>;
};

/** The position at which decoding can resume without splitting a second. Plain data, which can be stored between runs. */
export type LogResumePosition = LogOffset & {
  /** The recorder's time of the log's first frame, in milliseconds. */
  readonly firstMs?: number;
  /** J1939 sources in the part of the log before this position. */
  readonly memory?: EarlierSources;
};

export type LogBatch = {
  /** The readings of this batch, at most one per second (see SecondReadingBuilder); may be empty. */
  readonly readings: readonly Reading[];
  /** Every DM1 on a bus with J1939, in the order of the log. */
  readonly dm1: readonly Dm1Observation[];
  /** The position up to which all readings of the file are in this batch or an earlier one. */
  readonly resume: LogResumePosition;
  /** Counts of this run up to now. */
  readonly stats: Readonly<LogStats>;
  /** J1939 sources and absent values in this run up to now; undefined when the definition has no J1939. */
  readonly busReport?: BusReport;
  /** Elements of the file that were left out so far. */
  readonly remarks: readonly FormatFinding[];
  /** CAN interfaces whose names were found in the file in this call up to now, each with its bus; empty if the format has no names. */
  readonly buses: readonly NamedBus[];
  /** Describes how far the logger's clock is off; absent when it is nearly right or unknown. */
  readonly clockError?: FormatFinding;
  /** Serial number of the logger that recorded the log; absent when the file does not contain it. */
  readonly recorder?: string;
  /** Names of the signals that have had a value in this run up to now. */
  readonly found: readonly string[];
  /** Number of different identifiers without a definition in this run so far, at most 1,000. */
  readonly unknownIdentifiers: number;
  /** Earliest and latest time in the log up to now, including frames without decoded signals. */
  readonly span: Range | undefined;
  /** Decoding time up to now, as limited by `longestMs`. */
  readonly spentMs: number;
};

const TEXT_LIMITS: TextLimits = { maxTextBytes: 8 * 1024 ** 3 };
/**
 * Returns the size of a part that takes at most 12 ms: the slowest is a CSV in which every row has a stray quote, so that each row
 * is parsed separately.
 */
const pieceBytesOf = (format: LogFormat): number =>
  format === 'csv' ? 2048 : isTextFormat(format) || format === 'gpx' ? 4096 : 8192;
/** Maximum number of readings in a batch: about an hour of a file, so that the buckets of that hour are computed once. */
const READINGS_PER_BATCH = 4_000;
/** Maximum number of values in a batch. A wide CSV has hundreds of signals in a row, and a batch must not grow with their number. */
const VALUES_PER_BATCH = 100_000;
/** Maximum number of DM1 messages in a batch. */
const OBSERVATIONS_PER_BATCH = 20_000;
/**
 * Number of bytes after which a batch is yielded even if nothing was decoded, so that the progress bar moves. The log of one hour of
 * a busy bus has fewer bytes.
 */
const BYTES_PER_BATCH = 64 * 1024 ** 2;
/**
 * Decoding time after which the event loop runs. Two files are decoded at the same time, and the server needs several runs of the
 * event loop to answer the request for a page.
 */
const YIELD_AFTER_MS = 5;

/**
 * Decodes a recorded log into batches of readings. Memory use does not grow with the log. The last batch, with the final counts, is
 * yielded even if the log is truncated, damaged or beyond a limit.
 * @throws LogError, DbcError or MappingError; the batches before it are valid
 */
export async function* decodeRecordedLog(log: RecordedLog): AsyncGenerator<LogBatch, void, undefined> {
  try {
    yield* decodedBatches(log);
  } catch (error) {
    throw error instanceof LogError && NOT_ITS_KIND.includes(error.kind) ? await named(error, log) : error;
  }
}

/** Kinds of errors that may mean that the file's name has the extension of another format. */
const NOT_ITS_KIND: readonly LogError['kind'][] = ['no lines', 'header', 'corrupt', 'no rxd'];

/** Returns an error that names the real format of the file, if that is not the format of its name; otherwise the error itself. */
async function named(
  error: LogError,
  { chunks, format, textLimits = TEXT_LIMITS }: RecordedLog,
): Promise<LogError> {
  let head: Uint8Array = new Uint8Array();
  try {
    for await (const piece of decodeToUtf8(readLogText(chunks(), textLimits))) {
      head = Buffer.concat([head, piece]);
      if (head.length >= SIGNATURE_LENGTH_BYTES) break;
    }
  } catch {
    return error;
  }
  const foreign = detectForeignFormat(head.subarray(0, SIGNATURE_LENGTH_BYTES), format);
  if (foreign === undefined) return error;
  return new LogError(error.kind, { kind: 'foreign-format', format: foreign }, { cause: error });
}

async function* decodedBatches(log: RecordedLog): AsyncGenerator<LogBatch, void, undefined> {
  const { format, definition, resume } = log;
  const memory = resume?.memory ?? log.memory ?? NO_EARLIER_SOURCES;
  const { plan = () => planFromDefinition(definition) } = log;
  const stats = newLogStats();
  const clock = new LogClock(log, resume?.firstMs);
  const from = resume ?? { byteOffset: 0, line: 0 };
  const decoding = stopwatch();
  const frames = isFrameFormat(format) ? frameFormatReaderOf(format, log.startMs) : undefined;
  if (frames?.survey) await readThrough(log, frames.survey, decoding);
  const { clockError, recorder } = frames?.survey ?? {};
  const reader = readerOf(format, frames, definition, { plan, memory }, clock, stats, from);
  const batch = (): LogBatch => {
    const readings = reader.readings.take();
    stats.readings += readings.length;
    const { firstMs } = clock;
    const busReport = reader instanceof GpxLog ? undefined : reader.busReport;
    return {
      readings,
      dm1: ('dm1' in reader && reader.dm1?.take()) || [],
      resume: {
        ...reader.place,
        ...(firstMs !== undefined && { firstMs }),
        ...(busReport && { memory: memoryOf(busReport) }),
      },
      ...(busReport && { busReport }),
      remarks: [
        ...(frames?.survey?.remarks ?? []),
        ...(reader instanceof FrameLogDecoder ? reader.remarks : []),
      ],
      buses: reader instanceof FrameLogDecoder ? reader.buses : [],
      ...(clockError && { clockError }),
      ...(recorder !== undefined && { recorder }),
      stats: { ...stats },
      found: reader.readings.found,
      unknownIdentifiers: reader instanceof GpxLog ? 0 : reader.unknownIdentifiers,
      span: clock.span,
      spentMs: decoding.ms(),
    };
  };

  let broken: LogError | undefined;
  let bytesInBatch = 0;
  try {
    for await (const piece of yieldingPieces(log, decoding)) {
      reader.push(piece);
      bytesInBatch += piece.length;
      if (!isFull(reader) && bytesInBatch < BYTES_PER_BATCH) continue;
      bytesInBatch = 0;
      decoding.stop();
      yield batch();
      decoding.start();
    }
    reader.end(false);
  } catch (error) {
    if (!(error instanceof LogError) || !isEndOfText(error)) throw error;
    broken = error;
    reader.end(true);
  }
  yield batch();
  // Only a run from the beginning of the file can find that no line is readable: before a resumed run, an earlier run may have read one.
  broken ??= resume === undefined ? (noReadableLineError(stats) ?? clock.neverSet) : undefined;
  if (broken !== undefined) throw broken;
}

/**
 * Passes the file to the survey, which reads it before the decoding. A file that ends too early is no error here: the reader, which
 * reads the file again, reports it.
 * @throws LogError when the file cannot be read at all
 */
async function readThrough(log: RecordedLog, survey: LogPrescan, decoding: Stopwatch): Promise<void> {
  try {
    for await (const piece of yieldingPieces(log, decoding)) {
      survey.push(piece);
      if (survey.isDone) return;
    }
    survey.end(false);
  } catch (error) {
    if (!(error instanceof LogError) || !isEndOfText(error)) throw error;
    survey.end(true);
  }
}

/**
 * Yields the text of a log in parts; lets the event loop and other files run in between.
 * @throws LogError 'too long'
 */
async function* yieldingPieces(
  { chunks, format, textLimits = TEXT_LIMITS, giveWay, longestMs = Number.POSITIVE_INFINITY }: RecordedLog,
  decoding: Stopwatch,
): AsyncGenerator<Uint8Array, void, undefined> {
  let yieldedAt = performance.now();
  const unpacked = readLogText(chunks(), textLimits, pieceBytesOf(format));
  for await (const piece of isTextFormat(format)
    ? normalizeCarriageReturns(decodeToUtf8(unpacked))
    : unpacked) {
    yield piece;
    if (performance.now() - yieldedAt < YIELD_AFTER_MS) continue;
    if (decoding.ms() > longestMs) throw new LogError('too long', { kind: 'decoding-too-long' });
    await nextTurn();
    decoding.stop();
    await giveWay?.();
    decoding.start();
    yieldedAt = performance.now();
  }
}

const memoryOf = ({ senders, held }: BusReport): EarlierSources => ({
  senders: senders.map(({ bus, message, source }) => ({ bus, message, source })),
  held,
});

type Stopwatch = ReturnType<typeof stopwatch>;

/** Returns a stopwatch that is running. */
function stopwatch() {
  let began: number | undefined = performance.now();
  let before = 0;
  const ms = (): number => before + (began === undefined ? 0 : performance.now() - began);
  return {
    ms,
    stop(): void {
      before = ms();
      began = undefined;
    },
    start(): void {
      began = performance.now();
    },
  };
}

const isFull = (reader: FrameLogDecoder | CsvLog | GpxLog): boolean =>
  reader.readings.finishedCount >= READINGS_PER_BATCH ||
  reader.readings.finishedValues >= VALUES_PER_BATCH ||
  ('dm1' in reader && (reader.dm1?.count ?? 0) >= OBSERVATIONS_PER_BATCH);

function readerOf(
  format: LogFormat,
  file: FrameFormatReader | undefined,
  definition: Definition,
  frames: FrameDecodingOptions,
  clock: LogClock,
  stats: LogStats,
  from: LogOffset,
): FrameLogDecoder | CsvLog | GpxLog {
  if (file) return new FrameLogDecoder((sink) => file.reader(sink, stats, from), frames, clock, stats, from);
  if (format === 'csv') return new CsvLog(definition, frames, clock, stats, from);
  return new GpxLog(clock, stats, from);
}

/** Errors after which the readings so far are valid, and the last batch with the counts is yielded. */
const isEndOfText = ({ kind }: LogError): boolean =>
  ['truncated', 'corrupt', 'too large', 'too long', 'no times'].includes(kind);
