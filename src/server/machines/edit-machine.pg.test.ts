import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC, validMachineForm } from './test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const CHANGED = 'Iemand anders heeft deze machine intussen gewijzigd. Laad de pagina opnieuw.';

describe('editing a machine', () => {
  test('an edit changes the fields in the request and leaves the other fields (MEDIT-07)', async () => {
    await a.machine('E-1', { hulpstukken: '[{"naam":"Bak","nummer":1}]', urenstand: '12' });
    const { brand, model, alias, bedrijf } = {
      ...validMachineForm('E-1'),
      brand: 'Nieuw merk',
      alias: 'Anders',
    };
    const answer = await a.call('GET /api/machine/edit', {
      query: { brand, model, alias, bedrijf, machine_serial: 'E-1' },
    });
    expect([answer.status, answer.json.version]).toEqual([200, 2]);
    expect((await a.details('E-1')).json).toMatchObject({
      brand: 'Nieuw merk',
      alias: 'Anders',
      loggerId: validMachineForm('E-1').influx_serial,
      macaddress: '000 00 AS0 A0000',
      hulpstukken: [{ naam: 'Bak', nummer: 1 }],
      batteries: [{ capacity: 64 }],
      urenstand: 12,
    });
    expect((await a.edit('E-1', { macaddress: '', hulpstukken: '[]' })).status).toBe(200);
    expect((await a.details('E-1')).json).toMatchObject({ macaddress: '', hulpstukken: [] });
  });

  test('an edit without a number plate, SEB category or power keeps the stored values, and an empty value deletes the stored one (14.3q)', async () => {
    const fields = { kenteken: 'V-1', seb_categorie: 'A', vermogen: '0.1' };
    await a.machine('E-16', fields);
    expect((await a.edit('E-16', { alias: 'Anders' })).status).toBe(200);
    expect((await a.details('E-16')).json).toMatchObject({
      kenteken: 'V-1',
      seb_categorie: 'A',
      vermogen: 0.1,
    });
    const empty = { kenteken: ' ', seb_categorie: '', vermogen: '' };
    expect((await a.edit('E-16', empty)).status).toBe(200);
    expect((await a.details('E-16')).json).toMatchObject({
      kenteken: '',
      seb_categorie: null,
      vermogen: null,
    });
  });

  test('the second of two administrators who edit the same version of a machine gets a conflict, and nothing is overwritten (MEDIT-07)', async () => {
    await a.machine('E-2');
    const version = String((await a.details('E-2')).json.version);
    const answers = await Promise.all([
      a.edit('E-2', { version, alias: 'Een' }),
      a.edit('E-2', { version, alias: 'Twee' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [won, lost] = answers[0]?.status === 200 ? ['Een', answers[1]] : ['Twee', answers[0]];
    expect(lost?.message).toBe(CHANGED);
    expect((await a.details('E-2')).json).toMatchObject({ alias: won, version: 2 });
    const late = await a.edit('E-2', { version, alias: 'Drie' });
    expect([late.status, late.message]).toEqual([409, CHANGED]);
    expect((await a.details('E-2')).json).toMatchObject({
      alias: won,
      organization: 'klant',
      loggerId: validMachineForm('E-2').influx_serial,
    });
    expect((await a.edit('E-2', { version: 'x' })).status).toBe(400);
    expect((await a.edit('E-2', { version: '99999999999' })).status).toBe(400);
  });

  test('an edit gives a machine another serial number, unless the number is taken (MEDIT-07)', async () => {
    await a.machine('E-3');
    await a.create('E-4');
    const taken = await a.edit('E-4', {
      current_serial: 'E-3',
      influx_serial: validMachineForm('E-3').influx_serial,
    });
    expect([taken.status, taken.message]).toEqual([409, 'Er bestaat al een machine met dit serienummer.']);
    const gone = await a.edit('E-5', { current_serial: 'weg' });
    expect([gone.status, gone.message]).toEqual([404, 'Deze machine bestaat niet.']);
    const same = validMachineForm('E-3').influx_serial;
    const renamed = await a.edit('E-3b', { current_serial: 'E-3', influx_serial: same });
    expect([renamed.status, renamed.json.serialNumber]).toEqual([200, 'E-3b']);
    expect((await a.details('E-3')).status).toBe(404);
    expect((await a.details('E-3b')).json.loggerId).toBe(same);
    expect((await a.create('E-3', { influx_serial: '1231231' })).status).toBe(200);
  });

  test('saving the form never replaces or releases a logger, and its key stays valid (MEDIT-07, 55.10)', async () => {
    await a.machine('E-6', { alias: 'Oud' });
    await a.call('POST /api/machine/writer/key', { body: { serial: 'E-6' } });
    const logger = await a.loggerOf('E-6');
    for (const influx_serial of ['3213210', '']) {
      const answer = await a.edit('E-6', { alias: 'Vers', influx_serial });
      expect([answer.status, answer.message]).toEqual([
        400,
        `Bij deze machine hoort logger ${logger.loggerSerial}. Opslaan wisselt hem niet: kies Vervang logger of Koppel logger los.`,
      ]);
    }
    expect((await a.details('E-6')).json).toMatchObject({ alias: 'Oud', loggerId: logger.loggerSerial });
    expect(await a.fleet.putStatus(logger, 'Status.json', '{}')).toBe(200);
  });

  test('a machine without a logger gets the one in the form, and a taken logger is rejected and nothing is saved (MEDIT-07)', async () => {
    await a.machine('E-17');
    await a.create('E-7', { alias: 'Oud' });
    const taken = await a.edit('E-7', {
      alias: 'Vers',
      influx_serial: validMachineForm('E-17').influx_serial,
    });
    expect([taken.status, taken.message]).toEqual([
      409,
      `Logger ${validMachineForm('E-17').influx_serial} hoort bij machine E-17. Koppel hem daar eerst los.`,
    ]);
    expect((await a.details('E-7')).json).toMatchObject({ alias: 'Oud', version: 1, loggerId: '' });
    expect((await a.edit('E-7', { influx_serial: '3213210' })).status).toBe(200);
    expect((await a.details('E-7')).json.loggerId).toBe('3213210');
  });

  test('saving the form never gives a machine to another organization (MEDIT-07, 55.11)', async () => {
    await a.portal.organization('koper');
    await a.machine('E-18', { alias: 'Oud' });
    const answer = await a.edit('E-18', { alias: 'Vers', bedrijf: 'koper' });
    expect([answer.status, answer.message]).toEqual([
      400,
      'Opslaan geeft de machine niet aan een andere organisatie: kies Verkoop of verplaats. Is zij intussen verkocht, laad de pagina dan opnieuw.',
    ]);
    expect((await a.details('E-18')).json).toMatchObject({ alias: 'Oud', organization: 'klant' });
  });

  test('choosing another reference machine copies the definition of that machine (MEDIT-07, MEDIT-12)', async () => {
    await a.machine('E-8');
    await a.upload('E-8', BATTERY_DBC);
    await a.machine('E-9');
    expect((await a.edit('E-9', { dbc_machine: 'E-8' })).status).toBe(200);
    expect((await a.details('E-9')).json.dbc_machine).toBe('E-8');
    const copy = (await a.call('GET /api/machine/dbc/E-9')).json;
    expect(copy.buses[0]).toMatchObject({ bus: 0, name: 'accu.dbc' });
    await a.call('POST /api/machine/dbc/delete', { body: { serial: 'E-8' } });
    expect((await a.call('GET /api/machine/dbc/E-9')).json).toEqual(copy);
  });

  test('a reference machine that is chosen while no logger is bound gives its definition to the next logger (MEDIT-07, MEDIT-12, 11.R3)', async () => {
    await a.machine('E-12');
    await a.upload('E-12', BATTERY_DBC);
    await a.machine('E-13');
    await a.upload('E-13', BATTERY_DBC.replaceAll('soc1', 'eigen'));
    await a.call('POST /api/machine/writer/release', { body: { serial: 'E-13' } });
    expect((await a.edit('E-13', { dbc_machine: 'E-12', influx_serial: '' })).status).toBe(200);
    await a.bind('E-13', validMachineForm('E-13').influx_serial);
    const { buses } = (await a.call('GET /api/machine/dbc/E-13')).json;
    expect(JSON.stringify(buses)).toContain('soc1');
    expect(JSON.stringify(buses)).not.toContain('eigen');
  });

  test('a chosen reference machine that is removed again, or followed by an upload of a DBC file, gives no definition (MEDIT-07, MEDIT-12)', async () => {
    const definitionOf = async (serial: string) =>
      JSON.stringify((await a.call(`GET /api/machine/dbc/${serial}`)).json.buses);
    for (const [serial, then] of [
      ['E-14', () => a.edit('E-14', { dbc_machine: '', influx_serial: '' })],
      ['E-15', () => a.upload('E-15', BATTERY_DBC.replaceAll('soc1', 'nieuw'))],
    ] as const) {
      await a.machine(serial);
      await a.upload(serial, BATTERY_DBC.replaceAll('soc1', 'eigen'));
      await a.call('POST /api/machine/writer/release', { body: { serial } });
      await a.edit(serial, { dbc_machine: 'E-12', influx_serial: '' });
      expect((await then()).status).toBe(200);
      await a.bind(serial, validMachineForm(serial).influx_serial);
      expect(await definitionOf(serial)).not.toContain('soc1');
    }
    expect(await definitionOf('E-14')).toContain('eigen');
    expect(await definitionOf('E-15')).toContain('nieuw');
  });

  test('editing an unknown machine returns 404, and naming an unknown organization 400 (API-03)', async () => {
    expect((await a.edit('E-404')).status).toBe(404);
    await a.machine('E-10');
    const answer = await a.edit('E-10', { bedrijf: 'weg' });
    expect([answer.status, answer.message]).toEqual([400, "Organisatie 'weg' bestaat niet."]);
  });
});
