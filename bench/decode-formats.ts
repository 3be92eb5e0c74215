import { isDeepStrictEqual } from 'node:util';
import { GIVEN_START_MS, type GivenFrame } from '#server/telemetry/decode/can-log/test/given-frames.ts';
import { type Mf4Style, sampleMf4 } from '#server/telemetry/decode/can-log/test/sample-mf4.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import type { LogFormat } from '#server/telemetry/decode/log-file-name.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { RxdFile } from '#shared/demo/rxd-file.ts';
import { decoded } from './decode-j1939.ts';
import { decodeSample, framesOf } from './decode-sample.ts';
import { compare, inPairs } from './pairs.ts';
import { type Row, whole } from './row.ts';

const PAIRS = 9;
/** Logs of each measurement: one takes about 100 ms. */
const LOGS = 4;
const REACH = 1;
const FRAMES = 200_000;

type LogFile = { readonly what: string; readonly format: LogFormat; readonly bytes: Buffer };

/** Returns so many frames of the sample, one per millisecond, as candump text and in the loggers' own formats. */
export function sampleFiles(count: number) {
  const { source, dbc, log } = decodeSample();
  const keep = parseDbc(dbc).messages.map(({ name }) => ({ bus: 0, message: name }));
  const definition: Definition = {
    buses: [{ bus: 0, bitrate: 500_000, name: 'bench.dbc', dbc }],
    mapping: { signals: [], keep },
  };
  const frames = givenFrames(log, count);
  const mf4 = (what: string, style: Partial<Mf4Style>): LogFile => ({
    what: `MF4 ${what}`,
    format: 'mf4',
    bytes: sampleMf4(frames, { idBytes: 1, data: 'fixed', fixedBytes: 8, ...style }),
  });
  const files: LogFile[] = [
    { what: '.rxd', format: 'rxd', bytes: rxdOf(frames) },
    mf4('with the data in its records', {}),
    mf4('with the data in records of their own', { data: 'record behind' }),
    mf4('in packed blocks', { idBytes: 0, packing: 'transposed', blockBytes: 2 ** 22 }),
  ];
  return { source, definition, candump: Buffer.from(candumpOf(frames)), files };
}

/**
 * Compares the loggers' own formats with candump text of the same frames, from the file's bytes to readings, in processor time, every
 * message kept. MF4 has both layouts of CANedge loggers, and that of a converter. @throws when the readings differ
 */
export async function formatRows(): Promise<Row[]> {
  const { source, definition, candump, files } = sampleFiles(FRAMES);
  const expected = await decoded(candump, definition, 'candump');
  const rate = async (file: Buffer, format: LogFormat): Promise<number> => {
    const began = process.cpuUsage();
    for (let n = 0; n < LOGS; n++) await decoded(file, definition, format);
    const { user, system } = process.cpuUsage(began);
    return (LOGS * FRAMES * 1e6) / (user + system);
  };
  const rows: Row[] = [];
  for (const { what, format, bytes } of files) {
    if (!isDeepStrictEqual(await decoded(bytes, definition, format), expected))
      throw new Error(`${what} gives other readings than candump text does.`);
    const pairs = await inPairs(
      PAIRS,
      () => rate(bytes, format),
      () => rate(candump, 'candump'),
    );
    const result = compare(pairs, (perSecond) => perSecond);
    rows.push({
      what: `${what}, from its bytes to readings`,
      measured: `${whole(result.ours)} frames/s`,
      reference: `${whole(result.reference)} frames/s of candump text`,
      ratio: result.ratio,
      reach: `>= ${REACH} x`,
      reached: result.ratio >= REACH,
      notes: [
        `${source}: ${whole(FRAMES)} frames and ${whole(expected.length)} readings, which are the same; ${whole(bytes.length)} bytes, ${whole(candump.length)} as text`,
        `pairs, frames per second of processor time: ${result.rounds}`,
      ],
    });
  }
  return rows;
}

/** The sample's frames over and over, one per millisecond. */
function givenFrames(log: Buffer, count: number): GivenFrame[] {
  const sample = framesOf(log, 0);
  return Array.from({ length: count }, (_, n) => {
    const { id, extended, data } = sample[n % sample.length] as (typeof sample)[number];
    return {
      kind: 'frame',
      us: (GIVEN_START_MS + n) * 1000,
      bus: 0,
      id,
      extended,
      fd: false,
      data: Buffer.from(data),
    };
  });
}

const candumpOf = (frames: readonly GivenFrame[]): string =>
  frames
    .map(({ us, id, extended, data }) => {
      const digits = id
        .toString(16)
        .toUpperCase()
        .padStart(extended ? 8 : 3, '0');
      return `(${(us / 1e6).toFixed(6)}) can0 ${digits}#${data.toString('hex').toUpperCase()}\n`;
    })
    .join('');

/** With ticks of 10 microseconds, and the time of GNSS at the beginning. */
function rxdOf(frames: readonly GivenFrame[]): Buffer {
  const file = new RxdFile({ name: 'BENCH', buses: [0], gnss: ['DATETIME'] });
  file.addGnss(0, 'DATETIME', GIVEN_START_MS / 1000);
  for (const { us, ...frame } of frames) file.addFrame({ ...frame, tick: us / 10 - GIVEN_START_MS * 100 });
  return Buffer.from(file.toBytes());
}
