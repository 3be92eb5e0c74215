import type { LogFormat } from '#server/telemetry/decode/log-file-name.ts';
import type { LogStats } from '#server/telemetry/decode/log-outcome.ts';
import type { LogOffset } from '#server/telemetry/decode/second-readings.ts';
import { AscLine } from './asc/asc-line.ts';
import { BlfReader } from './blf/blf-reader.ts';
import { CandumpLog } from './candump-log.ts';
import { CandumpPrescan } from './candump-prescan.ts';
import type { FrameReader, FrameSink, LogPrescan } from './frame-reader.ts';
import { LineReader } from './line-reader.ts';
import { Mf4Prescan } from './mf4/mf4-prescan.ts';
import { Mf4Reader } from './mf4/mf4-reader.ts';
import { RxdClockPrescan } from './rxd/rxd-clock-prescan.ts';
import { RxdReader } from './rxd/rxd-reader.ts';
import { TrcLine } from './trc/trc-line.ts';

type MakeReader = (sink: FrameSink, stats: LogStats, from: LogOffset) => FrameReader;

/** Reader of a log of CAN frames. Some formats also have a prescan (`survey`), which reads the file before the reader does. */
export type FrameFormatReader = { readonly survey?: LogPrescan; readonly reader: MakeReader };

/** Formats with a header are read from the beginning, because the other lines cannot be read without it. */
const BEGINNING: LogOffset = { byteOffset: 0, line: 0 };

/** Returns the reader of a format, and its prescan if it has one. @param startMs start of the log by its file name, milliseconds */
export function frameFormatReaderOf(
  format: Exclude<LogFormat, 'csv' | 'gpx'>,
  startMs: number | undefined,
): FrameFormatReader {
  switch (format) {
    case 'candump':
      return candumpFormat();
    case 'asc':
      return { reader: (sink, stats) => new LineReader(new AscLine(startMs), sink, stats, BEGINNING) };
    case 'trc':
      return { reader: (sink, stats) => new LineReader(new TrcLine(startMs), sink, stats, BEGINNING) };
    case 'blf':
      return { reader: (sink) => new BlfReader(sink, startMs) };
    case 'mf4': {
      const survey = new Mf4Prescan();
      return { survey, reader: (sink) => new Mf4Reader(sink, survey) };
    }
    case 'rxd': {
      const survey = new RxdClockPrescan(startMs);
      return { survey, reader: (sink) => new RxdReader(sink, survey.clock) };
    }
  }
}

function candumpFormat(): FrameFormatReader {
  const survey = new CandumpPrescan();
  return {
    survey,
    reader: (sink, stats, from) => {
      const { areDifferences, buses } = survey;
      const line = new CandumpLog({ areDifferences, busOf: (name) => buses.get(name) ?? -1 });
      // Times that are differences have to be added up from the first line on, so reading cannot resume at `from`.
      return new LineReader(line, sink, stats, areDifferences ? BEGINNING : from);
    },
  };
}
