import { CanFrame, type FrameLineParser, type LogLineKind } from './can-frame.ts';

/** First row of the CSV of python-can (can/io/csv.py, CSVWriter). */
const HEADER = 'timestamp,arbitration_id,extended,remote,error,dlc,data';
const SECONDS = /^\d{1,12}(?:\.\d{1,9})?$/;
const IDENTIFIER = /^0x[0-9a-f]{1,8}$/i;
const BASE64 = /^[A-Za-z0-9+/]{0,88}={0,2}$/;

/** Returns whether a row is the header of python-can's CSV. @param row first row of a CSV */
export const isPythonCan = (row: string): boolean => row.replace(/\s/g, '').toLowerCase() === HEADER;

/**
 * Reads the rows of python-can's CSV: `1795161600.0,0x201,0,0,0,8,ZGQAAAAAAAA=`. The time is in seconds and the data are base64.
 * The format has no column for the bus, so every frame is on bus 0.
 */
export class PythonCanLine implements FrameLineParser {
  readonly frame = new CanFrame();
  readonly expected = 'python-can';

  read(text: Uint8Array, start: number, end: number): LogLineKind {
    const { frame } = this;
    const line = Buffer.from(text.buffer, text.byteOffset + start, end - start)
      .toString('latin1')
      .trim();
    if (line === '') return 'blank';
    const [time = '', id = '', extended, remote, error, dlc = '', data = '', more] = line.split(',');
    const isUsable = SECONDS.test(time) && IDENTIFIER.test(id) && /^\d{1,2}$/.test(dlc) && BASE64.test(data);
    if (!isUsable || more !== undefined || !isFlag(extended) || !isFlag(remote) || !isFlag(error))
      return 'bad';
    frame.timeMs = Number(time) * 1000;
    frame.id = Number(id);
    frame.extended = extended === '1';
    if (error === '1') return 'error';
    if (frame.hasLargeId) return 'bad';
    if (remote === '1') return 'remote';
    const bytes = Buffer.from(data, 'base64');
    // The line is truncated or damaged.
    if (bytes.length !== Number(dlc) || bytes.length > frame.data.length) return 'bad';
    frame.data.set(bytes);
    frame.length = bytes.length;
    return 'frame';
  }
}

const isFlag = (cell: string | undefined): boolean => cell === '0' || cell === '1';
