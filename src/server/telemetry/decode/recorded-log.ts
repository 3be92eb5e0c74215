import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Definition } from '#shared/contract/definition.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { CandumpLine } from './can-log/candump.ts';
import { applyMapping, type DecodePlan } from './can-log/decode-plan.ts';
import type { FrameDecoding } from './can-log/frame-intake.ts';
import { FrameLog } from './can-log/frame-log.ts';
import { LineReader } from './can-log/line-reader.ts';
import { CsvLog } from './csv/csv-log.ts';
import { logText, type TextLimits } from './file-text.ts';
import { GpxLog } from './gpx/gpx-log.ts';
import { type BusReport, NO_MEMORY, type SourceMemory } from './j1939/bus-report.ts';
import type { Dm1Sighting } from './j1939/dm1-log.ts';
import { LogClock, type LogClockOptions } from './log-clock.ts';
import type { LogFormat } from './log-file-name.ts';
import { LogError, type LogStats, noLines, noStats } from './log-outcome.ts';
import type { LogPlace, SecondReadings } from './second-readings.ts';

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
  /** From the earliest to the latest time in the log so far, whatever was decoded of it. */
  readonly span: Range | undefined;
  /** Time that the decoding took so far, as `longestMs` counts it, milliseconds. */
  readonly spentMs: number;
};

const TEXT_LIMITS: TextLimits = { maxTextBytes: 8 * 1024 ** 3 };
/** A piece takes 12 ms at most: that is a CSV whose rows all have a quote too many, each read by itself then. */
const PIECE_BYTES = { csv: 2048, candump: 4096, gpx: 4096 } as const satisfies Record<LogFormat, number>;
const READINGS_PER_BATCH = 500;
/** A wide CSV has hundreds of signals in a row: a batch must not grow with them. */
const VALUES_PER_BATCH = 20_000;
/** A batch comes at least this often, also when nothing is decoded: for the progress bar. */
const BYTES_PER_BATCH = 4 * 1024 ** 2;
/** The event loop gets its turn after this long: two files are decoded at a time, and a page needs several turns. */
const TURN_MS = 5;

/**
 * Decodes a recorded log into batches of readings. Memory does not grow with the log. The last batch comes
 * always, with the final counts, and when the log breaks off too.
 * @throws LogError, DbcError or MappingError; batches that came before are good
 */
export async function* decodeRecordedLog(log: RecordedLog): AsyncGenerator<LogBatch, void, undefined> {
  const { chunks, format, definition, resume, textLimits = TEXT_LIMITS, giveWay } = log;
  const memory = resume?.memory ?? log.memory ?? NO_MEMORY;
  const { longestMs = Number.POSITIVE_INFINITY, plan = () => applyMapping(definition) } = log;
  const stats = noStats();
  const clock = new LogClock(log, resume?.firstMs);
  const from = resume ?? { byteOffset: 0, line: 0 };
  const reader = readerOf(format, definition, { plan, memory }, clock, stats, from);
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
      stats: { ...stats },
      span: clock.span,
      spentMs: decoding.ms(),
    };
  };

  let broken: LogError | undefined;
  let bytesInBatch = 0;
  let turnBegan = performance.now();
  const decoding = stopwatch();
  try {
    for await (const piece of logText(chunks(), textLimits, PIECE_BYTES[format])) {
      reader.push(piece);
      bytesInBatch += piece.length;
      if (isFull(reader.readings) || bytesInBatch >= BYTES_PER_BATCH) {
        bytesInBatch = 0;
        decoding.stop();
        yield batch();
        decoding.start();
      }
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
    reader.end(false);
  } catch (error) {
    if (!(error instanceof LogError) || !isEndOfText(error)) throw error;
    broken = error;
    reader.end(true);
  }
  yield batch();
  // An earlier run stopped at a readable line.
  broken ??= resume === undefined ? noLines(stats) : undefined;
  if (broken !== undefined) throw broken;
}

const memoryOf = ({ senders, held }: BusReport): SourceMemory => ({
  senders: senders.map(({ bus, message, source }) => ({ bus, message, source })),
  held,
});

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

const isFull = (readings: SecondReadings): boolean =>
  readings.finishedCount >= READINGS_PER_BATCH || readings.finishedValues >= VALUES_PER_BATCH;

function readerOf(
  format: LogFormat,
  definition: Definition,
  frames: FrameDecoding,
  clock: LogClock,
  stats: LogStats,
  from: LogPlace,
): FrameLog | CsvLog | GpxLog {
  if (format === 'csv') return new CsvLog(definition, frames, clock, stats, from);
  if (format === 'gpx') return new GpxLog(clock, stats, from);
  return new FrameLog(
    (sink) => new LineReader(new CandumpLine(), sink, stats, from),
    frames,
    clock,
    stats,
    from,
  );
}

/** What was read before it is good, and the last batch with the counts still comes. */
const isEndOfText = ({ kind }: LogError): boolean =>
  ['truncated', 'corrupt', 'too large', 'too long', 'no times'].includes(kind);
