import { expect, test } from 'vitest';
import { bucketsOf } from '#shared/domain/figures.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';
import { type LogLine, readingsOfLog } from '#shared/domain/test/oracle/accept.ts';
import { ORACLE_SEED_NUMBERS, Random } from '#shared/domain/test/oracle/random-machine.ts';
import { markUnused } from '#shared/domain/unused-values.ts';
import type { LogFormat } from './log-file-name.ts';
import { decodeLog, LOG_START_SECONDS, readAllBatches, rpmLine, socLine } from './test/small-log.ts';

/** The counters of LogStats, one for each reason to leave out a line, a frame or a value of a log. */
const REASONS = [
  'badLines',
  'refusedTimes',
  'skippedValues',
  'unknownIds',
  'errorFrames',
  'remoteFrames',
] as const;
type LeftOut = Record<(typeof REASONS)[number], number>;

/** A line and its expected result: a value, a reason to leave it out, both or neither. */
type Line = { readonly text: string; readonly is?: LogLine; readonly left?: keyof LeftOut };

const hex = (size: number, write: (bytes: Buffer) => void): string => {
  const bytes = Buffer.alloc(size);
  write(bytes);
  return bytes.toString('hex').toUpperCase();
};
const rpmHex = (rpm: number): string => hex(4, (bytes) => bytes.writeFloatLE(rpm));
const socHex = (percent: number): string => hex(1, (bytes) => bytes.writeUInt8(2 * percent));

/** Draws a log in which each of two messages has a frame per period; some logs last three hours. */
function cleanLog(random: Random): Line[] {
  const period = random.pick([0.5, 2, 7]);
  const lines: Line[] = [];
  let [percent, running] = [random.whole(60, 90), random.chance(0.5)];
  for (let n = 0; n < 1500; n += 1) {
    const time = LOG_START_SECONDS - 10_000 + n * period;
    if (n % 300 === 0) running = !running;
    if (n % 60 === 0) percent -= 0.5;
    const rpm = running ? random.whole(800, 1500) : 0;
    const at = Math.round((time + 0.1) * 1000);
    lines.push({
      text: socLine(time, socHex(percent)),
      is: { time: Math.round(time * 1000), signals: { Soc1: percent, BatteryCurrent: -1 } },
    });
    lines.push({ text: rpmLine(time + 0.1, rpmHex(rpm)), is: { time: at, signals: { MotorSpeed: rpm } } });
  }
  return lines;
}

const YEAR_1980 = 315_964_800;
const YEAR_2080 = 3_471_292_800;

function faulty(random: Random, line: Line): Line[] {
  const seconds = (line.is?.time ?? 0) / 1000;
  const frame = line.text.trim().slice(line.text.indexOf(')') + 2);
  const at = `(${seconds.toFixed(6)}) can0 `;
  return random.pick<Line[]>([
    [],
    [line, line],
    [{ text: 'garbled \u0001\u0002 (((\n', left: 'badLines' }],
    [{ text: `${line.text.slice(0, random.whole(3, 20))}\n`, left: 'badLines' }],
    [{ text: `${at}001#6\n`, left: 'badLines' }],
    [{ text: `${at}001#000102030405060708\n`, left: 'badLines' }],
    [{ text: line.text.replace('can0', '-'), left: 'badLines' }],
    [{ text: `(${random.whole(1, 900)}.500000) ${frame}\n`, left: 'refusedTimes' }],
    [{ text: `(${YEAR_1980 + random.whole(0, 900)}.500000) ${frame}\n`, left: 'refusedTimes' }],
    [{ text: `(${YEAR_2080}.000000) ${frame}\n`, left: 'refusedTimes' }],
    [{ text: rpmLine(seconds, rpmHex(Number.NaN)), left: 'skippedValues' }],
    [{ text: rpmLine(seconds, rpmHex(1e20)), left: 'skippedValues' }],
    [{ text: `${at}7A1#00\n`, left: 'unknownIds' }, line],
    [{ text: `${at}20000004#0000000000000000\n`, left: 'errorFrames' }, line],
    [{ text: `${at}001#R\n`, left: 'remoteFrames' }, line],
    [
      {
        text: socLine(seconds, '00'),
        is: { ...line.is, time: line.is?.time ?? 0, signals: { Soc1: 0, BatteryCurrent: -1 } },
      },
    ],
  ]);
}

