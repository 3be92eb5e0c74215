import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readUploadSettings } from '#server/logger-config/test/upload-settings.ts';
import { AdminTestPortal, BATTERY_DBC } from '#server/machines/test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const create = (serienummer: string) => a.call('GET /api/machine/config/create', { query: { serienummer } });
const download = (serienummer: string) =>
  a.call('GET /api/machine/config/download', { query: { serienummer } });
const health = async (serial: string) => (await a.call(`GET /api/machine/writer/health/${serial}`)).json;
const newKey = (serial: string) => a.call('POST /api/machine/writer/key', { body: { serial } });
const network = (serial: string, body: object) =>
  a.call('POST /api/machine/writer/network', { body: { serial, ...body } });
/** Returns a logger that runs the newest configuration. */
const runningLogger = async (serial: string) => {
  const settings = readUploadSettings((await download(serial)).text);
  return {
    settings,
    logger: { ...(await a.loggerOf(serial)), accessKey: settings.accessKey, secret: settings.secret },
  };
};

async function mapped(serial: string): Promise<void> {
  await a.machine(serial);
  await a.upload(serial, BATTERY_DBC);
}

describe('the health of a logger', () => {
  const status = async (serial: string, guid: string) =>
    a.fleet.put((await runningLogger(serial)).logger, 'Status.json', JSON.stringify({ config_GUID: guid }));

  test('the health shows since when the newest configuration runs, or that the logger runs another one (MEDIT-15)', async () => {
    await mapped('C-7');
    expect((await health('C-7')).chain).toEqual({ writer: true, config: false });
    await create('C-7');
    const { guid } = (await runningLogger('C-7')).settings;
    await status('C-7', 'ffffffff-0000-4000-8000-000000000000');
    expect((await health('C-7')).config).toMatchObject({
      runningSince: null,
      runsAnother: true,
      outdated: false,
    });
    await status('C-7', `{${guid.toUpperCase()}}`);
    const { config, chain } = await health('C-7');
    expect(chain).toEqual({ writer: true, config: true });
    expect(config).toEqual({
      createdAt: expect.any(String),
      downloadedAt: expect.any(String),
      runningSince: expect.any(String),
      runsAnother: false,
      outdated: false,
      oldAddress: null,
    });
    await status('C-7', guid);
    expect((await health('C-7')).config.runningSince).toBe(config.runningSince);
    await a.upload('C-7', BATTERY_DBC, { bus: 1 });
    expect((await health('C-7')).config).toMatchObject({ outdated: true, runningSince: config.runningSince });
    await create('C-7');
    expect((await health('C-7')).config).toMatchObject({
      outdated: false,
      runningSince: null,
      runsAnother: true,
    });
  });

  test('the health shows the last upload, the last error, and quarantined deliveries, as sentences and as figures (MEDIT-15, INGEST-03, 46.4)', async () => {
    await mapped('C-8');
    await create('C-8');
    const { logger } = await runningLogger('C-8');
    await a.fleet.put(logger, 'snapshot.json', 'rubbish');
    await a.portal.portal.counters.flush();
    const shown = await health('C-8');
    expect(shown).toMatchObject({
      loggerId: logger.loggerSerial,
      lastUpload: expect.any(String),
      lastError: 'De momentopname is geen JSON-object.',
      lastErrorFindings: [{ kind: 'no-json' }],
      counters: { uploads: 1, quarantined: 1 },
      quarantine: [
        {
          key: `WS_SN${logger.loggerSerial}/snapshot.json`,
          size: 7,
          reason: shown.lastError,
          findings: shown.lastErrorFindings,
        },
      ],
    });
    await a.call('POST /api/machine/writer/release', { body: { serial: 'C-8' } });
    expect(await health('C-8')).toMatchObject({
      loggerId: '',
      counters: {},
      quarantine: [],
      chain: { writer: false },
    });
  });

  test('the health shows the first upload, and an upload after a minute of silence, as soon as that upload is answered (55.52)', async () => {
    await mapped('C-10');
    await create('C-10');
    const { logger } = await runningLogger('C-10');
    for (const uploads of [1, 2]) {
      a.fleet.clock += 61_000;
      await a.fleet.put(logger, 'snapshot.json', 'rubbish');
      const shown = await health('C-10');
      expect(shown).toMatchObject({
        lastUpload: new Date(a.fleet.clock).toISOString(),
        lastError: expect.any(String),
        counters: { uploads, quarantined: uploads },
      });
      expect(shown.events).toContainEqual(expect.objectContaining({ kind: 'heard' }));
    }
    a.fleet.clock += 61_000;
    await a.fleet.put(logger, '1/rit_20260601_100000.log', 'x');
    expect((await health('C-10')).lastUpload).toBe(new Date(a.fleet.clock).toISOString());
  });

  test('a rejected upload does not count as the last upload: the health shows it separately, and it is an event (55.3)', async () => {
    await mapped('C-9');
    await create('C-9');
    const { logger } = await runningLogger('C-9');
    const key = 'elders_SN0000000/snapshot.json';
    const refused = { lastRefusal: `AccessDenied: ${key}`, lastRefusedAt: expect.any(String) };
    const put = () =>
      a.fleet.clientOf(logger).send(new PutObjectCommand({ Bucket: 'telemetry', Key: key, Body: '{}' }));
    await expect(put()).rejects.toMatchObject({ name: 'AccessDenied' });
    await a.portal.portal.counters.flush();
    expect(await health('C-9')).toMatchObject({ lastUpload: null, lastError: null, ...refused });
    await a.fleet.put(logger, 'snapshot.json', 'rubbish');
    await a.portal.portal.counters.flush();
    const { lastUpload } = await health('C-9');
    a.fleet.clock += 60_000;
    await expect(put()).rejects.toMatchObject({ name: 'AccessDenied' });
    await a.portal.portal.counters.flush();
    const now = await health('C-9');
    expect(now).toMatchObject({ lastUpload, counters: { uploads: 1, refused: 2 }, ...refused });
    const refusals = (now.events as { kind: string; detail: string }[]).filter(
      ({ kind }) => kind === 'refused',
    );
    expect(refusals).toEqual([expect.objectContaining({ detail: 'AccessDenied' })]);
  });

  test('every call about a logger returns 404 for an unknown machine (API-03)', async () => {
    for (const answer of [
      await a.call('GET /api/machine/writer/health/C-404'),
      await create('C-404'),
      await download('C-404'),
      await newKey('C-404'),
      await network('C-404', { kind: 'mobile' }),
      await a.upload('C-404', BATTERY_DBC),
    ])
      expect([answer.status, answer.message]).toEqual([404, 'Deze machine of logger bestaat niet.']);
  });
});
