import { HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestFleet } from './test/fleet.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

test('Status.json sets the health of the writer (INGEST-01)', async () => {
  const logger = await fleet.newLogger();
  const guid = '3F1C2A7E-6B0D-4E0C-9D55-0F7A2B1C9E10';
  await fleet.put(
    logger,
    'Status.json',
    JSON.stringify({ serial_number: logger.loggerSerial, fw_ver: '4.2', config_GUID: guid }),
  );
  expect((await fleet.health(logger.writerId)).status).toMatchObject({
    firmware: '4.2',
    configGuid: guid.toLowerCase(),
  });
  await fleet.put(logger, 'Status.json', 'rubbish');
  expect(await fleet.quarantined(logger)).toEqual(['Status.json is onleesbaar.']);
  await fleet.put(logger, 'Status.json', '{"fw_ver":"a\\u0000b"}');
});

test('HEAD and LIST show a logger its own uploads (INGEST-01)', async () => {
  const logger = await fleet.newLogger();
  const other = await fleet.newLogger();
  await fleet.put(logger, 'a/one.json', '{"a":1}');
  await fleet.put(other, 'two.json', '{}');
  const client = fleet.clientOf(logger);
  const Key = `WS_SN${logger.loggerSerial}/a/one.json`;
  const head = await client.send(new HeadObjectCommand({ Bucket: 'telemetry', Key }));
  expect(head.ContentLength).toBe(7);
  expect(await fleet.content(logger, 'a/one.json')).toBe('{"a":1}');
  const list = await client.send(new ListObjectsV2Command({ Bucket: 'telemetry' }));
  expect(list.Contents?.map((object) => object.Key)).toEqual([Key]);
});

test.each([
  ['prefix', { Prefix: 'a\0' }],
  ['start-after', { StartAfter: '\0' }],
  ['continuation-token', { ContinuationToken: Buffer.from('a\0').toString('base64url') }],
])('a LIST with a NUL in its %s is refused with 4xx, not 500 (INGEST-03)', async (_, asked) => {
  const client = fleet.clientOf(await fleet.newLogger());
  await expect(
    client.send(new ListObjectsV2Command({ Bucket: 'telemetry', ...asked })),
  ).rejects.toMatchObject({
    name: 'InvalidArgument',
    $metadata: { httpStatusCode: 400 },
  });
});

test('a logger that reports for another machine does not see its earlier uploads (INGEST-06)', async () => {
  const logger = await fleet.newLogger();
  await fleet.put(logger, 'before.json', '{"a":1}');
  const next = await fleet.portal.machine(fleet.organization, { serial: `${logger.serialNumber}-next` });
  const again = await fleet.portal.logger(next, logger.loggerSerial);
  expect(await fleet.headStatus(again, 'before.json')).toBe(404);
  await fleet.put(again, 'after.json', '{}');
  const list = await fleet.clientOf(again).send(new ListObjectsV2Command({ Bucket: 'telemetry' }));
  expect(list.Contents?.map(({ Key }) => Key)).toEqual([`WS_SN${logger.loggerSerial}/after.json`]);
});
