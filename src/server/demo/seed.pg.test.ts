import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteFile } from '#server/machine-files/machine-files.store.ts';
import { inTransaction } from '#server/platform/database.ts';
import { findStreamRow } from '#server/streams/find-stream.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { downloadConfig, makeConfig } from '#server/writers/configuration.ts';
import type { ConfigSettings } from '#server/writers/configuration-settings.ts';
import { createKey } from '#server/writers/keys.store.ts';
import { demoMachines } from '#shared/demo/fleet.ts';
import { CAN_BRAND } from '#shared/demo/kipstra-can.ts';
import { scopeOf } from '#shared/domain/access.ts';
import { OPEN_PRIVACY } from '#shared/domain/privacy.ts';
import { addMachineFiles } from './machine-files.ts';
import { type SeededKey, seedDemo } from './seed.ts';

const SETTINGS: ConfigSettings = {
  publicUrl: 'http://localhost:3000',
  bucket: 'telemetry',
  mobile: { apn: 'internet', user: '', password: '' },
  rootCa: '',
};
const BY = {
  email: 'beheer@klant.nl',
  scope: scopeOf({
    organizationId: 1,
    organization: 'admin',
    isLmbCustomer: false,
    role: 'administrator',
    privacy: OPEN_PRIVACY,
  }),
};
const dumpers = demoMachines.filter(({ model }) => model.brand === CAN_BRAND);

let portal: TestPortal;
let first: readonly SeededKey[];
const seed = () => seedDemo(portal.pool, portal.secrets, SETTINGS, new Date());
const keyOf = (keys: readonly SeededKey[], serial: string) =>
  keys.find(({ loggerSerial }) => loggerSerial === serial)!;

beforeAll(async () => {
  portal = await testPortal();
  first = await seed();
});
afterAll(() => portal.close());

async function files(): Promise<{ kind: string; count: number }[]> {
  const { rows } = await portal.pool.query(
    'select kind, count(*)::integer as count from machine_file group by kind order by kind',
  );
  return rows;
}

test('MDET-08 MDET-10 every machine gets a photo and a manual, once: what an administrator deleted stays away', async () => {
  const began = performance.now();
  expect(await addMachineFiles(portal.pool)).toBe(48);
  // So that the start of the demo stays short; measured 0.7 s alone on 2 cores.
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(await files()).toEqual([
    { kind: 'manual', count: 24 },
    { kind: 'photo', count: 24 },
  ]);
  expect(await addMachineFiles(portal.pool)).toBe(0);

  await deleteFile(portal.pool, BY, 'STR26-0417', 'photo');
  await deleteFile(portal.pool, BY, 'STR26-0431', 'manual');
  expect(await addMachineFiles(portal.pool)).toBe(0);
  expect(await files()).toEqual([
    { kind: 'manual', count: 23 },
    { kind: 'photo', count: 23 },
  ]);
});

test('MDET-08 MDET-10 a start that was cut off goes on at the next, and a deleted machine needs none', async () => {
  await portal.pool.query(
    `delete from machine_file where stream_id = (select id from stream where serial = 'BK60-2216')`,
  );
  await portal.pool.query(`delete from audit where subject = 'BK60-2216' and action = 'photo.upload'`);
  await portal.pool.query(`delete from audit where subject = 'BK60-2233' and action like '%.upload'`);
  await portal.pool.query(`update stream set deleted_at = now() where serial = 'BK60-2233'`);
  expect(await addMachineFiles(portal.pool)).toBe(1);
  await portal.pool.query(`update stream set deleted_at = null where serial = 'BK60-2233'`);
});

test('MEDIT-15 the loggers of the CAN make run a configuration that was downloaded; a second start makes no other', async () => {
  expect(first.filter(({ configGuid }) => configGuid).map(({ loggerSerial }) => loggerSerial)).toEqual(
    dumpers.map(({ loggerSerial }) => loggerSerial),
  );
  expect(await seed()).toEqual(first);
  const { rows } = await portal.pool.query('select guid from logger_config');
  expect(rows).toHaveLength(dumpers.length);
});

test('MEDIT-10 MEDIT-15 a logger is loaded with what was downloaded last, and signs with its key', async () => {
  const { serialNumber, loggerSerial } = dumpers[0]!;
  const before = keyOf(first, loggerSerial);
  const made = { actor: 'beheer@klant.nl', at: new Date() };
  await inTransaction(portal.pool, async (client) => {
    const { rows } = await client.query('select id from writer where logger_serial = $1', [loggerSerial]);
    await createKey(client, portal.secrets, rows[0].id);
  });
  expect(keyOf(await seed(), loggerSerial)).toEqual(before);
  await inTransaction(portal.pool, async (client) => {
    await makeConfig(client, portal.secrets, SETTINGS, await findStreamRow(client, serialNumber), made);
  });
  expect(keyOf(await seed(), loggerSerial)).toEqual(before);
  await inTransaction(portal.pool, async (client) => {
    await downloadConfig(client, portal.secrets, await findStreamRow(client, serialNumber), made);
  });
  const after = keyOf(await seed(), loggerSerial);
  expect(after.accessKey).not.toBe(before.accessKey);
  expect(after.configGuid).not.toBe(before.configGuid);
});

test('MEDIT-10 settings that allow no configuration keep no demo from starting', async () => {
  const bare = await testPortal();
  try {
    const settings = { ...SETTINGS, mobile: { apn: '', user: '', password: '' } };
    const keys = await seedDemo(bare.pool, bare.secrets, settings, new Date());
    expect(keys.filter(({ configGuid }) => configGuid)).toEqual([]);
  } finally {
    await bare.close();
  }
});

test('15.2o the demo’s machines have labels; what somebody took away or changed stays so at the next start', async () => {
  const labels = async () => {
    const { rows } = await portal.pool.query<{ name: string; n: number }>(
      `select l.name, count(m.stream_id)::integer as n from label l left join machine_label m on m.label_id = l.id
       group by l.id order by l.name`,
    );
    return rows.map(({ name, n }) => `${name} ${n}`);
  };
  expect(await labels()).toEqual(['Keuring in december 3', 'Ploeg tunnels 2', 'Verhuurd 4']);
  await portal.pool.query(`delete from label where name = 'Verhuurd'`);
  await portal.pool.query(`update label set name = 'Ploeg 3' where name = 'Ploeg tunnels'`);
  await seed();
  expect(await labels()).toEqual(['Keuring in december 3', 'Ploeg 3 2']);
});
