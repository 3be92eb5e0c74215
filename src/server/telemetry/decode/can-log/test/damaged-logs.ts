import { AscLine } from '#server/telemetry/decode/can-log/asc/asc-line.ts';
import { BlfReader } from '#server/telemetry/decode/can-log/blf/blf-reader.ts';
import { CandumpLog } from '#server/telemetry/decode/can-log/candump-log.ts';
import { TrcLine } from '#server/telemetry/decode/can-log/trc/trc-line.ts';
import { hasSharedData, sharedData } from '#server/telemetry/decode/test/shared-data.ts';
import { exportedLog } from './exported-log.ts';
import { randomTestFrames } from './given-frames.ts';
import { generateDamagedCopies, readerOutcomeOf } from './mutations.ts';
import { readFrames } from './read-frames.ts';
import { readLines } from './read-lines.ts';
import { readMf4 } from './read-mf4.ts';
import { sampleMf4 } from './sample-mf4.ts';
import { blfContainer, blfHeader, blfMessage, blfObject } from './written-blf.ts';

const FRAMES = randomTestFrames(8, 40, { fd: true });

const TERMINAL = Buffer.from(
  `(1436509052.249713)  can0  201   [8]  A0 96 00 00 00 58 1B 00
 (2015-07-10 08:17:32.249713)  can0  18FEF100  [12]  00 11 22 33 44 55 66 77 88 99 AA BB
(1436509052.249713)  can0  201   [8]  remote request
(1436509052.249713)  can0  20000088   [8]  00 00 0A 00 00 00 00 00   ERRORFRAME
`,
);
const ASC = Buffer.from(
  `date Mit M\u00e4r 4 15:06:13.191 2026
base dec  timestamps relative
Begin Triggerblock Mit M\u00e4r 4 15:06:13.191 2026
   1.000000 1  Statistic: D 0 R 0 XD 0 XR 0 E 0 O 0 B 0.00%
   0.500000 2  291   Rx   d 3 10 255 0  Length = 240015 BitCount = 124 ID = 291
   0.000100 CANFD   3 Rx        300  Generic_Name_12   1 0 9  12 1 2 3 4 5 6 7 8 9 10 11 12   102203  133
   0.000100 1 ErrorFrame
`,
  'latin1',
);
const TRC = Buffer.from(
  `;$FILEVERSION=2.1\n;$STARTTIME=44548.6028595139\n;$COLUMNS=N,O,T,B,I,d,R,L,D
      1        18.000 DT 1  00000100 Tx -  8    01 02 03 04 05 06 07 08
      2        19.300 ST 1         - Rx -  4    00 00 00 08
      3        20.000 RR 1      0704 Rx -  1
      4        22.000 FB 2      07FF Rx -  9    00 11 22 33 44 55 66 77 88 99 AA BB
`,
);
const objects = Buffer.concat(
  FRAMES.map(({ bus, id, data }, index) =>
    blfObject(1, blfMessage(bus + 1, id, [...data.subarray(0, 8)]), { time: index * 1_000_000 }),
  ),
);
const BLF = Buffer.concat([
  blfHeader(),
  blfContainer(objects.subarray(0, 777)),
  blfContainer(objects.subarray(777), 0),
]);

const readBlf = (file: Uint8Array, pieceBytes: number): unknown =>
  readFrames((sink) => new BlfReader(sink), file, pieceBytes);

type Damaged = {
  readonly name: string;
  readonly files: readonly Buffer[];
  readonly read: (file: Uint8Array, pieceBytes: number) => unknown;
};

/** The formats of logs, each with good files to damage and a reader. */
export const LOG_FORMATS_TO_DAMAGE: readonly Damaged[] = [
  { name: 'candump', files: [TERMINAL], read: (file) => readLines(new CandumpLog(), file) },
  {
    name: 'ASC',
    files: [ASC, ...golden(() => exportedLog('asc').subarray(0, 3000))],
    read: (file) => readLines(new AscLine(), file),
  },
  {
    name: 'TRC',
    files: [TRC, ...golden(() => exportedLog('trc').subarray(0, 3000))],
    read: (file) => readLines(new TrcLine(), file),
  },
  { name: 'BLF', files: [BLF, ...golden(() => exportedLog('blf'))], read: readBlf },
  {
    name: 'MF4',
    files: [
      sampleMf4(FRAMES, { idBytes: 1, data: 'record behind' }),
      sampleMf4(FRAMES, { idBytes: 0, data: 'sd', packing: 'transposed', blockBytes: 300 }),
      ...golden(() => exportedLog('mf4')),
      ...golden(() => beginningOf('canedge/2F6913DB-00000004-00000001.MF4')),
      ...golden(() => beginningOf('canedge/2F6913DB-00001089-00000001-63BEF5CD.MF4')),
    ],
    read: readMf4,
  },
];

function golden(read: () => Buffer): Buffer[] {
  return hasSharedData ? [read()] : [];
}

/** Returns the beginning of an MF4: the description and a few hundred records. */
function beginningOf(name: string): Buffer {
  const file = sharedData(name);
  return file.subarray(0, file.lastIndexOf('##DT') + 6000);
}

/**
 * Damages files of a format and reads them as a whole and in small pieces.
 * @returns the numbers of the damaged files that give another result in small pieces than as a whole
 * @throws any error of a reader except a LogError
 */
export function readDamagedLogs({ files, read }: Damaged, count: number, seed: number): number[] {
  const different: number[] = [];
  for (const [index, file] of files.entries()) {
    let number = 0;
    for (const damaged of generateDamagedCopies(file, Math.ceil(count / files.length), seed + index)) {
      number += 1;
      const [whole, pieces] = [4096, 61].map((bytes) =>
        JSON.stringify(readerOutcomeOf(() => read(damaged, bytes))),
      );
      if (whole !== pieces) different.push(number);
    }
  }
  return different;
}
