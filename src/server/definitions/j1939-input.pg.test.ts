import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.machine('I-1');
  await a.upload('I-1', DBC);
});
afterAll(() => a.close());

const LONG = 'S'.padEnd(62, 'x');
/** DBC of three messages: from any source; from source 0; with a signal whose name is so long that '@F4' cannot be appended to it. */
const DBC = `BO_ 2566873598 Pack: 8 X
 SG_ Charge : 0|8@1+ (0.4,0) [0|100] "%" X
BO_ 2566873088 Own: 8 X
 SG_ Volts : 0|8@1+ (1,0) [0|0] "" X
BO_ 2566873854 Named: 8 X
 SG_ ${LONG} : 0|8@1+ (1,0) [0|0] "" X
BA_ "ProtocolType" "J1939";
`;
const PACK = '0x18FF61FE';
const choose = (body: object) =>
  a.call('POST /api/machine/dbc/j1939', { body: { serial: 'I-1', bus: 0, j1939: 'some', ...body } });
const map = (mapping: object) =>
  a.call('POST /api/machine/dbc/mapping', {
    body: { serial: 'I-1', mapping: { signals: [], keep: [], ...mapping } },
  });
const CHARGE = { bus: 0, message: 'Pack', signal: 'Charge', to: 'Soc1' };

describe('J1939 by the API (42.65)', () => {
  test.each<[string, unknown]>([
    ['5,001 identifiers', Array<string>(5_001).fill(PACK)],
    ['5,000, of which one is unknown', [...Array<string>(4_999).fill(PACK), '0x00000001']],
    ['lower case', ['0x18ff61fe']],
    ['without 0x', ['18FF61FE']],
    ['an empty one', ['']],
    ['__proto__', ['__proto__']],
    ['a number', [2566873598]],
    ['null', null],
    ['a text', PACK],
  ])('a choice of J1939 messages is rejected: %s', async (_, messages) => {
    expect((await choose({ messages })).status).toBe(400);
  });

  test('a J1939 message that one request names 5,000 times is stored once', async () => {
    expect((await choose({ messages: Array<string>(5_000).fill(PACK) })).status).toBe(200);
    const { rows } = await a.portal.pool.query(
      'select row_to_json(definition_bus)::text as row from definition_bus order by definition_id desc limit 1',
    );
    expect(rows[0].row.split(PACK)).toHaveLength(2);
  });

  test.each([[1e9], [254], [-1], [1.5], [null], ['0'], [true], [[]], [{}]])(
    '%j is rejected as the J1939 source of a mapping',
    async (source) => {
      await choose({ j1939: 'all' });
      expect((await map({ signals: [{ ...CHARGE, source }] })).status).toBe(400);
    },
  );

  test('a mapping with a source is rejected if the identifier of its message fixes the source, and J1939 cannot be switched off while a mapping names a source', async () => {
    await choose({ j1939: 'all' });
    const own = { ...CHARGE, message: 'Own', signal: 'Volts', source: 3 };
    expect((await map({ signals: [own] })).message).toContain('van elke afzender');
    expect((await map({ signals: [{ ...CHARGE, source: 3 }] })).status).toBe(200);
    expect((await choose({ j1939: 'none' })).status).toBe(400);
    expect((await map({})).status).toBe(200);
    expect((await choose({ j1939: 'none' })).status).toBe(200);
  });

  test('a kept signal with a name of 62 characters is accepted, but rejected if J1939 appends a source address to that name', async () => {
    const keep = [{ bus: 0, message: 'Named' }];
    await choose({ j1939: 'none' });
    expect((await map({ keep })).status).toBe(200);
    expect(await choose({ j1939: 'all' })).toMatchObject({
      status: 400,
      message: `De naam ${LONG} is langer dan 64 tekens.`,
    });
    await map({});
    await choose({ j1939: 'all' });
    expect((await map({ keep })).status).toBe(400);
  });
});
