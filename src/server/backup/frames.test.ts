import { expect, test } from 'vitest';
import { BackupError } from './backup-error.ts';
import { CUT_OFF_MESSAGE, DAMAGED_MESSAGE, FrameWriter, readFrames } from './frames.ts';

function example(): Buffer {
  const writer = new FrameWriter();
  return Buffer.concat([
    writer.json('H', { format: 1 }),
    writer.frame('D', Buffer.from('rows')),
    writer.frame('D', Buffer.alloc(0)),
    writer.json('E', { rows: 3 }),
    writer.end(),
  ]);
}

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, size = 7): Promise<string[]> {
  const found: string[] = [];
  for await (const { kind, body } of readFrames(chunksOf(bytes, size))) found.push(`${kind} ${body}`);
  return found;
}

const failureOf = (bytes: Buffer): Promise<unknown> =>
  read(bytes).then(
    () => 'read',
    (error: unknown) => (error instanceof BackupError ? error.message : error),
  );

test.each([1, 4, 7, 1_000])(
  'the parts of a backup are read as they were written, in chunks of %i bytes (INGEST-02)',
  async (size) => {
    expect(await read(example(), size)).toEqual(['H {"format":1}', 'D rows', 'D ', 'E {"rows":3}']);
  },
);

test('a backup that is truncated anywhere is detected (INGEST-02)', async () => {
  const bytes = example();
  for (let length = 0; length < bytes.length; length++) {
    expect([length, await failureOf(bytes.subarray(0, length))]).toEqual([length, CUT_OFF_MESSAGE]);
  }
});

test('any flipped bit in a backup is detected (INGEST-02)', async () => {
  const bytes = example();
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    const failure = await failureOf(flipped);
    expect([
      bit,
      [DAMAGED_MESSAGE, CUT_OFF_MESSAGE].includes(failure as string) || /continues/.test(String(failure)),
    ]).toEqual([bit, true]);
  }
});

test('a backup with bytes after its end is refused (INGEST-02)', async () => {
  expect(await failureOf(Buffer.concat([example(), Buffer.from('x')]))).toMatch(/continues after its end/);
  expect(await failureOf(Buffer.concat([example(), Buffer.alloc(50)]))).toMatch(/continues after its end/);
});
