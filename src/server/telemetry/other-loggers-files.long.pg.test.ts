import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import type { TestLogger } from '#server/test/portal.ts';
import type { LogFile } from '#shared/contract/log-files.ts';
import type { LoggerHealth } from '#shared/contract/writers.ts';
import { rxdFileName } from '#shared/demo/rxd-file.ts';
import type { TestFrame } from './decode/can-log/test/given-frames.ts';
import { sampleMf4 } from './decode/can-log/test/sample-mf4.ts';
import { createSecondlyRxdLog } from './test/log-samples.ts';
import { CANDUMP_DEFINITION } from './test/logs.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

let machines = 0;
/** Creates a machine with a logger. */
async function machineWith(
  loggerSerial: string,
  at?: Date,
): Promise<TestLogger & { readonly serial: string }> {
  machines += 1;
  const serial = `OL-${machines}`;
  const streamId = await a.portal.machine(a.fleet.organization, { serial });
  return { ...(await a.portal.logger(streamId, loggerSerial, CANDUMP_DEFINITION, at)), serial };
}

/** Returns the time in ms, ten minutes ago, at which the ten seconds of charge levels in the files begin. */
const start = (): number => 1000 * (Math.floor(a.fleet.clock / 1000) - 600);
function mf4(device: string): Buffer {
  const frames = Array.from({ length: 10 }, (_, n): TestFrame => {
    const us = 1000 * (start() + 1000 * n);
    return { kind: 'frame', us, bus: 0, id: 256, extended: false, fd: false, data: Buffer.from([2 * n, 0]) };
  });
  return sampleMf4(frames, { idBytes: 1, data: 'record behind', device });
}

const health = async (serial: string): Promise<LoggerHealth> => {
  await a.portal.portal.counters.flush();
  return (await a.call(`GET /api/machine/writer/health/${serial}`)).json;
};
const files = async (serial: string): Promise<LogFile[]> =>
  (await a.call(`GET /api/machine/log-file/${serial}`)).json.files;

test.each([
  [
    'an .rxd with another serial number in its name',
    () => ({
      ...{ own: '7100001', other: '7100002', folder: 'WS_SN7100001' },
      ...{ name: rxdFileName('WS', '7100002', start()), bytes: createSecondlyRxdLog(start(), 10) },
    }),
  ],
  [
    'an MF4 with another device id in its header',
    () => ({
      ...{ own: '710000A1', other: '710000A2', folder: '710000A1' },
      ...{ name: '00000001-63BEF5CD.MF4', bytes: mf4('710000a2') },
    }),
  ],
])(
  '%s is not stored in this machine’s history: its readings are quarantined, and table and health show the reason (43.14)',
  async (_, make) => {
    const { own, other, folder, name, bytes } = make();
    const machine = await machineWith(own);
    await a.fleet.put(machine, name, bytes, folder);
    expect(await a.fleet.readingsOf(machine.streamId)).toBe(0);
    const reason = `van logger ${other}, met de sleutel van logger ${own}`;
    expect(await files(machine.serial)).toMatchObject([
      {
        result: expect.stringContaining(`10 metingen ${reason} (over te nemen bij Quarantaine)`),
        canDecode: false,
        isWithheld: true,
      },
    ]);
    const { lastError, quarantine } = await health(machine.serial);
    expect(lastError).toContain(reason);
    expect(quarantine).toMatchObject([{ reason, held: { readings: 10 } }]);
    const body = { serial: machine.serial, id: quarantine[0]?.id ?? 0 };
    expect(await a.call('POST /api/machine/writer/take-over', { body })).toMatchObject({ status: 200 });
    expect(await a.fleet.readingsOf(machine.streamId)).toBe(10);
    expect(await files(machine.serial)).toMatchObject([{ isWithheld: false }]);
  },
);

test('an MF4 that names its own logger, or none, gives readings (43.14)', async () => {
  const machine = await machineWith('710000B1');
  await a.fleet.put(machine, '1/00000001-63BEF5CD.MF4', mf4('710000B1'), '710000B1');
  expect(await a.fleet.readingsOf(machine.streamId)).toBe(10);
  const without = await machineWith('710000B2');
  await a.fleet.put(without, '1/00000001-63BEF5CD.MF4', mf4('unknown'), '710000B2');
  expect(await a.fleet.readingsOf(without.streamId)).toBe(10);
});

test('the health of a logger ignores the device.json or Status.json of another logger, and names that logger in its last error (43.14)', async () => {
  for (const [own, other, folder, name, content] of [
    ['710000C1', '710000C2', '710000C1', 'device.json', { id: '710000C2', fw_ver: '9' }],
    ['7100003', '7100004', 'WS_SN7100003', 'Status.json', { serial_number: '7100004', fw_ver: '9' }],
  ] as const) {
    const machine = await machineWith(own);
    await a.fleet.put(machine, name, JSON.stringify(content), folder);
    const { status, lastError } = await health(machine.serial);
    expect([status, lastError]).toEqual([null, `van logger ${other}, met de sleutel van logger ${own}`]);
  }
});