/**
 * Returns a log as found on a memory card: its first frames are from before the clock was set, and 1 % of its lines
 * have a fault.
 */
function withFaults(random: Random, lines: readonly Line[]): Line[] {
  const unset = lines.slice(0, random.whole(0, 15)).map(
    ({ text }, n): Line => ({
      text: `(${(n / 10).toFixed(6)})${text.slice(text.indexOf(')') + 1)}`,
      left: 'refusedTimes',
    }),
  );
  return [...unset, ...lines.flatMap((line) => (random.chance(0.01) ? faulty(random, line) : [line]))];
}

const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('');

function figuresOf(readings: readonly Reading[]) {
  const buckets = [...bucketsOf(markUnused(readings).readings).values()];
  const sum = (name: 'runningMs' | 'heardMs' | 'knownMs' | 'chargedMj' | 'inMj') =>
    buckets.reduce((total, bucket) => total + bucket[name], 0);
  const levels = buckets.flatMap(({ packs }) => packs.flatMap((pack) => pack ?? []));
  return {
    readings: readings.length,
    running: sum('runningMs'),
    received: sum('heardMs'),
    known: sum('knownMs'),
    energy: sum('chargedMj') + sum('inMj'),
    lowest: Math.min(...levels.map(({ min }) => min)),
    highest: Math.max(...levels.map(({ max }) => max)),
  };
}

test.each(ORACLE_SEED_NUMBERS.length > 20 ? ORACLE_SEED_NUMBERS : ORACLE_SEED_NUMBERS.slice(0, 10))(
  'log %i with faults gives the readings of the oracle, nearly the figures of the log without faults, and the count of each fault (52.11)',
  async (seed) => {
    const random = new Random(seed + 4_000_000);
    const clean = cleanLog(random);
    const found = withFaults(random, clean);
    const { readings, last } = await readAllBatches(
      decodeLog(textOf(found), { chunkBytes: random.whole(1, 9000) }),
    );
    expect(readings).toEqual(readingsOfLog(found.flatMap(({ is }) => is ?? [])));
    for (const reason of REASONS)
      expect([reason, last.stats[reason]]).toEqual([
        reason,
        found.filter(({ left }) => left === reason).length,
      ]);

    const right = figuresOf((await readAllBatches(decodeLog(textOf(clean)))).readings);
    for (const [name, value] of Object.entries(figuresOf(readings))) {
      const expected = right[name as keyof typeof right];
      expect([name, Math.abs(value - expected) <= 0.01 * expected]).toEqual([name, true]);
    }
  },
);

const iso = (ms: number): string => new Date(LOG_START_SECONDS * 1000 + ms).toISOString();
const point = (time: string, lat: number): string =>
  `<trkpt lat="${lat}" lon="5"><time>${time}</time></trkpt>`;
const early = '1980-01-06T00:00:00.000Z';

test.each<[LogFormat, string, Signals]>([
  ['csv', `time;Soc1\n${iso(100)};50\n${early};51\n${iso(900)};52\n`, { Soc1: 52 }],
  [
    'gpx',
    `<gpx><trk><trkseg>${point(iso(100), 52)}${point(early, 10)}${point(iso(900), 53)}</trkseg></trk></gpx>`,
    { LATITUDE: 53, LONGITUDE: 5 },
  ],
])(
  'the last value of a second is used in a %s even when an impossible time precedes it (52.11)',
  async (format, text, signals) => {
    const { readings, last } = await readAllBatches(decodeLog(text, { format }));
    expect(readings).toEqual([{ time: LOG_START_SECONDS * 1000, signals }]);
    expect(last.stats.refusedTimes).toBe(1);
  },
);
