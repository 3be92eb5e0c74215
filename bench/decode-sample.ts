import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CandumpLine } from '#server/telemetry/decode/can-log/candump.ts';

/** A DBC of one bus and a log of that bus, with a word on where they are from. */
export type DecodeSample = { readonly source: string; readonly dbc: string; readonly log: Buffer };

/** One frame of the log. */
export type Frame = {
  readonly id: number;
  readonly extended: boolean;
  readonly length: number;
  readonly data: Uint8Array;
};

/** The recorded drive beside the project (not part of it), else our own made-up machine. */
export function decodeSample(): DecodeSample {
  const kona = resolve('../shared/data/kona');
  if (!existsSync(kona)) return madeUp();
  return {
    source: 'recorded drive ../shared/data/kona, its pcan.dbc',
    dbc: readFileSync(`${kona}/pcan.dbc`, 'utf8'),
    log: readFileSync(`${kona}/230112-7-2019.candump.log`),
  };
}

/** @throws for a log with an unreadable line */
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

const MADE_UP_FRAMES = 25_000;
const MADE_UP_DBC = `VERSION ""
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

/** An excavator that never existed, its frames from a small generator that always gives the same. */
function madeUp(): DecodeSample {
  const ids = ['180', '190', '18FF2001', '1A4'];
  let state = 20_261_121;
  const lines = Array.from({ length: MADE_UP_FRAMES }, (_, n) => {
    let data = '';
    for (let byte = 0; byte < 8; byte++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // Numerical Recipes' constants
      // Pressure's sign and exponent stay those of an ordinary number; the cells' group is 0 or 1.
      const value = byte === 3 ? 0x42 : n % 4 === 2 && byte === 0 ? (state >>> 24) % 2 : state >>> 24;
      data += value.toString(16).padStart(2, '0').toUpperCase();
    }
    return `(1763700000.${String(n % 1_000_000).padStart(6, '0')}) can0 ${ids[n % 4]}#${data}\n`;
  });
  return { source: 'made-up excavator (simulated)', dbc: MADE_UP_DBC, log: Buffer.from(lines.join('')) };
}
