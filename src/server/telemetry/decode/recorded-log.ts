import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Definition } from '#shared/contract/definition.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { Reading } from '#shared/domain/signal.ts';
import type { NamedBus } from './can-log/can-frame.ts';
import { applyMapping, type DecodePlan } from './can-log/decode-plan.ts';
import { type FrameFormatReader, frameFormat } from './can-log/frame-formats.ts';
import type { FrameDecoding } from './can-log/frame-intake.ts';
import { FrameLog } from './can-log/frame-log.ts';
import type { LogSurvey } from './can-log/frame-reader.ts';
import { CsvLog } from './csv/csv-log.ts';
import { LOOK_BYTES, lookOf } from './file-look.ts';
import { logText, type TextLimits } from './file-text.ts';
import { GpxLog } from './gpx/gpx-log.ts';
import { type BusReport, NO_MEMORY, type SourceMemory } from './j1939/bus-report.ts';
import type { Dm1Sighting } from './j1939/dm1-log.ts';
import { LogClock, type LogClockOptions } from './log-clock.ts';
import { hasFrames, isTextFormat, type LogFormat } from './log-file-name.ts';
import { LogError, type LogStats, noLines, noStats, type Said } from './log-outcome.ts';
import { lineFeeds, plainText } from './plain-text.ts';
import type { LogPlace } from './second-readings.ts';

export type RecordedLog = LogClockOptions & {
  /** The file from its beginning, in pieces of any size; gzip or not. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
  readonly format: LogFormat;
  readonly definition: Definition;
  /**
   * The definition made ready for frames, asked only where there are any. Default: made here and now, which takes as
   * long as its DBC files are large. @throws what the decoding is to throw
   */
  readonly plan?: () => DecodePlan;
  /** J1939 sources in earlier logs of the same logger. Default: none. */
  readonly memory?: SourceMemory;
  /** Go on where an earlier batch ended; the same file, from its beginning. */
  readonly resume?: LogResume;
  /** Default: 8 GiB of text, of any ratio. */
  readonly textLimits?: TextLimits;
  /**
   * Most milliseconds of decoding; what the reader of the batches takes, and the waiting in `giveWay`, does not count.
   * Default: no limit.
   */
  readonly longestMs?: number;
  /** Called every few milliseconds, after the event loop had its turn: the decoding goes on when it resolves. */
  readonly giveWay?: () => Promise<void>;
};

/** Where reading can go on without splitting a second; plain data, to be kept between runs. */
export type LogResume = LogPlace & {
  /** The recorder's time of the log's first frame, milliseconds. */
  readonly firstMs?: number;
  /** J1939 sources in the log before this place. */
  readonly memory?: SourceMemory;
};

export type LogBatch = {
  /** One reading per second, see SecondReadings. May be empty. */
  readonly readings: readonly Reading[];
  /** Each DM1 on a bus with J1939, in the log's order. */
  readonly dm1: readonly Dm1Sighting[];
  /** Everything up to here is in this batch or an earlier one. */
  readonly resume: LogResume;
  /** Of this run so far. */
  readonly stats: Readonly<LogStats>;
  /** J1939 sources and absent values in this run so far; absent: the definition has no J1939. */
  readonly busReport?: BusReport;
  /** Says what was left out of the file so far, in parts of a sentence. */
  readonly remarks: readonly Said[];
  /** Interfaces that this run of the file named so far, and the bus that each is. */
  readonly buses: readonly NamedBus[];
  /** Says how far the logger's clock is off; absent: not far, or not known. */
  readonly clockError?: Said;
  /** Serial number of the logger that recorded the log; absent: the file does not say. */
  readonly recorder?: string;
  /** Names of the signals that got a value in this run so far. */
  readonly found: readonly string[];
  /** Different identifiers without a definition in this run so far, at most 1,000. */
  readonly unknownIdentifiers: number;
  /** From the earliest to the latest time in the log so far, whatever was decoded of it. */
  readonly span: Range | undefined;
  /** Time that the decoding took so far, as `longestMs` counts it, milliseconds. */
  readonly spentMs: number;
};

const TEXT_LIMITS: TextLimits = { maxTextBytes: 8 * 1024 ** 3 };
/** A piece takes 12 ms at most: that is a CSV whose rows all have a quote too many, each read by itself then. */
const pieceBytesOf = (format: LogFormat): number =>
  format === 'csv' ? 2048 : isTextFormat(format) || format === 'gpx' ? 4096 : 8192;
/** An hour of a file: its readings are followed, and its buckets made, once. */
const READINGS_PER_BATCH = 4_000;
/** A wide CSV has hundreds of signals in a row: a batch must not grow with them. */
const VALUES_PER_BATCH = 100_000;
/** Sightings of DM1 that wait for the batch. */
const SIGHTINGS_PER_BATCH = 20_000;
/** A batch comes at least this often, also when nothing is decoded: for the progress bar. An hour of a busy bus is smaller. */
const BYTES_PER_BATCH = 64 * 1024 ** 2;
/** The event loop gets its turn after this long: two files are decoded at a time, and a page needs several turns. */
const TURN_MS = 5;

/**
 * Decodes a recorded log into batches of readings. Memory does not grow with the log. The last batch comes
 * always, with the final counts, and when the log breaks off too.
 * @throws LogError, DbcError or MappingError; batches that came before are good
 */
