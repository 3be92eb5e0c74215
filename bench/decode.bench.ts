/**
 * DBC decode (docs/design.md section 11): every signal of every frame that the DBC knows, in one thread, frames already
 * in memory. Reference: the naive BigInt oracle of the decoder's tests on the same frames; both must give the same. Then a log
 * of J1939, beside the same log decoded by whole identifiers, and `.rxd` and MF4 beside the same frames as text.
 */
import { type DbcMessage, messageKey } from '#server/telemetry/decode/dbc/dbc.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import { compileMessage } from '#server/telemetry/decode/dbc/frame-decoder.ts';
import { decodeRecordedLog } from '#server/telemetry/decode/recorded-log.ts';
import { formatRows } from './decode-formats.ts';
import { j1939Row } from './decode-j1939.ts';
import { type DecodeSample, decodeSample, type Frame, framesOf } from './decode-sample.ts';
import { median } from './median.ts';
import { naiveDecoder } from './naive-decoder.ts';
import { compare, inPairs } from './pairs.ts';
import { type Bench, whole } from './row.ts';

const PAIRS = 5;
const SECONDS = 2;
const REACH_PER_SECOND = 200_000;

type Decode = (frame: Frame) => Float64Array | undefined;

export const decode: Bench = async (place) => {
  const sample = decodeSample();
  const { messages } = parseDbc(sample.dbc);
  const ours = decoderOf(messages, (message) => {
    const { names, decode } = compileMessage(message);
    return { places: names.length, decode: (frame, out) => void decode(frame.data, frame.length, out) };
  });
  const naive = decoderOf(messages, (message) => {
    const decode = naiveDecoder(message);
    return { places: message.signals.length, decode: (frame, out) => decode(frame.data, out) };
  });
  const frames = framesOf(sample.log, 0).filter((frame) => ours(frame) !== undefined);
  const values = checkSame(frames, ours, naive);
  place.say(`${whole(frames.length)} frames, ${whole(values)} values are the same`);

  const pairs = await inPairs(
    PAIRS,
    async () => framesPerSecond(frames, ours),
    async () => framesPerSecond(frames, naive),
  );
  const { ours: rate, reference, ratio, rounds } = compare(pairs, (perSecond) => perSecond);
  const wholeWay = await wholeLog(sample, messages);
  return [
    {
      what: 'DBC decode, one core, all signals',
      measured: `${whole(rate)} frames/s`,
      reference: `${whole(reference)} frames/s naive`,
      ratio,
      reach: `>= ${whole(REACH_PER_SECOND)} frames/s`,
      reached: rate >= REACH_PER_SECOND,
      notes: [
        `${sample.source}: ${whole(frames.length)} frames, ${(values / frames.length).toFixed(1)} values per frame, every value equal to the reference's`,
        `pairs, frames per second: ${rounds}`,
        `from the log's text to readings per second of time (decodeRecordedLog, every message kept): ${wholeWay.map(whole).join('  ')} frames/s, median ${whole(median(wholeWay))}`,
      ],
    },
    await j1939Row(),
    ...(await formatRows()),
  ];
};

type MessageDecoder = {
  readonly places: number;
  readonly decode: (frame: Frame, out: Float64Array) => void;
};

/** Finds a frame's message as the product does, and decodes into the message's own array. */
function decoderOf(
  messages: readonly DbcMessage[],
  compile: (message: DbcMessage) => MessageDecoder,
): Decode {
  const known = new Map(
    messages.map((message) => {
      const { places, decode } = compile(message);
      return [messageKey(message), { decode, out: new Float64Array(places) }];
    }),
  );
  return (frame) => {
    const message = known.get(messageKey(frame));
    message?.decode(frame, message.out);
    return message?.out;
  };
}

/** @returns how many values there were @throws when one differs */
function checkSame(frames: readonly Frame[], ours: Decode, naive: Decode): number {
  let values = 0;
  for (const [n, frame] of frames.entries()) {
    const mine = ours(frame) ?? [];
    const other = naive(frame) ?? [];
    for (const [place, value] of mine.entries()) {
      if (!Number.isNaN(value)) values += 1;
      // 0 and -0 are one value.
      if (value !== other[place] && !(Number.isNaN(value) && Number.isNaN(other[place])))
        throw new Error(
          `Frame ${n}, ${frame.id.toString(16)}, signal ${place}: ${value}, naively ${other[place]}.`,
        );
    }
  }
  return values;
}

function framesPerSecond(frames: readonly Frame[], decode: Decode): number {
  const began = performance.now();
  let decoded = 0;
  let elapsed = 0;
  // The clock is asked once per thousand frames.
  for (let at = 0; elapsed < SECONDS * 1000; at = (at + 1_000) % frames.length) {
    for (const frame of frames.slice(at, at + 1_000)) {
      decode(frame);
      decoded += 1;
    }
    elapsed = performance.now() - began;
  }
  return (decoded * 1000) / elapsed;
}

/** The whole way of a log, several times over. @returns frames per second of each */
async function wholeLog({ dbc, log }: DecodeSample, messages: readonly DbcMessage[]): Promise<number[]> {
  const keep = messages.map(({ name }) => ({ bus: 0, message: name }));
  const definition = {
    buses: [{ bus: 0, bitrate: 500_000, name: 'bench.dbc', dbc }],
    mapping: { signals: [], keep },
  };
  async function* chunks() {
    for (let at = 0; at < log.length; at += 65_536) yield log.subarray(at, at + 65_536);
  }
  const rates: number[] = [];
  for (let round = 0; round < PAIRS; round++) {
    const began = performance.now();
    const startMs = Date.UTC(2023, 0, 12);
    let frames = 0;
    for await (const { stats } of decodeRecordedLog({
      chunks,
      format: 'candump',
      definition,
      startMs,
      now: Date.now(),
    })) {
      frames = stats.frames;
    }
    rates.push((frames * 1000) / (performance.now() - began));
  }
  return rates;
}
