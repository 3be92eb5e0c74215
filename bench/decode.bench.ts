/**
 * Decoding in one thread (docs/performance.md) of frames that are in memory. Measures:
 *
 * 1. Every signal of every frame that a DBC knows.
 * 2. Decoding a log by J1939's rules, compared with decoding the same log by whole CAN identifiers.
 * 3. `.rxd` and MF4, compared with candump text of the same frames: processor time from the file's bytes to readings. MF4 has the two
 *    layouts of CANedge loggers, and that of a converter.
 */
import { isDeepStrictEqual } from 'node:util';
import { messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import { compileMessage } from '#server/telemetry/decode/dbc/frame-decoder.ts';
import type { LogFormat } from '#server/telemetry/decode/log-file-name.ts';
import type { Definition } from '#shared/contract/definition.ts';
import {
  type DecodeSample,
  decodeLog,
  decodeSample,
  framesOf,
  j1939Sample,
  sampleLogsByFormat,
} from './decode-sample.ts';
import { type Bench, type BenchRow, rateRow, wholeNumber } from './report.ts';
import { comparePairs, median, runInPairs } from './statistics.ts';

const PAIRS = Number(process.env.DECODE_PAIRS ?? 9);
/** Times that the log is decoded per measurement. One decoding takes about 100 ms. */
const LOGS = 4;
const FRAMES = 200_000;
const SECONDS = 2;
const MIN_PER_SECOND = 200_000;

export const decodeBench: Bench = async () => {
  const sample = decodeSample();
  const { log, byRules, byIdentifiers } = j1939Sample(FRAMES);
  const { definition, candump, files } = sampleLogsByFormat(sample, FRAMES);
  const rows = [
    framesRow(sample),
    rateRow(
      'candump text, decoded to readings by the rules of J1939',
      await comparePaths({ bytes: log, definition: byRules }, { bytes: log, definition: byIdentifiers }),
      { unit: ' frames/s', beside: 'by whole identifiers', leastRatio: 0.9 },
    ),
  ];
  for (const { what, format, bytes } of files)
    rows.push(
      rateRow(
        `${what}, decoded to readings`,
        await comparePaths({ bytes, definition, format }, { bytes: candump, definition }),
        { unit: ' frames/s', beside: 'of candump text', leastRatio: 1, details: [sample.source] },
      ),
    );
  return rows;
};

/** Measures how many frames of the sample are decoded per second, as the product decodes: the signals of each message into one array. */
function framesRow({ dbc, log, source }: DecodeSample): BenchRow {
  const decoders = new Map(
    parseDbc(dbc).messages.map((message) => {
      const { names, decode } = compileMessage(message);
      return [messageKey(message), { decode, out: new Float64Array(names.length) }];
    }),
  );
  const frames = framesOf(log, 0).filter((frame) => decoders.has(messageKey(frame)));
  const rates = Array.from({ length: 5 }, () => {
    const began = performance.now();
    let [decoded, elapsed] = [0, 0];
    // Reading the clock once per thousand frames costs nothing.
    for (let at = 0; elapsed < SECONDS * 1000; at = (at + 1_000) % frames.length) {
      for (const frame of frames.slice(at, at + 1_000)) {
        const known = decoders.get(messageKey(frame));
        known?.decode(frame.data, frame.length, known.out);
        decoded += 1;
      }
      elapsed = performance.now() - began;
    }
    return (decoded * 1000) / elapsed;
  });
  return {
    what: 'CAN frames, all signals decoded by a DBC, one core',
    measured: `${wholeNumber(median(rates))} frames/s`,
    toReach: `>= ${wholeNumber(MIN_PER_SECOND)} frames/s`,
    reached: median(rates) >= MIN_PER_SECOND,
    details: [
      `${source}: ${wholeNumber(frames.length)} frames`,
      `each, frames/s: ${rates.map(wholeNumber).join('  ')}`,
    ],
  };
}

type Path = { readonly bytes: Buffer; readonly definition: Definition; readonly format?: LogFormat };

/**
 * Compares the processor time of two ways to decode the same frames.
 * @returns the comparison, in frames per second of processor time
 * @throws when the readings differ
 */
async function comparePaths(ours: Path, reference: Path) {
  const decodeOnce = ({ bytes, definition, format }: Path) => decodeLog(bytes, definition, format);
  if (!isDeepStrictEqual(await decodeOnce(ours), await decodeOnce(reference)))
    throw new Error('The readings differ.');
  const rate = (path: Path) => async (): Promise<number> => {
    const began = process.cpuUsage();
    for (let n = 0; n < LOGS; n++) await decodeOnce(path);
    const { user, system } = process.cpuUsage(began);
    return (LOGS * FRAMES * 1e6) / (user + system);
  };
  return comparePairs(await runInPairs(PAIRS, rate(ours), rate(reference)));
}
