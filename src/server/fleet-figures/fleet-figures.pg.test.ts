import { afterAll, beforeAll, expect, test } from 'vitest';
import { AlertTestPortal, BEHEERDER_EMAIL, testMinuteMs } from '#server/alerts/test/alert-desk.ts';
import type { FleetFigure, FleetFigures } from '#shared/contract/fleet-figures.ts';

let d: AlertTestPortal;
beforeAll(async () => {
  d = await AlertTestPortal.open();
});
afterAll(() => d.close());

const WEEK = 7 * 24 * 60;

/**
 * Stores a day of work for each number of weeks ago. From the present time of day on, the charge falls by 6 points an hour for ten hours.
 */
const worked = (streamId: number, ...weeks: number[]) =>
  d.desk.store(
    streamId,
    weeks.flatMap((week) =>
      Array.from({ length: 121 }, (_, n) => ({
        time: testMinuteMs(5 * n - week * WEEK),
        signals: { Soc1: 100 - n / 2, MotorSpeed: 1500 },
      })),
    ),
  );
const now = (streamId: number, signals: Record<string, number>) =>
  d.desk.store(streamId, [{ time: testMinuteMs(0), signals }]);
const enough = async (serial: string) => {
  const one = await d.call<FleetFigure>('GET', `/api/fleet/figures/${serial}`, BEHEERDER_EMAIL);
  expect(one.status).toBe(200);
  const all = await d.call<FleetFigures>('GET', '/api/fleet/figures', BEHEERDER_EMAIL);
  expect(all.json[serial]).toEqual(one.json);
  return one.json.enough;
};

test("the overview and a machine's page show until when the machine's charge will last, estimated from the same weekday of past weeks (53.2)", async () => {
  const machine = await d.machine();
  await worked(machine.streamId, 2, 1);
  await now(machine.streamId, { Soc1: 60 });
  const until = Date.parse((await enough(machine.serial))?.until ?? '');
  // At 6 points an hour, 375 minutes take 37.5 points.
  expect(Math.abs(until - testMinuteMs(375))).toBeLessThanOrEqual(5 * 60_000);
  await now(machine.streamId, { IsCharging1: 1, ChargingCurrent: 20 });
  expect(await enough(machine.serial)).toBeUndefined();

  const beginner = await d.machine();
  await worked(beginner.streamId, 1);
  await now(beginner.streamId, { Soc1: 60 });
  expect(await enough(beginner.serial)).toBeUndefined();
});

test('the history of a former owner does not affect the estimate of how long a charge lasts (53.2)', async () => {
  const machine = await d.machine();
  await worked(machine.streamId, 2, 1);
  await now(machine.streamId, { Soc1: 60 });
  await d.pool.query('update ownership set valid_from = $2 where stream_id = $1', [
    machine.streamId,
    new Date(testMinuteMs(-10 * 24 * 60)),
  ]);
  expect(await enough(machine.serial)).toBeUndefined();
});

test('another organization gets 404 for the figures of a machine (53.2)', async () => {
  const { serial } = await d.machine();
  await d.desk.portal.user('baas@ander.nl', await d.desk.portal.organization('ander'), 'beheerder');
  const url = `/api/fleet/figures/${serial}`;
  expect((await d.call('GET', url, 'baas@ander.nl')).status).toBe(404);
  expect((await d.call('GET', '/api/fleet/figures/nobody-has-it', BEHEERDER_EMAIL)).status).toBe(404);
  expect((await d.call('GET', url, BEHEERDER_EMAIL)).status).toBe(200);
});
