import { expect, test } from 'vitest';
import { sampleFiles } from './decode-formats.ts';
import { decoded } from './decode-j1939.ts';

const { candump, definition, files } = sampleFiles(5_000);

test.each(files)(
  '43.15 a file of $what gives the readings of the same frames as candump text',
  async ({ format, bytes }) => {
    const expected = await decoded(candump, definition);
    expect(expected.length).toBe(5);
    expect(await decoded(bytes, definition, format)).toEqual(expected);
  },
);
