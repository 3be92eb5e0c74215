import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { type NoiseGenerator, repeatInParallel } from './noise.ts';

/** A little less than 4 MiB, the size of the largest DBC that the portal accepts. */
const BYTES = 4 * 1024 ** 2 - 2_000;

const filled = (head: string, part: (n: number) => string): string => {
  const parts = [head];
  for (let n = 0, bytes = head.length; bytes < BYTES; n++) {
    const next = part(n);
    bytes += next.length;
    parts.push(next);
  }
  return parts.join('').slice(0, -1);
};
const signal = (name: string, at: number) => ` SG_ ${name} : ${at}|8@1+ (0.5,0) [0|100] "V" X\n`;

/** A DBC with many messages, like that of a large machine, and one with all signals in one message, which takes longest to parse. */
const FILES = {
  'many messages': () =>
    filled('', (n) =>
      [
        `BO_ ${0x8000_0000 + n} Bericht_${n}: 8 X\n`,
        ...[0, 8, 16, 24].map((at) => signal(`V_${n}_${at}`, at)),
      ].join(''),
    ),
  'one message': () => filled('BO_ 1 Bericht: 8 X\n', (n) => signal(`S${n}`, 0)),
};

/** Uploads a DBC for four machines again and again as an administrator; two machines get each of the two files. */
export const uploadLargeDbcs: NoiseGenerator = ({ port, cookie, serials }, note) => {
  const bodies = Object.entries(FILES).map(([name, text]) => {
    const file = `data:text/plain;base64,${Buffer.from(text()).toString('base64')}`;
    return { name, body: (serial: string) => JSON.stringify({ serial, name: `${name}.dbc`, file }) };
  });
  repeatInParallel(4, async (lane) => {
    const { name, body } = bodies[lane % 2] as (typeof bodies)[number];
    const answer = await fetch(`http://127.0.0.1:${port}/api/machine/dbc/upload`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', ...SCRIPT_HEADERS },
      body: body(serials[lane] ?? ''),
    });
    await answer.arrayBuffer();
    note(`${name} ${answer.status}`);
  });
};
