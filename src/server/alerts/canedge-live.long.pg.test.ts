import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestFrame } from '#server/telemetry/decode/can-log/test/given-frames.ts';
import { sampleMf4 } from '#server/telemetry/decode/can-log/test/sample-mf4.ts';
import { countStoredReadings } from '#server/telemetry/test/stored-rows.ts';
import type { TestLogger } from '#server/test/portal.ts';
import type { Definition } from '#shared/contract/definition.ts';
import type { LiveResponse } from '#shared/contract/live.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { readPortalState } from './portal-state.store.ts';
import { CHARGER_OFF, CHARGER_ON, ChargingTestPortal, readingsDuring } from './test/charging-desk.ts';

let desk: ChargingTestPortal;
beforeAll(async () => {
  desk = await ChargingTestPortal.open();
});
afterAll(() => desk.close());

const definition: Definition = {
  buses: [
    {
      ...{ bus: 1, bitrate: 250_000, name: 'lader.dbc' },
      dbc: [
        'VERSION ""',
        'BO_ 513 Lader: 8 X',
        ' SG_ Current : 0|16@1+ (0.1,0) [0|1000] "A" X',
        ' SG_ Voltage : 16|16@1+ (0.1,0) [0|1000] "V" X',
        ' SG_ Active : 32|1@1+ (1,0) [0|1] "" X',
        '',
      ].join('\n'),
    },
  ],
  mapping: {
    signals: [
      { signal: 'Current', to: 'ChargingCurrent' },
      { signal: 'Voltage', to: 'ChargingVoltage' },
      { signal: 'Active', to: 'IsCharging' },
    ],
    keep: [],
  },
};

/** Signals of CHARGER_OFF, with the charging voltage that every CAN frame of the test contains. */
const IDLE = { ...CHARGER_OFF, ChargingVoltage: 700 };
/** Eight minutes of readings: the machine is off for four, and charges from then on. */
const DAY = [...readingsDuring(0, 4, IDLE), ...readingsDuring(4, 8, CHARGER_ON)];

const frameOf = ({ time, signals }: Reading): TestFrame => {
  const data = Buffer.alloc(8);
  data.writeUInt16LE(10 * (signals.ChargingCurrent ?? 0), 0);
  data.writeUInt16LE(10 * (signals.ChargingVoltage ?? 0), 2);
  data[4] = signals.IsCharging ?? 0;
  return { kind: 'frame', us: time * 1000, bus: 1, id: 513, extended: false, fd: false, data };
};

/** CAN data of the position 52.0907, 5.1214, as the CANedge's own GPS receiver encodes it. */
const POSITION = Buffer.alloc(8);
POSITION.writeBigUInt64LE(1n | (142_090_700n << 1n) | (185_121_400n << 29n));
const positionOf = ({ time }: Reading): TestFrame => ({
  ...{ kind: 'frame', us: time * 1000, bus: 9, id: 0x67, extended: false, fd: false, data: POSITION },
});

/** Makes a file as a CANedge uploads it: unfinalized and unsorted. */
function mf4(readings: readonly Reading[]): Buffer {
  const frames = readings.flatMap((reading) => [frameOf(reading), positionOf(reading)]);
  const file = sampleMf4(frames, { idBytes: 1, data: 'record behind' });
  file.write('UnFinMF ');
  return file;
}

async function put({ accessKey, secret }: TestLogger, key: string, body: string | Buffer): Promise<void> {
  const client = new S3Client({
    ...{ endpoint: desk.portal.address, region: 'us-east-1', forcePathStyle: true, maxAttempts: 1 },
    credentials: { accessKeyId: accessKey, secretAccessKey: secret },
    // The endpoint compares the time of a signature with the portal's clock.
    systemClockOffset: desk.portal.portal.now() - Date.now(),
  });
  await client.send(new PutObjectCommand({ Bucket: 'telemetry', Key: key, Body: body }));
}

let splits = 0;
const putFile = (logger: TestLogger, readings: readonly Reading[]): Promise<void> => {
  splits += 1;
  const split = String(splits).padStart(8, '0');
  return put(logger, `${logger.loggerSerial}/00000004/${split}-6740A1B0.MF4`, mf4(readings));
};

