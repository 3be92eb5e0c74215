import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteDbc, readDefinitionView } from '#server/definitions/change-definition.ts';
import { deleteFile } from '#server/machine-files/machine-files.store.ts';
import { findOrganization } from '#server/organizations/organizations.store.ts';
import { inTransaction } from '#server/platform/database.ts';
import { findStreamRow } from '#server/streams/find-stream.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { downloadConfig, makeConfig } from '#server/writers/configuration.ts';
import { type ConfigSettings, configSettings } from '#server/writers/configuration-settings.ts';
import { createKey } from '#server/writers/keys.store.ts';
import type { DefinitionView } from '#shared/contract/definition.ts';
import type { LoggerHealth } from '#shared/contract/writers.ts';
import { demoMachines } from '#shared/demo/fleet.ts';
import { ADMIN_ORGANIZATION, scopeOf } from '#shared/domain/access.ts';
import { DEFAULT_PRIVACY } from '#shared/domain/privacy.ts';
import { addMachineFiles } from './machine-files.ts';
import { type DemoLoggerKey, seedDemo } from './seed.ts';

const ADMINISTRATOR = 'beheer@demo.nl';
const BY = {
  email: 'beheer@klant.nl',
  scope: scopeOf({
    organizationId: 1,
    organization: 'admin',
    isLmbCustomer: false,
    role: 'administrator',
    privacy: DEFAULT_PRIVACY,
    limit: null,
  }),
};

let portal: TestPortal;
let settings: ConfigSettings;
let first: readonly DemoLoggerKey[];
const seed = () => seedDemo(portal.pool, portal.secrets, settings, new Date());
const keyOf = (keys: readonly DemoLoggerKey[], serial: string) =>
  keys.find(({ loggerSerial }) => loggerSerial === serial)!;

beforeAll(async () => {
  portal = await testPortal();
  settings = configSettings(portal.portal.config);
  first = await seed();
  const administrators = (await findOrganization(portal.pool, ADMIN_ORGANIZATION)) as number;
  await portal.user(ADMINISTRATOR, administrators, 'administrator');
});
afterAll(() => portal.close());

async function files(): Promise<{ kind: string; count: number }[]> {
  const { rows } = await portal.pool.query(
    'select kind, count(*)::integer as count from machine_file group by kind order by kind',
  );
  return rows;
}

