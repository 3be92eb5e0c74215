import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal, validMachineForm } from './test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const post = (key: 'create' | 'edit', body: Record<string, unknown>) =>
  a.call(`POST /api/machine/${key}`, { body });
const messagesOf = (answer: { json: { faults: { field: string; message: string }[] } }) =>
  answer.json.faults.map(({ field, message }) => [field, message]);

test('a machine with 200 accessories is created and edited by a request body, which gets the same checks as query parameters (MEDIT-03, 12.C7)', async () => {
  const hulpstukken = JSON.stringify(
    Array.from({ length: 200 }, (_, at) => ({ naam: `${at} `.padEnd(100, 'é'), nummer: at })),
  );
  const made = await post('create', { ...validMachineForm('BODY-1'), hulpstukken });
  expect([made.status, made.json]).toEqual([
    200,
    { message: 'Machine is gemaakt.', serialNumber: 'BODY-1', version: 1 },
  ]);
  expect((await a.details('BODY-1')).json.hulpstukken).toHaveLength(200);
  const saved = await post('edit', {
    ...validMachineForm('BODY-1'),
    brand: 'Anders',
    hulpstukken,
    version: '1',
  });
  expect(saved.json).toEqual({ message: 'Machine is opgeslagen.', serialNumber: 'BODY-1', version: 2 });
  expect((await a.details('BODY-1')).json).toMatchObject({ brand: 'Anders', version: 2 });
  for (const changed of [{ brand: '' }, { machine_serial: 'BODY-1' }, { bedrijf: 'weg' }]) {
    const given = { ...validMachineForm('BODY-2'), ...changed };
    const [inBody, inAddress] = [
      await post('create', given),
      await a.call('GET /api/machine/create', { query: given }),
    ];
    expect([inBody.status, inBody.text]).toEqual([inAddress.status, inAddress.text]);
    expect(inBody.status).toBeGreaterThanOrEqual(400);
  }
});

test('all errors of a form are reported at once, with the field names and in the order of the screen (API-03, 12.C7)', async () => {
  await a.machine('FAULT-1');
  const logger = validMachineForm('FAULT-1').influx_serial;
  const given = {
    ...validMachineForm('FAULT-2'),
    bedrijf: 'weg',
    influx_serial: logger,
    machine_serial: 'fault-1',
    brand: ' ',
    alias: 'a<b',
    macaddress: '',
    dbc_machine: 'geen',
    urenstand: '-1',
    batteries: '[{"capacity":0}]',
    hulpstukken: '{}',
  };
  const answer = await post('create', given);
  expect([answer.status, answer.code]).toEqual([400, 'invalid']);
  const hoort = `Logger ${logger} hoort bij machine FAULT-1. Koppel hem daar eerst los.`;
  expect(messagesOf(answer)).toEqual([
    ['bedrijf', "Organisatie 'weg' bestaat niet."],
    ['influx_serial', hoort],
    ['machine_serial', 'Er bestaat al een machine met dit serienummer.'],
    ['brand', 'Merk ontbreekt.'],
    [
      'alias',
      `Naam mag alleen letters, cijfers, spaties en de tekens . , : ; _ - – ( ) [ ] ' ’ " & + # / @ ! * = ° × bevatten.`,
    ],
    ['macaddress', 'MAC-adres ontbreekt.'],
    ['dbc_machine', "Vergelijkbare machine 'geen' bestaat niet."],
    ['urenstand', 'Urenstand bij aanvang is een getal van 0 tot 1.000.000.'],
    ['batteries', 'De capaciteit van accu 1 is meer dan 0 en ten hoogste 10.000 kWh.'],
    ['hulpstukken', 'Hulpstukken: dit is geen lijst.'],
  ]);
  expect(answer.message).toBe(
    messagesOf(answer)
      .map(([, message]) => message)
      .join(' '),
  );
  await a.create('FAULT-3');
  const edited = await post('edit', { ...given, current_serial: 'FAULT-3' });
  expect(messagesOf(edited)).toEqual(messagesOf(answer).filter(([field]) => field !== 'macaddress'));
  expect((await a.details('FAULT-3')).json).toMatchObject({ brand: 'Volta', version: 1 });
  // The error for an absent or too long field names the field as the screen does.
  const { brand: _, model: __, ...rest } = validMachineForm('FAULT-4');
  const missing = await post('create', { ...rest, alias: 'x'.repeat(300), urenstand: 7 });
  expect(messagesOf(missing)).toEqual([
    ['brand', 'Merk ontbreekt.'],
    ['model', 'Model ontbreekt.'],
    ['alias', 'Naam mag hoogstens 200 tekens lang zijn.'],
    ['urenstand', 'Urenstand bij aanvang heeft een waarde die niet kan.'],
  ]);
});

