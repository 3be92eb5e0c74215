import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import type { TestFrame } from '#server/telemetry/decode/can-log/test/given-frames.ts';
import { sampleMf4 } from '#server/telemetry/decode/can-log/test/sample-mf4.ts';
import { CANDUMP_DEFINITION } from '#server/telemetry/test/logs.ts';
import { uploadSdCardFile } from './test/sd-card.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const HOUR_MS = 3_600_000;
/** Returns a log file of a CANedge's SD card: one CAN frame per second for ten seconds, with the state of charge. */
function cardOf(device: string, startMs: number) {
  const frames = Array.from({ length: 10 }, (_, n): TestFrame => {
    const us = 1000 * (startMs + 1000 * n);
    return { kind: 'frame', us, bus: 0, id: 256, extended: false, fd: false, data: Buffer.from([2 * n, 0]) };
  });
  return {
    name: '00000001.MF4',
    bytes: sampleMf4(frames, { idBytes: 1, data: 'record behind', device }),
  };
}

test('a file of the SD card of a CANedge belongs to the logger that the file names, also after another logger was bound to the machine (43.14)', async () => {
  const now = 1000 * Math.floor(a.fleet.clock / 1000);
  const stream = await a.portal.machine(a.fleet.organization, { serial: 'CARD-1' });
  await a.portal.logger(stream, '6C000001', CANDUMP_DEFINITION, new Date(now - 4 * HOUR_MS));
  await a.portal.logger(stream, '6C000002', CANDUMP_DEFINITION, new Date(now - 2 * HOUR_MS));
  const elsewhere = await a.portal.machine(a.fleet.organization, { serial: 'CARD-2' });
  await a.portal.logger(elsewhere, '6C000003', CANDUMP_DEFINITION);
  await a.portal.untilNotified();

  const own = await uploadSdCardFile(a, 'CARD-1', cardOf('6C000002', now - HOUR_MS));
  expect([own.status, own.json.result]).toEqual([200, '10 metingen']);
  const former = await uploadSdCardFile(a, 'CARD-1', cardOf('6C000001', now - 3 * HOUR_MS));
  expect([former.status, former.json.result]).toEqual([200, '10 metingen']);
  expect(await a.fleet.readingsOf(stream)).toBe(20);
  const others = await uploadSdCardFile(a, 'CARD-1', cardOf('6C000003', now - HOUR_MS / 2));
  expect([others.status, others.message]).toEqual([
    400,
    'Dit bestand is van logger 6C000003, en die was nooit aan deze machine gekoppeld. Upload het bij de machine van die logger.',
  ]);
  expect([await a.fleet.readingsOf(stream), await a.fleet.readingsOf(elsewhere)]).toEqual([20, 0]);

  // Both files are kept in spite of their equal names, and are decoded again as files of their own loggers.
  const { files } = (await a.call('GET /api/machine/log-file/CARD-1')).json;
  expect(files.map(({ name, isByHand }: { name: string; isByHand: boolean }) => [name, isByHand])).toEqual([
    ['00000001.MF4', true],
    ['00000001.MF4', true],
  ]);
  for (const { id } of files) {
    const again = await a.call('POST /api/machine/log-file/decode', { body: { serial: 'CARD-1', id } });
    expect([again.status, again.json.result]).toEqual([200, '10 metingen']);
  }
});

test('an unreadable file of the SD card of a CANedge is rejected with its reason (43.14)', async () => {
  const stream = await a.portal.machine(a.fleet.organization, { serial: 'CARD-3' });
  await a.portal.logger(stream, '6C000004', CANDUMP_DEFINITION);
  const { status, message } = await uploadSdCardFile(a, 'CARD-3', {
    name: '00000001.MF4',
    bytes: Buffer.from('MDF     4.11'),
  });
  expect([status, message]).toEqual([400, expect.stringMatching(/^Dit bestand is niet bewaard: .*MF4/)]);
});
