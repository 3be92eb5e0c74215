import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CandumpLine } from '#server/telemetry/decode/can-log/candump.ts';
import { TEST_FRAMES_START_MS, type TestFrame } from '#server/telemetry/decode/can-log/test/given-frames.ts';
import { type Mf4Style, sampleMf4 } from '#server/telemetry/decode/can-log/test/sample-mf4.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import type { LogFormat } from '#server/telemetry/decode/log-file-name.ts';
import { decodeRecordedLog } from '#server/telemetry/decode/recorded-log.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { RxdFile } from '#shared/demo/rxd-file.ts';
import type { Reading } from '#shared/domain/signal.ts';

/** A DBC of one bus and a candump log of that bus. `source` names their origin in one line. */
export type DecodeSample = { readonly source: string; readonly dbc: string; readonly log: Buffer };

export type Frame = {
  readonly id: number;
  readonly extended: boolean;
  readonly length: number;
  readonly data: Uint8Array;
};

/** Returns the recorded drive in ../shared/data/kona, outside the repository, or the frames of a simulated machine where it is missing. */
export function decodeSample(): DecodeSample {
  const kona = resolve('../shared/data/kona');
  if (!existsSync(kona)) return simulatedSample();
  return {
    source: 'recorded drive ../shared/data/kona, its pcan.dbc',
    dbc: readFileSync(`${kona}/pcan.dbc`, 'utf8'),
    log: readFileSync(`${kona}/230112-7-2019.candump.log`),
  };
}

/** Returns all readings of a log in memory. */
export async function decodeLog(
  log: Buffer,
  definition: Definition,
  format: LogFormat = 'candump',
): Promise<Reading[]> {
  async function* chunks() {
    for (let at = 0; at < log.length; at += 65_536) yield log.subarray(at, at + 65_536);
  }
  const readings: Reading[] = [];
  for await (const batch of decodeRecordedLog({ chunks, format, definition, now: Date.now() }))
    readings.push(...batch.readings);
  return readings;
}

/** Returns the frames of one bus of a candump log. @throws for an unreadable line */
export function framesOf(log: Buffer, bus: number): Frame[] {
  const line = new CandumpLine();
  const frames: Frame[] = [];
  for (let start = 0; start < log.length; ) {
    const found = log.indexOf(10, start);
    const end = found === -1 ? log.length : found;
    const kind = line.read(log, start, end);
    if (kind === 'bad') throw new Error(`Line at byte ${start} is unreadable.`);
    const { id, extended, length, data } = line.frame;
    if (kind === 'frame' && line.frame.bus === bus)
      frames.push({ id, extended, length, data: data.slice(0, length) });
    start = end + 1;
  }
  return frames;
}

type LogFile = { readonly what: string; readonly format: LogFormat; readonly bytes: Buffer };

/** Returns `count` frames of the sample, one per millisecond, as candump text and in the formats of loggers. */
export function sampleLogsByFormat({ dbc, log }: DecodeSample, count: number) {
  const keep = parseDbc(dbc).messages.map(({ name }) => ({ bus: 0, message: name }));
  const definition: Definition = {
    buses: [{ bus: 0, bitrate: 500_000, name: 'bench.dbc', dbc }],
    mapping: { signals: [], keep },
  };
  const sample = framesOf(log, 0);
  const frames = Array.from({ length: count }, (_, n): TestFrame => {
    const { id, extended, data } = sample[n % sample.length] as Frame;
    const us = (TEST_FRAMES_START_MS + n) * 1000;
    return { kind: 'frame', us, bus: 0, id, extended, fd: false, data: Buffer.from(data) };
  });
  const mf4 = (what: string, style: Partial<Mf4Style>): LogFile => ({
    what: `MF4 ${what}`,
    format: 'mf4',
    bytes: sampleMf4(frames, { idBytes: 1, data: 'fixed', fixedBytes: 8, ...style }),
  });
  const files: LogFile[] = [
    { what: '.rxd', format: 'rxd', bytes: rxdOf(frames) },
    mf4("with each frame's data in its record", {}),
    mf4('with the data in separate records (VLSD)', { data: 'record behind' }),
    mf4('in compressed blocks', { idBytes: 0, packing: 'transposed', blockBytes: 2 ** 22 }),
  ];
  return { definition, candump: Buffer.from(frames.map(candumpLine).join('')), files };
}

const candumpLine = ({ us, id, extended, data }: TestFrame): string =>
  `(${(us / 1e6).toFixed(6)}) can0 ${hex(id, extended ? 8 : 3)}#${data.toString('hex').toUpperCase()}\n`;

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');

/** Returns an .rxd file that begins with a time from GNSS and contains the frames, with times in ticks of 10 microseconds. */
function rxdOf(frames: readonly TestFrame[]): Buffer {
  const file = new RxdFile({ name: 'BENCH', buses: [0], gnss: ['DATETIME'] });
  file.addGnss(0, 'DATETIME', TEST_FRAMES_START_MS / 1000);
  for (const { us, ...frame } of frames)
    file.addFrame({ ...frame, tick: us / 10 - TEST_FRAMES_START_MS * 100 });
  return Buffer.from(file.toBytes());
}

