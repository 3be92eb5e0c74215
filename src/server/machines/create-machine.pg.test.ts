import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminTestPortal, validMachineForm } from './test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const streams = async (): Promise<number> =>
  (await a.portal.pool.query('select count(*)::int as n from stream')).rows[0].n;

describe('creating a machine', () => {
  test('creating a machine stores the form, and the log names the administrator (MEDIT-01, MEDIT-14, API-01, 14.3p)', async () => {
    const answer = await a.create('VTG-1', {
      alias: 'Rups',
      macaddress: 'aabbccddeeff',
      hulpstukken:
        '[{"naam":"Bak","nummer":3},{"naam":" ","nummer":"x"},{"naam":"Vork <&\\"]]>=1+1😀","nummer":"-4"}]',
      batteries: '[{"capacity":130.5},{"capacity":null}]',
      urenstand: '1234,5',
      kenteken: ' V-12-ABC ',
      seb_categorie: 'c',
      vermogen: '55,5',
    });
    expect([answer.status, answer.json]).toEqual([
      200,
      { message: 'Machine is gemaakt.', serialNumber: 'VTG-1', version: 1 },
    ]);
    expect((await a.details('VTG-1')).json).toEqual({
      _id: expect.any(Number),
      brand: 'Volta',
      alias: 'Rups',
      model: 'EX-1',
      serialNumber: 'VTG-1',
      organization: 'klant',
      cleanorg: 'klant BV',
      loggerId: '',
      macaddress: 'AA:BB:CC:DD:EE:FF',
      hulpstukken: [
        { naam: 'Bak', nummer: 3 },
        { naam: 'Vork <&"]]>=1+1😀', nummer: -4 },
      ],
      batteries: [{ capacity: 130.5 }, { capacity: null }],
      urenstand: 1234.5,
      kenteken: 'V-12-ABC',
      seb_categorie: 'C',
      vermogen: 55.5,
      dbc_machine: '',
      version: 1,
    });
    expect(await a.audited()).toContainEqual({
      actor: 'admin@portaal.nl',
      action: 'machine.create',
      subject: 'VTG-1',
    });
  });

  test("an existing serial number, a machine's or an LMB logger's, is rejected and nothing is created (MEDIT-06)", async () => {
    await a.create('VTG-2', { alias: 'Eerste' });
    const spoor = await a.portal.organization('spoor', { isLmbCustomer: true });
    await a.portal.pool.query(
      `with s as (insert into stream (kind, serial, alias) values ('logger', '7770001', 'Kar') returning id)
       insert into ownership (stream_id, organization_id) select id, $1 from s`,
      [spoor],
    );
    const before = await streams();
    for (const serial of ['VTG-2', ' VTG-2 ', 'ＶＴＧ-2', '7770001']) {
      const answer = await a.create(serial, { alias: 'Tweede' });
      expect([answer.status, answer.message]).toEqual([
        409,
        'Er bestaat al een machine met dit serienummer.',
      ]);
    }
    expect(await streams()).toBe(before);
    expect((await a.details('VTG-2')).json.alias).toBe('Eerste');
  });

  test('exactly one of two simultaneous requests with one serial number succeeds (MEDIT-06)', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => a.create('VTG-3')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  test('a logger that reports for another machine is rejected before anything is created (API-03)', async () => {
    await a.machine('VTG-4', { influx_serial: '0002471' });
    const answer = await a.create('VTG-5', { influx_serial: '0002471' });
    expect([answer.status, answer.message]).toEqual([
      409,
      'Logger 0002471 hoort bij machine VTG-4. Koppel hem daar eerst los.',
    ]);
    expect((await a.details('VTG-5')).status).toBe(404);
  });

  test.each([
    ['NAAM-1', 'Kraan (2)'],
    ['NAAM-2', 'Graver 2,5T'],
    ['NAAM-3', "d'n Reus & co"],
    ['NAAM-4', '#1/2 + [huur]'],
  ])('machine %s called %j is created, and its name refers to it (52.9)', async (serial, alias) => {
    expect((await a.create(serial, { alias })).status).toBe(200);
    expect((await a.details(serial)).json).toMatchObject({ alias });
    const copy = await a.create(`${serial}-b`, { alias: 'Kopie', dbc_machine: alias });
    expect([copy.status, copy.message]).not.toContain(`Vergelijkbare machine '${alias}' bestaat niet.`);
  });

  test.each<[string, string, string]>([
    [
      'machine_serial',
      'a/b',
      'Machine serienummer mag alleen letters, cijfers, spaties, punten, _ en - bevatten.',
    ],
    ['machine_serial', '..', 'Machine serienummer mag niet alleen uit punten bestaan.'],
    ['machine_serial', '', 'Machine serienummer ontbreekt.'],
    ['machine_serial', 'x'.repeat(65), 'Machine serienummer mag hoogstens 64 tekens lang zijn.'],
    [
      'machine_serial',
      'Ελλάδα',
      'Machine serienummer mag alleen letters, cijfers, spaties, punten, _ en - bevatten.',
    ],
    ['machine_serial', 'nieuw', "Machine serienummer mag niet 'nieuw' zijn."],
    [
      'machine_serial',
      'a\u0001b',
      'Machine serienummer mag alleen letters, cijfers, spaties, punten, _ en - bevatten.',
    ],
    ['influx_serial', '12345', 'Influx serienummer moet uit 7 cijfers bestaan.'],
    ['influx_serial', '123456a', 'Influx serienummer moet uit 7 cijfers bestaan.'],
    ['influx_serial', '', 'Influx serienummer ontbreekt.'],
    ['macaddress', '', 'MAC-adres ontbreekt.'],
    ['macaddress', 'x'.repeat(41), 'MAC-adres mag hoogstens 40 tekens lang zijn.'],
    [
      'alias',
      'a<b',
      `Naam mag alleen letters, cijfers, spaties en de tekens . , : ; _ - – ( ) [ ] ' ’ " & + # / @ ! * = ° × bevatten.`,
    ],
    ['brand', ' ', 'Merk ontbreekt.'],
    ['brand', 'a\u0001b', 'Merk bevat een onleesbaar teken.'],
    ['model', 'x'.repeat(65), 'Model mag hoogstens 64 tekens lang zijn.'],
    ['bedrijf', 'bestaatniet', "Organisatie 'bestaatniet' bestaat niet."],
    ['bedrijf', '', 'Kies een organisatie.'],
    ['dbc_machine', 'geen', "Vergelijkbare machine 'geen' bestaat niet."],
    [
      'hulpstukken',
      '[{"naam":"Bak","nummer":"12abc"}]',
      'Het nummer van hulpstuk Bak is geen geheel getal: "12abc".',
    ],
    [
      'hulpstukken',
      '[{"naam":"Bak","nummer":1.5}]',
      'Het nummer van hulpstuk Bak is geen geheel getal: 1.5.',
    ],
    [
      'hulpstukken',
      '[{"naam":"Bak","nummer":1e19}]',
      'Het nummer van hulpstuk Bak is geen geheel getal: 10000000000000000000.',
    ],
    ['hulpstukken', '[{"naam":"Bak"}]', 'Het nummer van hulpstuk Bak is geen geheel getal: leeg.'],
    ['hulpstukken', '{"naam":"Bak"}', 'Hulpstukken: dit is geen lijst.'],
    ['hulpstukken', '[{"naam":"Bak"', 'Hulpstukken: dit is geen lijst.'],
    ['hulpstukken', '[null]', 'Hulpstuk 1 heeft geen naam.'],
    [
      'hulpstukken',
      '[{"naam":"a\\u0000b","nummer":1}]',
      'De naam van hulpstuk 1 bevat een onleesbaar teken.',
    ],
    [
      'hulpstukken',
      JSON.stringify(Array(201).fill({ naam: 'x', nummer: 1 })),
      'Er zijn hoogstens 200 hulpstukken.',
    ],
    ['batteries', '[{"capacity":0}]', 'De capaciteit van accu 1 is meer dan 0 en ten hoogste 10.000 kWh.'],
    ['batteries', '[{"capacity":"64"}]', 'De capaciteit van accu 1 is meer dan 0 en ten hoogste 10.000 kWh.'],
    [
      'batteries',
      '[{"capacity":10001}]',
      'De capaciteit van accu 1 is meer dan 0 en ten hoogste 10.000 kWh.',
    ],
    ['batteries', JSON.stringify(Array(9).fill({ capacity: 1 })), "Een machine heeft hoogstens 8 accu's."],
    ['urenstand', '-1', 'Urenstand bij aanvang is een getal van 0 tot 1.000.000.'],
    ['urenstand', '1e3', 'Urenstand bij aanvang is een getal van 0 tot 1.000.000.'],
    ['urenstand', '1000001', 'Urenstand bij aanvang is een getal van 0 tot 1.000.000.'],
    ['kenteken', 'V'.repeat(21), 'Kenteken of meldcode mag hoogstens 20 tekens lang zijn.'],
    ['kenteken', 'V\u202e1', 'Kenteken of meldcode bevat een onleesbaar teken.'],
    ['seb_categorie', 'D', 'SEB-categorie is A, B of C.'],
    ['seb_categorie', 'werktuig', 'SEB-categorie is A, B of C.'],
    ...['0', '0,09', '-5', '2000,1', '1e9', 'veel', '١٢'].map((power): [string, string, string] => [
      'vermogen',
      power,
      'Continu vermogen (kW) is een getal van 0,1 tot 2.000.',
    ]),
  ])(
    'a new machine with %s = %j is rejected and nothing is created (API-03, 14.3p)',
    async (field, value, message) => {
      const before = await streams();
      const answer = await a.create('VTG-BAD', { [field]: value });
      expect([answer.status, answer.message]).toEqual([400, message]);
      expect(await streams()).toBe(before);
    },
  );

  test('a field that is missing, duplicate or 300 characters long is rejected (API-03)', async () => {
    const { brand: _, ...rest } = validMachineForm('VTG-6');
    expect((await a.call('GET /api/machine/create', { query: rest })).status).toBe(400);
    expect((await a.create('VTG-6', { brand: 'x'.repeat(300) })).status).toBe(400);
    const twice = `GET /api/machine/create?${new URLSearchParams(validMachineForm('VTG-6'))}&brand=x`;
    expect((await a.call(twice)).status).toBe(400);
    expect((await a.details('VTG-6')).status).toBe(404);
  });

  test('a page of another site cannot create a machine (API-04)', async () => {
    const url = `/api/machine/create?${new URLSearchParams(validMachineForm('VTG-7'))}`;
    const answer = await a.portal.get(url, a.admin, { 'sec-fetch-site': 'cross-site' });
    expect(answer.statusCode).toBe(403);
    expect((await a.details('VTG-7')).status).toBe(404);
  });
});
