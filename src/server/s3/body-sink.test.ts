import { expect, test } from 'vitest';
import { referencedBufferBytes } from '#server/test/held-bytes.ts';
import { MemorySink } from './body-sink.ts';

/** A busy computer may take seconds for 50 ms of work. */
const PATIENT = { timeout: 10_000 };
const MIB = 1024 * 1024;

test('MemorySink holds only the bytes of a document, not the buffers in which they arrived (12.B3, INGEST-03)', async () => {
  const sink = new MemorySink(MIB);
  const before = referencedBufferBytes();
  for (let piece = 0; piece < 500; piece++) sink.write(Buffer.alloc(64 * 1024, 'x').subarray(0, 1));
  await expect.poll(() => referencedBufferBytes() - before, PATIENT).toBeLessThan(MIB);
  expect((await sink.body()).toString()).toBe('x'.repeat(500));
});

test('a document never takes more memory than was allotted (12.B3, INGEST-03)', async () => {
  const sink = new MemorySink(1500);
  for (let piece = 0; piece < 1500; piece += 300) sink.write(Buffer.alloc(300, 'x'));
  const body = await sink.body();
  expect([body.length, body.buffer.byteLength]).toEqual([1500, 1500]);
});