const J1939_MESSAGES = 40;
/** J1939 source addresses: the address that means any source in a DBC, and the address of the ECU that sends the frames. */
const [ANY_SOURCE, SOURCE] = [0xfe, 0x17];
const idOf = (message: number, source: number): number => 0x18_ff_00_00 + message * 256 + source;

/**
 * Returns a simulated log of `count` frames, 1,000 per second, and two definitions that give the same readings:
 * one decodes by J1939's rules (parameter groups, any source, values that mean 'not available'), one by whole
 * identifiers. Two of the four signals of each message are mapped.
 */
export function j1939Sample(count: number) {
  const next = generator();
  const lines = Array.from({ length: count }, (_, n) => {
    const data = Array.from({ length: 8 }, () => hex(next() % 0xfb, 2)).join('');
    const seconds = Date.UTC(2026, 0, 5) / 1000 + n / 1000;
    return `(${seconds.toFixed(6)}) can0 ${hex(idOf(n % J1939_MESSAGES, SOURCE), 8)}#${data}\n`;
  });
  return {
    log: Buffer.from(lines.join('')),
    byRules: j1939Definition(ANY_SOURCE, 'all'),
    byIdentifiers: j1939Definition(SOURCE, 'none'),
  };
}

function j1939Definition(source: number, j1939: 'all' | 'none'): Definition {
  const numbers = Array.from({ length: J1939_MESSAGES }, (_, message) => message);
  const dbc = numbers.map(
    (message) => `BO_ ${2 ** 31 + idOf(message, source)} M${message}: 8 X
 SG_ A${message} : 0|16@1+ (0.125,0) [0|0] "" X
 SG_ B${message} : 16|8@1+ (1,-40) [0|0] "" X
 SG_ C${message} : 24|8@1+ (0.4,0) [0|0] "" X
 SG_ D${message} : 32|32@1+ (0.0001,0) [0|0] "" X
`,
  );
  return {
    buses: [{ bus: 0, bitrate: 250_000, name: 'bench.dbc', dbc: dbc.join(''), j1939 }],
    mapping: {
      signals: numbers.flatMap((message) => [
        { signal: `A${message}`, to: `MappedA${message}` },
        { signal: `B${message}`, to: `MappedB${message}` },
      ]),
      keep: numbers.map((message) => ({ bus: 0, message: `M${message}` })),
    },
  };
}

/** Returns a generator that always gives the same bytes (linear congruential, Numerical Recipes' constants). */
function generator(): () => number {
  let state = 20_261_121;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
}

const SIMULATED_FRAMES = 25_000;
const SIMULATED_DBC = `VERSION ""
BO_ 384 Motor: 8 X
 SG_ MotorSpeed : 0|16@1- (0.5,0) [0|0] "rpm" X
 SG_ Torque : 16|12@1- (0.25,0) [0|0] "Nm" X
 SG_ MotorTemp : 28|10@1+ (0.2,-40) [0|0] "C" X
 SG_ Gear : 38|3@1+ (1,0) [0|0] "" X
 SG_ Counter : 56|8@1+ (1,0) [0|0] "" X
BO_ 400 Pack: 8 X
 SG_ PackVoltage : 7|16@0+ (0.1,0) [0|0] "V" X
 SG_ PackCurrent : 23|16@0- (0.1,0) [0|0] "A" X
 SG_ Soc : 39|8@0+ (0.5,0) [0|100] "%" X
 SG_ Health : 47|8@0+ (0.5,0) [0|100] "%" X
BO_ 2566856705 Cells: 8 X
 SG_ Group M : 0|4@1+ (1,0) [0|0] "" X
 SG_ Cell1 m0 : 8|14@1+ (0.001,0) [0|0] "V" X
 SG_ Cell2 m0 : 22|14@1+ (0.001,0) [0|0] "V" X
 SG_ Cell3 m1 : 8|14@1+ (0.001,0) [0|0] "V" X
 SG_ Cell4 m1 : 22|14@1+ (0.001,0) [0|0] "V" X
BO_ 420 Hydraulics: 8 X
 SG_ Pressure : 0|32@1- (1,0) [0|0] "bar" X
 SG_ Flow : 32|12@1+ (0.1,0) [0|0] "l/min" X
SIG_VALTYPE_ 420 Pressure : 1;
`;

/** Returns a simulated excavator's frames, always the same. */
function simulatedSample(): DecodeSample {
  const ids = ['180', '190', '18FF2001', '1A4'];
  const next = generator();
  const lines = Array.from({ length: SIMULATED_FRAMES }, (_, n) => {
    const data = Array.from({ length: 8 }, (_, byte) => {
      const value = next();
      // Byte 3 makes the float Pressure an ordinary number. Group, the multiplexor of the cells, is 0 or 1.
      return hex(byte === 3 ? 0x42 : n % 4 === 2 && byte === 0 ? value % 2 : value, 2);
    });
    return `(1763700000.${String(n % 1_000_000).padStart(6, '0')}) can0 ${ids[n % 4]}#${data.join('')}\n`;
  });
  return { source: 'simulated excavator', dbc: SIMULATED_DBC, log: Buffer.from(lines.join('')) };
}
