import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC, validMachineForm } from '#server/machines/test/administration.ts';
import type { TestLogger } from '#server/test/portal.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const DAY_MS = 86_400_000;
const replaced = (serial: string, influx_serial: string, more: Record<string, string> = {}) => {
  const body = { serial, influx_serial, replaces: validMachineForm(serial).influx_serial, ...more };
  return a.call('POST /api/machine/writer/replace', { body });
};
const health = async (serial: string) => (await a.call(`GET /api/machine/writer/health/${serial}`)).json;
const former = async (serial: string): Promise<{ id: number; loggerSerial: string; obstacle?: string }[]> =>
  (await health(serial)).formerLoggers;
const takeBack = (serial: string, id: number) =>
  a.call('POST /api/machine/writer/take-back', { body: { serial, id } });

/** Creates a machine, and returns its logger, which has a key, a definition and a configuration. */
async function working(serial: string): Promise<TestLogger> {
  await a.machine(serial);
  await a.upload(serial, BATTERY_DBC);
  expect((await a.call('GET /api/machine/config/create', { query: { serienummer: serial } })).status).toBe(
    200,
  );
  return a.loggerOf(serial);
}
const snapshot = (logger: TestLogger, ago: number) =>
  a.fleet.snapshot(logger, { GMT_UNIX: Math.floor(a.fleet.clock / 1000) - ago, Soc1: 80 });
const uploads = (logger: TestLogger, status: number) =>
  expect.poll(() => a.fleet.putStatus(logger, 'Status.json', '{}'), { timeout: 20_000 }).toBe(status);

describe('a logger that was replaced or released', () => {
  test('taking back a logger that was replaced by a mistyped number restores its key, its configuration and the readings since then (55.10)', async () => {
    const logger = await working('R-1');
    await snapshot(logger, 0);
    a.fleet.clock += 60_000;
    const answer = await replaced('R-1', '7300001');
    expect(answer.json).toEqual({
      message: `Logger 7300001 vervangt logger ${logger.loggerSerial}. Maak en laad een configuratiebestand voor hem.`,
    });
    await uploads(logger, 403);
    const [ended] = await former('R-1');
    expect(ended).toMatchObject({ loggerSerial: logger.loggerSerial });
    a.fleet.clock += 60_000;
    expect((await takeBack('R-1', ended!.id)).json).toEqual({
      message: `Logger ${logger.loggerSerial} hoort weer bij R-1, met de sleutel die hij had. Logger 7300001 is losgekoppeld.`,
    });
    await uploads(logger, 200);
    await snapshot(logger, 60);
    expect(await a.fleet.readingsOf(logger.streamId)).toBe(2);
    expect(await health('R-1')).toMatchObject({
      loggerId: logger.loggerSerial,
      chain: { config: true },
      config: { outdated: false },
      // The mistyped number belonged to no logger, so its binding is not listed.
      formerLoggers: [],
    });
    const { rows } = await a.portal.pool.query(
      `select count(*)::int as n from writer where logger_serial = '7300001'`,
    );
    expect(rows[0].n).toBe(0);
    expect((await health('R-1')).events.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['released', 'taken-back']),
    );
    expect((await a.audited()).at(-1)).toMatchObject({ action: 'writer.take-back', subject: 'R-1' });
  });

  test('replacing a logger by itself is rejected, and its key and configuration stay as they are (55.64)', async () => {
    const logger = await working('R-0');
    const before = await health('R-0');
    const answer = await replaced('R-0', ` ${logger.loggerSerial} `);
    expect([answer.status, answer.json.message]).toEqual([
      400,
      'Dat is de logger die er al is. Vul het serienummer van de nieuwe logger in.',
    ]);
    expect(await health('R-0')).toEqual(before);
  });

  test('taking back a logger releases the replacement, whose readings are kept and which can itself be taken back later (55.10)', async () => {
    const first = await working('R-2');
    await replaced('R-2', '7300002');
    await a.call('POST /api/machine/writer/key', { body: { serial: 'R-2' } });
    const second = await a.loggerOf('R-2');
    a.fleet.clock += 60_000;
    await snapshot(second, 0);
    await uploads(second, 200);
    await expect.poll(async () => (await health('R-2')).lastUpload, { timeout: 20_000 }).not.toBeNull();
    const [ended] = await former('R-2');
    a.fleet.clock += 60_000;
    expect((await takeBack('R-2', ended!.id)).status).toBe(200);
    await uploads(second, 403);
    await uploads(first, 200);
    expect(await a.fleet.readingsOf(second.streamId)).toBe(1);
    const [other] = await former('R-2');
    expect(other).toMatchObject({ loggerSerial: '7300002' });
    a.fleet.clock += 60_000;
    expect((await takeBack('R-2', other!.id)).status).toBe(200);
    await uploads(first, 403);
    await uploads(second, 200);
  });

  test('a released logger is taken back unless it reports for another stream (55.10)', async () => {
    const logger = await working('R-3');
    await a.create('R-4');
    await a.call('POST /api/machine/writer/release', { body: { serial: 'R-3' } });
    await a.bind('R-4', logger.loggerSerial);
    const obstacle = `Logger ${logger.loggerSerial} hoort nu bij R-4. Koppel hem daar eerst los.`;
    const [ended] = await former('R-3');
    expect(ended?.obstacle).toBe(obstacle);
    const refused = await takeBack('R-3', ended!.id);
    expect([refused.status, refused.message]).toEqual([409, obstacle]);
    await a.call('POST /api/machine/writer/release', { body: { serial: 'R-4' } });
    expect((await takeBack('R-3', ended!.id)).status).toBe(200);
    await uploads(logger, 200);
    // A binding can be taken back only once, and only by its own machine.
    for (const [serial, id] of [
      ['R-3', ended!.id],
      ['R-4', ended!.id],
      ['R-3', 2 ** 31 - 1],
    ] as const)
      expect((await takeBack(serial, id)).status).toBe(404);
  });

  test('a binding cannot be taken back after 30 days (55.10)', async () => {
    await working('R-5');
    await a.call('POST /api/machine/writer/release', { body: { serial: 'R-5' } });
    const [ended] = await former('R-5');
    a.fleet.clock += 30 * DAY_MS - 1_000;
    expect(await former('R-5')).toHaveLength(1);
    a.fleet.clock += 2_000;
    expect(await former('R-5')).toEqual([]);
    const late = await takeBack('R-5', ended!.id);
    expect([late.status, late.message]).toEqual([404, 'Deze koppeling kan niet (meer) worden teruggezet.']);
  });

  test('a logger that returns to its machine after a sale must get a new key (55.10)', async () => {
    await a.portal.organization('koper');
    const logger = await working('R-6');
    await a.portal.pool.query(
      `update writer_key set created_at = now() - interval '1 day' where access_key = $1`,
      [logger.accessKey],
    );
    a.fleet.clock = Date.now();
    await a.call('POST /api/machine/writer/release', { body: { serial: 'R-6' } });
    expect((await a.sell('R-6', 'koper')).status).toBe(200);
    const [ended] = await former('R-6');
    expect((await takeBack('R-6', ended!.id)).status).toBe(200);
    expect(Date.parse((await health('R-6')).replaceKeyBy) - Date.now()).toBeGreaterThan(29 * DAY_MS);
  });
});

