import { HeadObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import type { FleetLogger } from '#server/telemetry/test/fleet.ts';
import { CANDUMP_DEFINITION, CANDUMP_LOG } from '#server/telemetry/test/logs.ts';
import type { TestLogger } from '#server/test/portal.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.organization('koper');
});
afterAll(() => a.close());

/** Lets `klant` sell a machine to `koper`, after `beforeSale` has run, and returns the machine's logger. */
async function sell(beforeSale = async (_: FleetLogger) => {}): Promise<FleetLogger> {
  const logger = await a.fleet.newLogger(CANDUMP_DEFINITION);
  const { serialNumber } = logger;
  await a.portal.pool.query(
    `update writer_key set created_at = now() - interval '1 day' where access_key = $1`,
    [logger.accessKey],
  );
  await beforeSale(logger);
  // Sets the portal's clock to the present time, because it stands still in tests while the database's clock runs.
  a.fleet.clock = Date.now();
  const sold = await a.sell(serialNumber, 'koper');
  expect(sold.message).toContain(
    ' van koper BV. De vorige eigenaar kan de sleutel van de logger kennen: maak binnen 30 dagen een nieuwe configuratie en laad die in de logger.',
  );
  await a.portal.untilNotified();
  return logger;
}
/** Ends the grace period of the key, as if the sale were long ago, so that the key may no longer be used. */
async function endGracePeriod({ accessKey }: TestLogger): Promise<void> {
  a.fleet.clock = Date.now();
  await a.portal.pool.query(
    `update writer_key set replace_by = now() - interval '1 s' where access_key = $1`,
    [accessKey],
  );
  await a.portal.untilNotified();
}
const listed = async (logger: TestLogger) =>
  (await a.fleet.clientOf(logger).send(new ListObjectsV2Command({ Bucket: 'telemetry' }))).Contents?.map(
    ({ Key }) => Key?.split('/').at(-1),
  );
const taskOf = async ({ serialNumber }: FleetLogger) =>
  (await a.call('GET /api/machine/writer/keys-to-replace')).json.find(
    ({ serial }: { serial: string }) => serial === serialNumber,
  );
const healthOf = async ({ serialNumber }: FleetLogger) =>
  (await a.call(`GET /api/machine/writer/health/${serialNumber}`)).json;
async function redecoded({ serialNumber: serial }: FleetLogger): Promise<void> {
  await a.call('POST /api/machine/dbc/redecode', { body: { serial, preview: false } });
  const state = async () => (await a.call(`GET /api/machine/dbc/${serial}/redecode`)).json.redecoding.state;
  await expect.poll(state, { timeout: 20_000 }).toBe('done');
}
const now = () => Math.floor(a.fleet.clock / 1000);

