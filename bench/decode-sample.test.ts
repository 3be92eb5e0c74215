import { expect, test } from 'vitest';
import { decodeLog, decodeSample, sampleLogsByFormat } from './decode-sample.ts';

const { candump, definition, files } = sampleLogsByFormat(decodeSample(), 5_000);

test.each(files)(
  'a file of $what is decoded to the same readings as candump text of its frames (43.15)',
  async ({ format, bytes }) => {
    const expected = await decodeLog(candump, definition);
    expect(expected.length).toBe(5);
    expect(await decodeLog(bytes, definition, format)).toEqual(expected);
  },
);
