import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import {
  COOLANT_CODE_DM1,
  dm1Line,
  j1939Definition,
  NO_CODE_DM1,
  OIL_CODE_DM1,
} from '#server/telemetry/dm1/test/dm1-logs.ts';
import { importLog } from '#server/telemetry/log-import.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  // The clock stands at noon in Amsterdam.
  a.fleet.clock = Date.parse('2026-11-23T11:00:00Z');
});
afterAll(() => a.close());

test('the report of fault codes as CSV has the codes of the period, with times cut to the period, and none of another organization (42.57)', async () => {
  const logger = await a.fleet.newLogger(j1939Definition());
  await a.portal.user('baas@ander.nl', await a.portal.organization('ander'), 'beheerder');
  const other = await a.portal.login('baas@ander.nl');
  const noon = a.fleet.clock / 1000;
  const yesterday = noon - 86_400;
  const log = [
    dm1Line(yesterday, OIL_CODE_DM1),
    dm1Line(noon - 3_600, OIL_CODE_DM1),
    dm1Line(noon - 1_800, NO_CODE_DM1),
    dm1Line(noon - 1_200, '04FF64000181FFFF', '03'),
    dm1Line(yesterday - 86_400, COOLANT_CODE_DM1, '00'),
    dm1Line(yesterday - 86_399, NO_CODE_DM1, '00'),
  ].join('');
  await importLog(
    a.portal.pool,
    {
      ...{ streamId: logger.streamId, chunks: () => Readable.from([Buffer.from(log)]), format: 'candump' },
      ...{ definition: j1939Definition(), shift: 'if-before-2015', fingerprint: 'storingen' },
    },
    log.length,
    () => {},
    () => a.fleet.clock,
  );
  const today = amsterdamDay(a.fleet.clock);
  const query = { from: today, to: today };
  const { text, status } = await a.call('GET /api/report/storingen/file', {
    as: a.fleet.cookie,
    query: { ...query, format: 'csv' },
  });
  expect(status, text).toBe(200);
  const rows = text
    .replace(/^\uFEFF/, '')
    .split('\r\n')
    .map((line) => line.replaceAll('"', '').split(';').slice(4).join(';'));
  expect(rows[0]).toBe(
    [
      ...['ECU', 'SPN', 'FMI', 'Betekenis van de FMI', 'Lamp'],
      ...['Begin', 'Laatst gezien', 'Voorbij'].flatMap((title) => [`${title} (Amsterdam)`, `${title} (UTC)`]),
      'Keer volgens de ECU',
    ].join(';'),
  );
  expect(rows.slice(1, 3)).toEqual([
    'ECU 0x21 op can0;100;1;waarde veel te laag (ernstig);Stoplamp (rood);2026-11-23 00:00:00;2026-11-22 23:00:00;2026-11-23 11:00:00;2026-11-23 10:00:00;2026-11-23 11:30:00;2026-11-23 10:30:00;3',
    'ECU 0x03 op can0;;1;waarde veel te laag (ernstig);Waarschuwing (oranje);2026-11-23 11:40:00;2026-11-23 10:40:00;2026-11-23 11:40:00;2026-11-23 10:40:00;;;1',
  ]);
  const screen = await a.call('GET /api/report/storingen', { as: a.fleet.cookie, query });
  expect(screen.json.rows).toHaveLength(2);
  const theirs = await a.call('GET /api/report/storingen', { as: other, query });
  expect([theirs.status, theirs.json.rows]).toEqual([200, []]);
});