describe('a logger that is sold with its machine (INGEST-06, 41.2)', () => {
  test('HEAD and LIST show a sold logger nothing that was uploaded in the former owner’s time', async () => {
    const logger = await sell((own) => a.fleet.put(own, 'before.json', '{}').then(() => undefined));
    expect(await a.fleet.headStatus(logger, 'before.json')).toBe(404);
    await a.fleet.put(logger, 'after.json', '{}');
    expect(await a.fleet.headStatus(logger, 'after.json')).toBe(200);
    await a.call('POST /api/machine/writer/key', { body: { serial: logger.serialNumber } });
    const renewed = await a.loggerOf(logger.serialNumber);
    expect(await listed(renewed)).toEqual(['after.json']);
  });

  test('LIST shows no uploads to an access key from before the sale, which the former owner may know', async () => {
    const logger = await sell();
    await a.fleet.put(logger, 'after.json', '{}');
    expect(await listed(logger)).toBeUndefined();
  });

  test('HEAD with an access key from before the sale shows no time of an upload, and finds no upload once the 30 days for replacing the key are over (41.5)', async () => {
    const logger = await sell();
    const ask = async (by: TestLogger) => {
      const Key = `WS_SN${logger.loggerSerial}/Status.json`;
      return a.fleet.clientOf(by).send(new HeadObjectCommand({ Bucket: 'telemetry', Key }));
    };
    const upload = async (body: string, at: string) => {
      const Key = `WS_SN${logger.loggerSerial}/Status.json`;
      const Metadata = { mtime: at };
      const command = new PutObjectCommand({ Bucket: 'telemetry', Key, Body: body, Metadata });
      await a.fleet.clientOf(logger).send(command);
    };
    await upload('{}', '1');
    const first = await ask(logger);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await upload('{}', '2');
    const second = await ask(logger);
    for (const { ETag, ContentLength, LastModified, Metadata } of [first, second])
      expect({ ETag, ContentLength, LastModified, Metadata }).toEqual({
        ETag: '"99914b932bd37a50b983c5e7c90ae93b"',
        ContentLength: 2,
        LastModified: first.LastModified,
        Metadata: {},
      });
    const sold = (await taskOf(logger)).replaceBy;
    expect(first.LastModified?.getTime()).toBe(
      Math.floor((Date.parse(sold) - 30 * 86_400_000) / 1000) * 1000,
    );
    await endGracePeriod(logger);
    expect(await a.fleet.headStatus(logger, 'Status.json')).toBe(404);
    expect(await a.fleet.putStatus(logger, 'Status.json', '{}')).toBe(200);
    await a.call('POST /api/machine/writer/key', { body: { serial: logger.serialNumber } });
    await a.portal.untilNotified();
    const renewed = await a.loggerOf(logger.serialNumber);
    expect((await ask(renewed)).LastModified?.getTime()).toBeGreaterThan(a.fleet.clock - 60_000);
  });

  test('a task asks for a new key for a sold logger, and ends with the first upload that the new key signs', async () => {
    const logger = await sell();
    const day = 86_400_000;
    const { replaceBy, ...task } = await taskOf(logger);
    expect(task).toMatchObject({ serial: logger.serialNumber, loggerId: logger.loggerSerial });
    expect((Date.parse(replaceBy) - a.fleet.clock) / day).toBeCloseTo(30, 1);
    expect(await healthOf(logger)).toMatchObject({ replaceKeyBy: replaceBy });

    await a.call('POST /api/machine/writer/network', {
      body: { serial: logger.serialNumber, kind: 'mobile', apn: 'x' },
    });
    a.fleet.clock = Date.now();
    const made = await a.call('GET /api/machine/config/create', {
      query: { serienummer: logger.serialNumber },
    });
    expect(made.status).toBe(200);
    const renewed = await a.loggerOf(logger.serialNumber);
    expect(renewed.accessKey).not.toBe(logger.accessKey);
    const file = await a.call('GET /api/machine/config/download', {
      query: { serienummer: logger.serialNumber },
    });
    expect(file.text).toContain(renewed.accessKey);
    expect(await taskOf(logger)).toBeDefined();

    await a.portal.untilNotified();
    await a.fleet.put(renewed, 'Status.json', '{}');
    await a.portal.untilNotified();
    expect(await taskOf(logger)).toBeUndefined();
    expect(await healthOf(logger)).toMatchObject({ replaceKeyBy: null, config: { outdated: false } });
    expect(await a.fleet.putStatus(logger, 'Status.json', '{}')).toBe(403);
  });

  test('a configuration that was made before the sale is outdated', async () => {
    const logger = await sell(async ({ serialNumber: serial }) => {
      await a.call('POST /api/machine/writer/network', { body: { serial, kind: 'mobile', apn: 'x' } });
      expect(
        (await a.call('GET /api/machine/config/create', { query: { serienummer: serial } })).status,
      ).toBe(200);
    });
    expect(await healthOf(logger)).toMatchObject({ config: { outdated: true } });
  });

  test('the old key of a sold logger stores readings for 30 days, and later readings wait in quarantine until an administrator accepts them', async () => {
    const logger = await sell();
    await a.fleet.snapshot(logger, { GMT_UNIX: now() - 20, Soc1: 10 });
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(1);
    await endGracePeriod(logger);
    await a.fleet.snapshot(logger, { GMT_UNIX: now() - 10, Soc1: 20 });
    await a.fleet.put(logger, 'Status.json', '{"fw_ver":"9.9"}');
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(1);
    const reason = 'met een sleutel die een vorige eigenaar kan kennen';
    expect(await a.fleet.quarantined(logger)).toEqual([reason, reason]);
    const { quarantine, status } = await healthOf(logger);
    expect(status).toBeNull();
    const held = quarantine.find((one: { held: unknown }) => one.held !== null);
    const accepted = await a.call('POST /api/machine/writer/take-over', {
      body: { serial: logger.serialNumber, id: held.id },
    });
    expect(accepted.message).toBe('1 meting overgenomen.');
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(2);
  });

  test('a log file that is uploaded with the old key more than 30 days after the sale waits in quarantine, and decoding log files again leaves it out', async () => {
    const logger = await sell();
    await endGracePeriod(logger);
    await a.fleet.put(logger, 'WS_20260601_100000.log', CANDUMP_LOG);
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(0);
    await redecoded(logger);
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(0);
    const [held] = (await healthOf(logger)).quarantine;
    await a.call('POST /api/machine/writer/take-over', {
      body: { serial: logger.serialNumber, id: held.id },
    });
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(2);
    await redecoded(logger);
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(2);
  });

  test('a reading dated before the sale is stored if it is uploaded with the key from before the sale, and waits in quarantine if it is uploaded with a later key (41.5)', async () => {
    const logger = await sell(async ({ serialNumber: serial }) => {
      await a.call('POST /api/machine/writer/network', { body: { serial, kind: 'mobile', apn: 'x' } });
    });
    const before = now() - 86_400;
    await a.fleet.snapshot(logger, { GMT_UNIX: before, Soc1: 10 });
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(1);
    await a.call('POST /api/machine/writer/key', { body: { serial: logger.serialNumber } });
    await a.portal.untilNotified();
    const renewed = await a.loggerOf(logger.serialNumber);
    await a.fleet.snapshot(renewed, { GMT_UNIX: before - 10, Soc1: 90 });
    a.fleet.clock = Date.now() + 20_000;
    await a.fleet.snapshot(renewed, { GMT_UNIX: now(), Soc1: 20 });
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(2);
    await a.fleet.put(renewed, 'WS_20260601_100000.log', CANDUMP_LOG);
    await redecoded(logger);
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(2);
    const reason = 'van voor deze eigenaar';
    expect(await a.fleet.quarantined(logger)).toEqual([reason, reason]);
    for (const held of (await healthOf(logger)).quarantine)
      await a.call('POST /api/machine/writer/take-over', {
        body: { serial: logger.serialNumber, id: held.id },
      });
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(5);
  });

  test('a second sale does not postpone the day by which a sold logger needs a new key, and a logger that replaces the sold one needs no new key', async () => {
    const logger = await sell();
    const { replaceBy } = await taskOf(logger);
    a.fleet.clock = Date.now();
    await a.sell(logger.serialNumber, 'klant', { from: 'koper' });
    expect((await taskOf(logger)).replaceBy).toBe(replaceBy);
    const { serialNumber: serial, loggerSerial: replaces } = logger;
    const body = { serial, replaces, influx_serial: '7100001' };
    expect((await a.call('POST /api/machine/writer/replace', { body })).status).toBe(200);
    a.fleet.clock = Date.now();
    expect((await a.sell(serial, 'koper')).message).toMatch(/van koper BV\.$/);
    expect(await taskOf(logger)).toBeUndefined();
  });
});