export async function* decodeRecordedLog(log: RecordedLog): AsyncGenerator<LogBatch, void, undefined> {
  try {
    yield* decodedBatches(log);
  } catch (error) {
    throw error instanceof LogError && NOT_ITS_KIND.includes(error.kind) ? await named(error, log) : error;
  }
}

/** Kinds of errors that a file has whose name ends as that of another format. */
const NOT_ITS_KIND: readonly LogError['kind'][] = ['no lines', 'header', 'corrupt', 'no rxd'];

/** Returns the error of a file that is of another format than its name says; otherwise the error itself. */
async function named(
  error: LogError,
  { chunks, format, textLimits = TEXT_LIMITS }: RecordedLog,
): Promise<LogError> {
  let head: Uint8Array = new Uint8Array();
  try {
    for await (const piece of plainText(logText(chunks(), textLimits))) {
      head = Buffer.concat([head, piece]);
      if (head.length >= LOOK_BYTES) break;
    }
  } catch {
    return error;
  }
  const look = lookOf(head.subarray(0, LOOK_BYTES), format);
  if (look === undefined) return error;
  return new LogError(
    error.kind,
    {
      nl: `Het bestand is niet te lezen als wat de naam zegt: ${look.nl}.`,
      en: `The file cannot be read as what its name says: ${look.en}.`,
    },
    { cause: error },
  );
}

async function* decodedBatches(log: RecordedLog): AsyncGenerator<LogBatch, void, undefined> {
  const { format, definition, resume } = log;
  const memory = resume?.memory ?? log.memory ?? NO_MEMORY;
  const { plan = () => applyMapping(definition) } = log;
  const stats = noStats();
  const clock = new LogClock(log, resume?.firstMs);
  const from = resume ?? { byteOffset: 0, line: 0 };
  const decoding = stopwatch();
  const frames = hasFrames(format) ? frameFormat(format, log.startMs) : undefined;
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
      remarks: [...(frames?.survey?.remarks ?? []), ...(reader instanceof FrameLog ? reader.remarks : [])],
      buses: reader instanceof FrameLog ? reader.buses : [],
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
    for await (const piece of piecesInTurn(log, decoding)) {
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
  // An earlier run stopped at a readable line.
  broken ??= resume === undefined ? (noLines(stats) ?? clock.neverSet) : undefined;
  if (broken !== undefined) throw broken;
}

/** @throws LogError when the file cannot be read at all; one that only ends too early is read again, and says so then */
async function readThrough(log: RecordedLog, survey: LogSurvey, decoding: Stopwatch): Promise<void> {
  try {
    for await (const piece of piecesInTurn(log, decoding)) {
      survey.push(piece);
      if (survey.isDone) return;
    }
    survey.end(false);
  } catch (error) {
    if (!(error instanceof LogError) || !isEndOfText(error)) throw error;
    survey.end(true);
  }
}

/** The text of a log in pieces, between which the event loop and other files have their turn. @throws LogError 'too long' */
async function* piecesInTurn(
  { chunks, format, textLimits = TEXT_LIMITS, giveWay, longestMs = Number.POSITIVE_INFINITY }: RecordedLog,
  decoding: Stopwatch,
): AsyncGenerator<Uint8Array, void, undefined> {
  let turnBegan = performance.now();
  const unpacked = logText(chunks(), textLimits, pieceBytesOf(format));
  for await (const piece of isTextFormat(format) ? lineFeeds(plainText(unpacked)) : unpacked) {
    yield piece;
    if (performance.now() - turnBegan < TURN_MS) continue;
    if (decoding.ms() > longestMs)
      throw new LogError('too long', {
        nl: 'Het decoderen duurt te lang; wat ervoor stond is gelezen.',
        en: 'Decoding takes too long; what came before was read.',
      });
    await nextTurn();
    decoding.stop();
    await giveWay?.();
    decoding.start();
    turnBegan = performance.now();
  }
}

const memoryOf = ({ senders, held }: BusReport): SourceMemory => ({
  senders: senders.map(({ bus, message, source }) => ({ bus, message, source })),
  held,
});

type Stopwatch = ReturnType<typeof stopwatch>;

/** Runs from the beginning. */
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

const isFull = (reader: FrameLog | CsvLog | GpxLog): boolean =>
  reader.readings.finishedCount >= READINGS_PER_BATCH ||
  reader.readings.finishedValues >= VALUES_PER_BATCH ||
  ('dm1' in reader && (reader.dm1?.count ?? 0) >= SIGHTINGS_PER_BATCH);

function readerOf(
  format: LogFormat,
  file: FrameFormatReader | undefined,
  definition: Definition,
  frames: FrameDecoding,
  clock: LogClock,
  stats: LogStats,
  from: LogPlace,
): FrameLog | CsvLog | GpxLog {
  if (file) return new FrameLog((sink) => file.reader(sink, stats, from), frames, clock, stats, from);
  if (format === 'csv') return new CsvLog(definition, frames, clock, stats, from);
  return new GpxLog(clock, stats, from);
}

/** What was read before it is good, and the last batch with the counts still comes. */
const isEndOfText = ({ kind }: LogError): boolean =>
  ['truncated', 'corrupt', 'too large', 'too long', 'no times'].includes(kind);
