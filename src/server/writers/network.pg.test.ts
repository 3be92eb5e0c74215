import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC } from '#server/machines/test/administration.ts';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const create = (serienummer: string) => a.call('GET /api/machine/config/create', { query: { serienummer } });
const download = (serienummer: string) =>
  a.call('GET /api/machine/config/download', { query: { serienummer } });
const health = async (serial: string) => (await a.call(`GET /api/machine/writer/health/${serial}`)).json;
const network = (serial: string, body: object) =>
  a.call('POST /api/machine/writer/network', { body: { serial, ...body } });

async function mapped(serial: string): Promise<void> {
  await a.machine(serial);
  await a.upload(serial, BATTERY_DBC);
}

describe('the network of a logger', () => {
  test('the network settings go into config.xml, and their secrets are stored encrypted, kept when absent and removed when empty (MEDIT-11)', async () => {
    await mapped('C-5');
    expect((await health('C-5')).network).toEqual({
      kind: 'mobile',
      hasSimPin: false,
      apn: '',
      wifiSsid: '',
      hasWifiPassword: false,
    });
    expect((await network('C-5', { kind: 'mobile', simPin: '4321', apn: 'm2m.example' })).json).toMatchObject(
      {
        hasSimPin: true,
        apn: 'm2m.example',
      },
    );
    await create('C-5');
    expect((await download('C-5')).text).toMatch(/<APN>m2m\.example<[\s\S]*<PIN>4321</);
    const wifi = await network('C-5', {
      kind: 'wifi',
      wifiSsid: 'Werf & <co>',
      wifiPassword: 'geheim wachtwoord',
    });
    expect([wifi.status, wifi.json.hasSimPin, wifi.json.hasWifiPassword]).toEqual([200, true, true]);
    expect((await health('C-5')).config.outdated).toBe(true);
    await create('C-5');
    expect((await download('C-5')).text).toContain('Werf &amp; &lt;co');
    expect((await download('C-5')).text).toContain('geheim wachtwoord');
    expect((await network('C-5', { kind: 'mobile', simPin: '' })).json).toMatchObject({
      hasSimPin: false,
      hasWifiPassword: true,
    });
    const { rows } = await a.portal.pool.query('select * from logger_network');
    expect(rows.map((row) => Buffer.concat([row.wifiPassword]).includes('geheim'))).toEqual([false]);
    const { rows: audited } = await a.portal.pool.query(
      `select concat(data, aside, changes) as data from ${AUDIT_ROWS_SQL} where action = 'writer.network'`,
    );
    expect(JSON.stringify(audited)).not.toMatch(/geheim|4321/);
  });

  test.each([
    [{ kind: 'mobile', simPin: '123' }, 'Pincode van de simkaart bestaat uit 4 tot 8 cijfers.'],
    [{ kind: 'mobile', simPin: '12a4' }, 'Pincode van de simkaart bestaat uit 4 tot 8 cijfers.'],
    [{ kind: 'wifi' }, 'Naam van het wifi-netwerk ontbreekt.'],
    [
      { kind: 'wifi', wifiSsid: 'Werf', wifiPassword: 'kort' },
      'Wifi-wachtwoord is 8 tot 63 tekens lang, zonder accenten.',
    ],
    [{ kind: 'wifi', wifiSsid: '😀'.repeat(9) }, 'Naam van het wifi-netwerk is ten hoogste 32 bytes lang.'],
    [{ kind: 'mobile', apn: 'a\u0001b' }, 'APN bevat een onleesbaar teken.'],
  ])('the network settings %j are rejected and change nothing (API-03)', async (body, message) => {
    await a.create('C-6');
    const answer = await network('C-6', body);
    expect([answer.status, answer.message]).toEqual([400, message]);
    expect((await health('C-6')).network).toMatchObject({ kind: 'mobile', apn: '', wifiSsid: '' });
  });
});