async function putSnapshots(logger: TestLogger, readings: readonly Reading[]): Promise<void> {
  for (const { time, signals } of readings) {
    const body = JSON.stringify({ GMT_UNIX: time / 1000, LATITUDE: 52.0907, LONGITUDE: 5.1214, ...signals });
    await put(logger, `WS_SN${logger.loggerSerial}/J1939Snapshot.json`, body);
  }
}

type Machine = Awaited<ReturnType<ChargingTestPortal['machine']>>;
const subjects = async (machine: Machine): Promise<string[]> =>
  (await desk.mailsAbout(machine)).map(({ subject }) => subject.split(': ', 2)[1] ?? '').sort();

async function live({ serial }: Machine): Promise<unknown> {
  const answer = await desk.portal.get('/api/live', await desk.cookieOf('anna@klant.nl'));
  return (answer.json() as LiveResponse)[serial]?.liveData;
}

test('CANedge files of a minute give the same live data, alerts and mails as snapshots of the same seconds (43.10)', async () => {
  const [byFile, bySnapshot] = [await desk.machine('anna@klant.nl'), await desk.machine('anna@klant.nl')];
  const canedge = await desk.portal.logger(byFile.streamId, '2F6913DB', definition);
  const rexgen = await desk.portal.logger(bySnapshot.streamId, '0001234');
  for (let minute = 0; minute < 8; minute++) {
    const arrived = DAY.slice(6 * minute, 6 * minute + 6);
    desk.setClock(minute + 1);
    await putFile(canedge, arrived);
    await putSnapshots(rexgen, arrived);
    await desk.evaluate(minute + 1);
    expect([minute, await live(byFile)]).toEqual([minute, await live(bySnapshot)]);
  }
  expect(await live(byFile)).toMatchObject({
    GMT_UNIX: (DAY.at(-1)?.time ?? 0) / 1000,
    ChargingCurrent: 40,
    LATITUDE: 52.0907,
  });
  expect(await desk.events(byFile.streamId)).toEqual(['started 4']);
  expect(await desk.events(bySnapshot.streamId)).toEqual(['started 4']);
  expect(await subjects(byFile)).toEqual(['laden begonnen']);
  expect(await subjects(bySnapshot)).toEqual(['laden begonnen']);
});

test('older files of a CANedge that was offline for a day, and copies of a file, change no live data and send no mail (43.10)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  const canedge = await desk.portal.logger(machine.streamId, '0A1B2C3D', definition);
  const offline = 26 * 60;
  const now = offline + 1;
  await putFile(canedge, readingsDuring(0, 1, IDLE));
  await desk.evaluate(1);
  desk.setClock(now);
  await putFile(canedge, readingsDuring(offline, now, IDLE));
  await desk.evaluate(now);
  const before = await live(machine);
  const backlog = [
    readingsDuring(2, 3, CHARGER_ON),
    readingsDuring(1, 2, CHARGER_ON),
    readingsDuring(3, 4, IDLE),
    readingsDuring(3, 4, IDLE),
  ];
  for (const readings of backlog) await putFile(canedge, readings);
  await desk.evaluate(now + 1);
  expect(await live(machine)).toEqual(before);
  expect(before).toMatchObject({ IsCharging: 0 });
  expect(await subjects(machine)).toEqual([]);
  expect(await countStoredReadings(desk.portal.pool, machine.streamId)).toBe(5 * 6);
});

test('after the settings of a CANedge are shown, no alert says that its configuration does not run, because a CANedge never reports one (43.11)', async () => {
  const { pool } = desk.portal;
  const shown = async (serial: string): Promise<string> => {
    const machine = await desk.machine();
    const { writerId, accessKey } = await desk.portal.logger(machine.streamId, serial);
    await pool.query(
      `insert into logger_config (writer_id, guid, access_key, created_at, downloaded_at, address, settings_digest)
       values ($1, gen_random_uuid(), $2, now(), now(), '', '')`,
      [writerId, accessKey],
    );
    return machine.serial;
  };
  const rexgen = await shown('0001235');
  await shown('0A0B0C0D');
  const { configurations } = await readPortalState(pool, ['config-not-running'], Date.now());
  expect(configurations.map(({ serial }) => serial)).toEqual([rexgen]);
});