test('a logger of another machine is moved in one step, by the form and by the machine’s page (INGEST-06, 12.C7)', async () => {
  await a.machine('FROM-1');
  await a.call('POST /api/machine/writer/key', { body: { serial: 'FROM-1' } });
  const before = await a.loggerOf('FROM-1');
  const at = Math.floor(a.fleet.clock / 1000);
  await a.fleet.snapshot(before, { GMT_UNIX: at, Soc1: 80 });
  const influx_serial = before.loggerSerial;
  const refused = await post('create', { ...validMachineForm('TO-1'), influx_serial });
  expect(refused.json.faults).toEqual([{ field: 'influx_serial', message: refused.message, at: 'FROM-1' }]);
  // A logger is taken only from the machine that the caller names.
  const elsewhere = await post('create', {
    ...validMachineForm('TO-1'),
    influx_serial,
    logger_from: 'BODY-1',
  });
  expect([elsewhere.status, elsewhere.message]).toEqual([409, refused.message]);

  a.fleet.clock += 60_000;
  expect(
    (await post('create', { ...validMachineForm('TO-1'), influx_serial, logger_from: 'from-1' })).status,
  ).toBe(200);
  // Creating the record of the second machine does not move the logger yet.
  expect((await a.details('FROM-1')).json.loggerId).toBe(influx_serial);
  const move = (serial: string, from: string, moved = influx_serial) =>
    a.call('POST /api/machine/writer/move', { body: { serial, influx_serial: moved, from } });
  expect((await move('TO-1', 'from-1')).status).toBe(200);
  expect((await a.details('FROM-1')).json.loggerId).toBe('');
  expect((await a.details('TO-1')).json.loggerId).toBe(influx_serial);
  expect((await a.bind('TO-1', influx_serial)).status).toBe(200);
  // The logger's earlier key is rejected, because it belongs to the binding that has ended.
  await expect.poll(() => a.fleet.putStatus(before, 'x.json', '{}'), { timeout: 10_000 }).toBe(403);
  const { rows } = await a.portal.pool.query(
    `select s.serial, w.valid_from::text as "from", w.valid_to::text as "to" from writer w join stream s on s.id = w.stream_id
     where w.logger_serial = $1 order by w.id`,
    [influx_serial],
  );
  expect(rows).toEqual([
    { serial: 'FROM-1', from: '-infinity', to: expect.any(String) },
    { serial: 'TO-1', from: rows[0].to, to: 'infinity' },
  ]);
  expect(await a.fleet.readingsOf(before.streamId)).toBe(1);

  await a.create('TO-3');
  expect((await move('TO-3', 'FROM-1')).status).toBe(409);
  expect((await move('TO-3', 'TO-1')).json).toEqual({
    message: `Logger ${influx_serial} is hierheen verplaatst.`,
  });
  expect((await a.details('TO-3')).json.loggerId).toBe(influx_serial);
  expect(
    (await a.audited())
      .filter(({ action, subject }) => action === 'writer.release' && /^(FROM|TO)-/.test(subject))
      .map(({ subject }) => subject),
  ).toEqual(['FROM-1', 'TO-1']);
  // Two requests that take each other's logger do not deadlock.
  await a.machine('X-1');
  await a.machine('X-2');
  const take = (serial: string, from: string) => {
    const [influx, replaces] = [validMachineForm(from).influx_serial, validMachineForm(serial).influx_serial];
    return a.call('POST /api/machine/writer/replace', {
      body: { serial, influx_serial: influx, replaces, from },
    });
  };
  const cross = await Promise.all([take('X-1', 'X-2'), take('X-2', 'X-1')]);
  for (const { status } of cross) expect([200, 409]).toContain(status);
});

test('the list of machines has the logger of each, and whether it has a data definition (MLIST-01, 12.C7, 12.C5)', async () => {
  await a.machine('LIST-1');
  await a.machine('LIST-2');
  await a.upload('LIST-2', 'BO_ 1 A: 1 X\n SG_ Soc1 : 0|8@1+ (1,0) [0|0] "" X\n');
  await a.create('LIST-3');
  await a.machine('LIST-4');
  await a.call('POST /api/machine/writer/release', { body: { serial: 'LIST-4' } });
  await a.upload('LIST-4', 'BO_ 1 A: 1 X\n SG_ Soc1 : 0|8@1+ (1,0) [0|0] "" X\n');
  const all: { serialNumber: string; loggerId: string; hasDefinition: boolean }[] = (
    await a.call('GET /api/machine/get/all')
  ).json;
  expect(
    all
      .filter(({ serialNumber }) => serialNumber.startsWith('LIST-'))
      .map(({ serialNumber, loggerId, hasDefinition }) => [serialNumber, loggerId, hasDefinition])
      .sort(),
  ).toEqual([
    ['LIST-1', validMachineForm('LIST-1').influx_serial, false],
    ['LIST-2', validMachineForm('LIST-2').influx_serial, true],
    ['LIST-3', '', false],
    ['LIST-4', '', true],
  ]);
});

test('a machine whose creation was interrupted keeps its planned logger until one is bound (MEDIT-05, 12.C5)', async () => {
  await a.create('PLAN-1');
  const planned = async () => (await a.call('GET /api/machine/writer/health/PLAN-1')).json.plannedLogger;
  expect(await planned()).toBe(validMachineForm('PLAN-1').influx_serial);
  await a.bind('PLAN-1', validMachineForm('PLAN-1').influx_serial);
  expect(await planned()).toBe('');
  await a.call('POST /api/machine/writer/release', { body: { serial: 'PLAN-1' } });
  expect(await planned()).toBe('');
});
