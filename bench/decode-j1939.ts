import { isDeepStrictEqual } from 'node:util';
import type { LogFormat } from '#server/telemetry/decode/log-file-name.ts';
import { decodeRecordedLog } from '#server/telemetry/decode/recorded-log.ts';
import type { Definition } from '#shared/contract/definition.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { compare, inPairs } from './pairs.ts';
import { type Row, whole } from './row.ts';

const PAIRS = 9;
/** Logs of each measurement: one takes about 100 ms. */
const LOGS = 8;
const REACH = 0.9;
const FRAMES = 200_000;
const MESSAGES = 40;
/** Identifiers of J1939 on a DBC whose source is left open, and of the ECU that sends. */
const ANY_SOURCE = 0xfe;
const SOURCE = 0x17;
const T0 = Date.UTC(2026, 0, 5) / 1000;

/**
 * Compares one log, decoded as J1939 (group, any source, values that are none) and by its whole identifiers: two signals of each
 * message are mapped, two are kept. @throws when the readings differ
 */
export async function j1939Row(): Promise<Row> {
  const log = Buffer.from(madeUpLog());
  const [asJ1939, exact] = [definition(ANY_SOURCE, 'all'), definition(SOURCE, 'none')];
  if (!isDeepStrictEqual(await decoded(log, asJ1939), await decoded(log, exact)))
    throw new Error('J1939 gives other readings than whole identifiers do.');
  const pairs = await inPairs(
    PAIRS,
    () => framesPerSecond(log, asJ1939),
    () => framesPerSecond(log, exact),
  );
  const result = compare(pairs, (perSecond) => perSecond);
  return {
    what: 'a log decoded as J1939, from text to readings',
    measured: `${whole(result.ours)} frames/s`,
    reference: `${whole(result.reference)} frames/s by whole identifiers`,
    ratio: result.ratio,
    reach: `>= ${REACH} x`,
    reached: result.ratio >= REACH,
    notes: [
      `made-up log: ${whole(FRAMES)} frames of ${MESSAGES} messages with 4 signals, half of them mapped without a source, the readings are the same`,
      `pairs, frames per second: ${result.rounds}`,
    ],
  };
}

const idOf = (message: number, source: number): number => 0x18_ff_00_00 + message * 256 + source;

function definition(source: number, j1939: 'all' | 'none'): Definition {
  const numbers = Array.from({ length: MESSAGES }, (_, message) => message);
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

/** Returns 1,000 frames per second of time, whose values are all measurements. */
function madeUpLog(): string {
  let state = 20_261_128;
  const lines = Array.from({ length: FRAMES }, (_, n) => {
    let data = '';
    for (let byte = 0; byte < 8; byte++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // Numerical Recipes' constants
      data += ((state >>> 24) % 0xfb).toString(16).padStart(2, '0');
    }
    const id = idOf(n % MESSAGES, SOURCE)
      .toString(16)
      .toUpperCase();
    return `(${(T0 + n / 1000).toFixed(6)}) can0 ${id}#${data.toUpperCase()}\n`;
  });
  return lines.join('');
}

async function framesPerSecond(log: Buffer, definition: Definition): Promise<number> {
  const began = performance.now();
  for (let n = 0; n < LOGS; n++) await decoded(log, definition);
  return (LOGS * FRAMES * 1000) / (performance.now() - began);
}

/** Returns the readings of a log that is in memory. */
export async function decoded(
  log: Buffer,
  definition: Definition,
  format: LogFormat = 'candump',
): Promise<Reading[]> {
  async function* chunks() {
    for (let at = 0; at < log.length; at += 65_536) yield log.subarray(at, at + 65_536);
  }
  const readings: Reading[] = [];
  for await (const batch of decodeRecordedLog({
    chunks,
    format,
    definition,
    now: Date.now(),
  }))
    readings.push(...batch.readings);
  return readings;
}
