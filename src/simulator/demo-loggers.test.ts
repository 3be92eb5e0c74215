import { expect, test } from 'vitest';
import { demoMachines } from '#shared/demo/fleet.ts';
import { FLEET_OWNER } from '#shared/demo/organizations.ts';
import { demoWorkWeeks } from '#shared/demo/work-weeks.ts';
import { DEFAULT_WORK_WEEK, nextShift, shiftAt, shiftsIn } from '#shared/domain/alerts/work-week.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { demoLoggers, silentSince } from './demo-loggers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = demoWorkWeeks[FLEET_OWNER] ?? expect.unreachable();

test('whenever the demo starts, its silent logger has been silent for a day and missed a shift (16.8w)', () => {
  const first = Date.parse('2026-01-01T00:00:00Z');
  for (let now = first; now < first + 366 * DAY; now += 7 * HOUR) {
    const since = silentSince(now);
    const missed = shiftsIn(DEFAULT_WORK_WEEK, { from: since, to: now - HOUR });
    if (now - since < DAY || missed.length === 0) expect.fail(new Date(now).toISOString());
  }
});

/** Returns the longest time in 30 days for which a condition holds, in minutes. */
function longest(serialNumber: string, isSo: (signals: Signals, time: number) => boolean): number {
  const machine = demoMachines.find((one) => one.serialNumber === serialNumber);
  const signalsAt = demoLoggers().get(machine?.loggerSerial ?? '')?.signalsAt ?? expect.unreachable();
  const until = Date.parse('2026-11-20T00:00:00Z');
  let [most, now] = [0, 0];
  for (let time = until - 30 * DAY; time < until; time += MINUTE) {
    now = isSo(signalsAt(time), time) ? now + MINUTE : 0;
    most = Math.max(most, now);
  }
  return most / MINUTE;
}

test.each<[string, string, (signals: Signals, time: number) => boolean, number]>([
  ['its packs run apart', 'BK110-7740', ({ soc1 = 0, soc2 = 0 }) => Math.abs(soc1 - soc2) > 10, 30],
  [
    'it hangs at the charger without current',
    'VLT2-B014',
    ({ IsCharging = 0, ChargingCurrent = 0, SOC_1 = 0 }) =>
      IsCharging >= 1 && ChargingCurrent <= 1 && SOC_1 < 99,
    30,
  ],
  [
    'a pack sends nothing',
    'VLT17-A101',
    ({ SOC_1, SOC_2 }) => SOC_1 !== undefined && SOC_2 === undefined,
    35,
  ],
  [
    'it is not full shortly before its shift',
    'VLT2-B014',
    ({ SOC_1 = 100, ChargingCurrent = 0 }, time) =>
      SOC_1 < 80 && ChargingCurrent === 0 && (nextShift(WEEK, time)?.from ?? 0) - time <= 2 * HOUR,
    5,
  ],
  [
    'it is carried outside working hours',
    'BK110-7731',
    ({ Speed = 0 }, time) => Speed > 30 && !shiftAt(WEEK, time),
    20,
  ],
  ['it drives too fast', 'VLT17-A093', ({ Speed = 0, MotorSpeed = 0 }) => Speed > 45 && MotorSpeed > 0, 2],
])(
  'in 30 days of the demo a machine is in a state that causes an alert for as long as the alert requires: %s (%s) (16.8w)',
  (_, serialNumber, isSo, minutes) => {
    expect(longest(serialNumber, isSo)).toBeGreaterThanOrEqual(minutes);
  },
);