test('every machine of the demo gets a photo and a manual once, and a deleted file stays deleted (MDET-08, MDET-10)', async () => {
  const began = performance.now();
  expect(await addMachineFiles(portal.pool)).toBe(48);
  // The demo must start quickly; measured 0.7 s on an idle machine with 2 cores.
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

test('the next start of the demo adds the files that an interrupted start did not add, and skips deleted machines (MDET-08, MDET-10)', async () => {
  await portal.pool.query(
    `delete from machine_file where stream_id = (select id from stream where serial = 'BK60-2216')`,
  );
  await portal.pool.query(`delete from audit where subject = 'BK60-2216' and action = 'photo.upload'`);
  await portal.pool.query(`delete from audit where subject = 'BK60-2233' and action like '%.upload'`);
  await portal.pool.query(`update stream set deleted_at = now() where serial = 'BK60-2233'`);
  expect(await addMachineFiles(portal.pool)).toBe(1);
  await portal.pool.query(`update stream set deleted_at = null where serial = 'BK60-2233'`);
});

test('every machine of the demo has a data definition that feeds all its signals, and can get a configuration (43.9, MEDIT-12)', async () => {
  const cookie = await portal.login(ADMINISTRATOR);
  const ask = async (url: string) => (await portal.get(url, cookie)).json();
  for (const { serialNumber, model } of demoMachines) {
    const { mapping, unmapped, buses }: DefinitionView = await ask(`/api/machine/dbc/${serialNumber}`);
    expect(buses[0]?.unreadable, serialNumber).toEqual([]);
    expect(buses[0]?.warnings, serialNumber).toEqual([]);
    const fed = mapping.signals.map(({ to }) => to);
    expect(fed, serialNumber).toEqual(expect.arrayContaining([...model.socSignals, ...model.chargingFlags]));
    // The logger's own GPS receiver measures these.
    const received = new Set(['LATITUDE', 'LONGITUDE', 'Speed']);
    const packs = model.capacitiesKwh.length;
    const asked = unmapped.filter((name) => !received.has(name) && !/^Soc/.test(name));
    expect(asked, serialNumber).toEqual([]);
    expect(unmapped.filter((name) => /^Soc/.test(name))).toHaveLength(8 - packs);
    const health: LoggerHealth = await ask(`/api/machine/writer/health/${serialNumber}`);
    expect(health.missing, serialNumber).toEqual([]);
    expect(health.config, serialNumber).toMatchObject({ outdated: false, runsAnother: false });
    expect(health.config.downloadedAt, serialNumber).not.toBeNull();
  }
});

test('the loggers of all demo machines run a downloaded configuration, and a second start makes no new configuration (43.9, MEDIT-15)', async () => {
  expect(first.filter(({ configGuid }) => configGuid).map(({ loggerSerial }) => loggerSerial)).toEqual(
    demoMachines.map(({ loggerSerial }) => loggerSerial),
  );
  const versions = async () => (await portal.pool.query('select id from definition')).rowCount;
  const before = await versions();
  expect(await seed()).toEqual(first);
  expect(await versions()).toBe(before);
  const { rows } = await portal.pool.query('select guid from logger_config');
  expect(rows).toHaveLength(demoMachines.length);
});

test('a deleted data definition of a demo machine stays deleted at the next start (43.9)', async () => {
  await deleteDbc(portal.pool, BY.email, { serial: 'BK60-2216' });
  await deleteDbc(portal.pool, BY.email, { serial: 'BK60-2233' });
  await seed();
  for (const serial of ['BK60-2216', 'BK60-2233'])
    expect((await readDefinitionView(portal.pool, serial)).version).toBe(0);
});

test('a demo logger runs the configuration that was downloaded last, and signs with the key of that configuration (MEDIT-10, MEDIT-15)', async () => {
  const { serialNumber, loggerSerial } = demoMachines[0]!;
  const before = keyOf(first, loggerSerial);
  const made = { actor: 'beheer@klant.nl', at: new Date() };
  await inTransaction(portal.pool, async (client) => {
    const { rows } = await client.query('select id from writer where logger_serial = $1', [loggerSerial]);
    await createKey(client, portal.secrets, rows[0].id);
  });
  expect(keyOf(await seed(), loggerSerial)).toEqual(before);
  await inTransaction(portal.pool, async (client) => {
    await makeConfig(client, portal.secrets, settings, await findStreamRow(client, serialNumber), made);
  });
  expect(keyOf(await seed(), loggerSerial)).toEqual(before);
  await inTransaction(portal.pool, async (client) => {
    await downloadConfig(client, portal.secrets, await findStreamRow(client, serialNumber), made);
  });
  const after = keyOf(await seed(), loggerSerial);
  expect(after.accessKey).not.toBe(before.accessKey);
  expect(after.configGuid).not.toBe(before.configGuid);
});

test('the demo also starts with settings without an APN, and then makes no logger configurations (MEDIT-10)', async () => {
  const bare = await testPortal();
  try {
    const withoutApn = { ...settings, mobile: { apn: '', user: '', password: '' } };
    const keys = await seedDemo(bare.pool, bare.secrets, withoutApn, new Date());
    expect(keys.filter(({ configGuid }) => configGuid)).toEqual([]);
  } finally {
    await bare.close();
  }
});

test('the demo’s machines have labels; the next start keeps removed labels removed and changed labels changed (15.2o)', async () => {
  const labels = async () => {
    const { rows } = await portal.pool.query<{ name: string; n: number }>(
      `select l.name, count(m.stream_id)::integer as n from label l left join machine_label m on m.label_id = l.id
       group by l.id order by l.name`,
    );
    return rows.map(({ name, n }) => `${name} ${n}`);
  };
  expect(await labels()).toEqual([
    'Avondploeg 2',
    'Dag en nacht 7',
    'Keuring in december 3',
    'Nachtploeg 1',
    'Ploeg tunnels 2',
    'Verhuurd 4',
  ]);
  await portal.pool.query(`delete from label where name = 'Verhuurd'`);
  await portal.pool.query(`update label set name = 'Ploeg 3' where name = 'Ploeg tunnels'`);
  await seed();
  expect(await labels()).toEqual([
    'Avondploeg 2',
    'Dag en nacht 7',
    'Keuring in december 3',
    'Nachtploeg 1',
    'Ploeg 3 2',
  ]);
});

test('the demo’s organizations, projects and a machine have contacts; the next start does not overwrite a changed contact (53.14)', async () => {
  const contacts = async () => {
    const { rows } = await portal.pool.query<{ name: string; n: number }>(
      `select c.name, count(u.*)::integer as n from contact c left join contact_use u on u.contact_id = c.id group by c.id order by c.name`,
    );
    return rows.map(({ name, n }) => `${name} ${n}`);
  };
  expect(await contacts()).toEqual([
    'Jan Verkade 2',
    'Planning Kievitsland 1',
    'Servicedesk Werkstroom 1',
    'Wachtdienst tunnels 2',
  ]);
  await portal.pool.query(`update contact set name = 'Piet Verkade' where name = 'Jan Verkade'`);
  await seed();
  expect(await contacts()).toEqual(
    ['Piet Verkade 2', 'Planning Kievitsland 1', 'Servicedesk Werkstroom 1', 'Wachtdienst tunnels 2'].sort(),
  );
});
