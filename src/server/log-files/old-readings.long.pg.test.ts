import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CHARGER_OFF,
  CHARGER_ON,
  ChargingTestPortal,
  readingsDuring,
  testMinuteMs,
} from '#server/alerts/test/charging-desk.ts';
import { countStoredReadings } from '#server/telemetry/test/stored-rows.ts';
import type { Reading } from '#shared/domain/signal.ts';

const DAY = 1440;

let desk: ChargingTestPortal;
beforeAll(async () => {
  desk = await ChargingTestPortal.open();
  await desk.portal.user('beheer@portaal.nl', await desk.portal.organization('admin'));
});
afterAll(() => desk.close());

const NAMES = ['IsCharging', 'ChargingCurrent', 'ChargingVoltage', 'Soc1'];
const csvOf = (readings: readonly Reading[]): string =>
  [
    ['time', ...NAMES].join(','),
    ...readings.map(({ time, signals }) =>
      [
        new Date(time).toISOString(),
        ...NAMES.map((name) => (signals as Record<string, number>)[name] ?? ''),
      ].join(','),
    ),
  ].join('\n');

const charge = [
  ...readingsDuring(0, 10, { ...CHARGER_OFF, Soc1: 40 }),
  ...readingsDuring(10, 30, { ...CHARGER_ON, Soc1: 40 }),
  ...readingsDuring(30, 40, { ...CHARGER_OFF, Soc1: 60 }),
];

/**
 * Uploads the readings of `charge` as a CSV file, as a person does.
 * @returns the machine's number of readings afterwards
 */
async function upload(machine: { streamId: number; serial: string }): Promise<number> {
  const answer = await desk.portal.app.inject({
    method: 'POST',
    url: `/api/machine/log-file/upload?${new URLSearchParams({ serial: machine.serial, name: 'rit.csv' })}`,
    headers: {
      cookie: await desk.cookieOf('beheer@portaal.nl'),
      'content-type': 'application/octet-stream',
    },
    payload: csvOf(charge),
  });
  expect([answer.statusCode, answer.json().result]).toEqual([200, `${charge.length} metingen`]);
  return countStoredReadings(desk.portal.pool, machine.streamId);
}

test('an uploaded file of the past fills the charging history, and sends no mail (43.5)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.portal.logger(machine.streamId, '5100001', undefined, new Date(testMinuteMs(-DAY)));
  desk.setClock(2 * DAY);
  const now = readingsDuring(2 * DAY - 10, 2 * DAY, { ...CHARGER_OFF, Soc1: 90 });
  await desk.live(machine.streamId, now);
  expect(await upload(machine)).toBe(now.length + charge.length);
  await desk.evaluate(2 * DAY + 1);
  await desk.live(machine.streamId, readingsDuring(2 * DAY + 1, 2 * DAY + 5, { ...CHARGER_OFF, Soc1: 90 }));
  expect(await desk.mailsAbout(machine)).toEqual([]);
});

test('an uploaded file of the past for a machine without readings sends no mail (43.5)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.portal.logger(machine.streamId, '5100002', undefined, new Date(testMinuteMs(-DAY)));
  desk.setClock(2 * DAY);
  expect(await upload(machine)).toBe(charge.length);
  await desk.evaluate(2 * DAY + 1);
  expect(await desk.mailsAbout(machine)).toEqual([]);
});
