import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spoolSink } from '#server/s3/body-sink.ts';
import { RxdFile } from '#shared/demo/rxd-file.ts';
import { secretsBlankerOf } from './upload-backend.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cleaned-spool-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Returns the content of the files that this process has open in the directory. Spool files have no name. */
async function spooled(): Promise<Buffer[]> {
  const descriptors = (await readdir('/proc/self/fd')).map((fd) => `/proc/self/fd/${fd}`);
  const targets = await Promise.all(descriptors.map((path) => readlink(path).catch(() => '')));
  return Promise.all(
    descriptors.filter((_, n) => targets[n]?.startsWith(directory)).map((path) => readFile(path)),
  );
}

const SECRET = 'zeer-geheime-sleutel';
const S3 = { endPoint: 's3.nl', bucket: 'b', region: 'eu', accessKey: 'A', secretKey: SECRET };

test.each([
  ['a.rxd', Buffer.from(new RxdFile({ name: 'A', buses: [0], s3: S3 }).toBytes())],
  ['config-01.09.json', Buffer.from(JSON.stringify({ s3: { secretkey: SECRET } }))],
])('no byte of a secret in %s is written to the disk (43.12)', async (name, content) => {
  // A file that is written without a cleaner contains the secret.
  const plain = await spoolSink(directory, new Set(), undefined);
  plain.write(content);
  await plain.flush();
  expect((await spooled()).map((file) => file.includes(SECRET))).toEqual([true]);
  await plain.discard();

  const sink = await spoolSink(directory, new Set(), secretsBlankerOf(name));
  for (const byte of content) {
    sink.write(Buffer.from([byte]));
    await sink.flush();
    expect((await spooled()).map((file) => file.includes(SECRET))).toEqual([false]);
  }
  await sink.body();
  const [file] = await spooled();
  expect([file?.length, file?.includes(SECRET)]).toEqual([content.length, false]);
  await sink.discard();
});