describe('replacing a logger', () => {
  test('if two administrators replace a logger at the same time, the second is refused, and the message names the present logger (55.10)', async () => {
    await working('R-7');
    const answers = await Promise.all([replaced('R-7', '7300007'), replaced('R-7', '7300008')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { loggerId } = await health('R-7');
    expect(answers.find(({ status }) => status === 409)?.message).toBe(
      `Hier hoort nu logger ${loggerId} bij. Laad de pagina opnieuw.`,
    );
    const body = { serial: 'R-7', influx_serial: validMachineForm('R-7').influx_serial };
    expect((await a.call('POST /api/machine/writer/release', { body })).status).toBe(409);
    expect((await health('R-7')).loggerId).toBe(loggerId);
  });

  test('the call that binds a logger to a new machine is refused for a machine that has a logger (55.10)', async () => {
    await working('R-8');
    const answer = await a.bind('R-8', '7300009');
    expect([answer.status, answer.message]).toEqual([
      409,
      `Hier hoort nu logger ${validMachineForm('R-8').influx_serial} bij. Laad de pagina opnieuw.`,
    ]);
  });

  test('a logger that reports for another machine is moved if the caller asks for it (55.10)', async () => {
    const there = await working('R-9');
    await working('R-10');
    const refused = await replaced('R-10', there.loggerSerial);
    expect(refused.json.faults).toEqual([
      { field: 'influxserienummer', message: refused.message, at: 'R-9' },
    ]);
    expect((await replaced('R-10', there.loggerSerial, { from: 'R-9' })).status).toBe(200);
    expect([(await health('R-9')).loggerId, (await health('R-10')).loggerId]).toEqual([
      '',
      there.loggerSerial,
    ]);
    expect((await former('R-9'))[0]?.obstacle).toContain('hoort nu bij R-10');
    // The machine still has its data definition.
    expect((await a.call('GET /api/machine/dbc/R-10')).json.buses).toHaveLength(1);
  });

  test.each(['123456', '12345678', ''])(
    'replacing a logger by an invalid serial number (%j) is rejected and changes nothing (55.10)',
    async (text) => {
      if (!(await a.details('R-11')).json?.serialNumber) await working('R-11');
      expect((await replaced('R-11', text)).status).toBe(400);
      expect((await health('R-11')).loggerId).toBe(validMachineForm('R-11').influx_serial);
    },
  );
});
