import { describe, expect, test } from 'vitest';
import { type DemoMachine, demoMachines } from '#shared/demo/fleet.ts';
import { isChargingFlag, isSocSignal, type Signals } from '#shared/domain/signal.ts';
import { BATTERY_LOSS_SHARE } from './energy-ledger.ts';
import { machineModel, type SignalsAt } from './machine-model.ts';
import { distanceKm } from './path-geometry.ts';
import { deploymentOf } from './work-schedules.ts';

const HOUR = 3_600_000;
const TUESDAY = Date.parse('2025-11-18T00:00:00Z');
const fleet = demoMachines.map((machine) => ({
  machine,
  at: machineModel(machine, deploymentOf(machine.serialNumber)),
}));

const capacity = ({ model }: DemoMachine): number => model.capacitiesKwh.reduce((a, b) => a + b, 0);
const isCharging = (signals: Signals): boolean =>
  Object.entries(signals).some(([name, value]) => isChargingFlag(name) && value >= 1);
/** Returns the charge of all batteries together in %. */
const charge = ({ model }: DemoMachine, signals: Signals): number => {
  let total = 0;
  let filled = 0;
  for (let i = 0; i < model.capacitiesKwh.length; i++) {
    total += model.capacitiesKwh[i]!;
    filled += model.capacitiesKwh[i]! * signals[model.socSignals[i]!]!;
  }
  return filled / total;
};

/** Returns the first UTC day from Tuesday 18 November 2025 on which the machine works between 09:00 and 21:00. */
const workingDay = (at: SignalsAt): number => {
  for (let day = TUESDAY; ; day += 24 * HOUR) {
    for (let t = day + 9 * HOUR; t < day + 21 * HOUR; t += 60_000) if (at(t).MotorSpeed! > 150) return day;
  }
};

/**
 * Returns the energy in kWh while charging (into) and at other times (out), each calculated both from current x voltage and from the
 * change of the charge level.
 */
function energyBook(machine: DemoMachine, at: SignalsAt, from: number, to: number, everyMs: number) {
  const book = { out: 0, outBySoc: 0, into: 0, intoBySoc: 0 };
  let now = at(from);
  for (let t = from; t < to; t += everyMs) {
    const next = at(t + everyMs);
    const kwh = (now.BatteryCurrent! * now.BatteryVoltage! * everyMs) / HOUR / 1000;
    const bySoc = ((charge(machine, now) - charge(machine, next)) / 100) * capacity(machine);
    if (isCharging(now)) {
      book.into -= kwh * (1 - BATTERY_LOSS_SHARE);
      book.intoBySoc -= bySoc;
    } else {
      book.out += kwh * (1 + BATTERY_LOSS_SHARE);
      book.outBySoc += bySoc;
    }
    now = next;
  }
  return book;
}

describe('the signals of a machine are consistent', { timeout: 30_000 }, () => {
  test.each([
    ['as the loggers sample them', 5_000, 0.02],
    ['as the history has them', 60_000, 0.05],
  ])(
    'current x voltage, summed over a working day and corrected for losses, equals the change of charge: %s',
    (_, everyMs, tolerance) => {
      for (const { machine, at } of fleet) {
        const book = energyBook(machine, at, workingDay(at) + 4 * HOUR, workingDay(at) + 28 * HOUR, everyMs);
        expect(book.intoBySoc, machine.alias).toBeGreaterThan(0.15 * capacity(machine));
        expect(Math.abs(book.out / book.outBySoc - 1), `${machine.alias} out`).toBeLessThan(tolerance);
        expect(Math.abs(book.into / book.intoBySoc - 1), `${machine.alias} in`).toBeLessThan(tolerance);
      }
    },
  );

  test('the charge level stays between 5 and 100 % for ten weeks', () => {
    for (const { machine, at } of fleet) {
      for (let t = TUESDAY; t < TUESDAY + 70 * 24 * HOUR; t += 10 * 60_000) {
        const now = at(t);
        for (const name of machine.model.socSignals) {
          const percent = now[name]!;
          if (!(percent >= 5 && percent <= 100))
            expect.fail(`${machine.alias} ${name}: ${percent} at ${new Date(t)}`);
        }
      }
    }
  });

  test('the charge level changes by at most 0.5 percentage points in 10 s', () => {
    for (const { machine, at } of fleet) {
      let before: Signals | undefined;
      for (let t = TUESDAY; t < TUESDAY + 48 * HOUR; t += 10_000) {
        const now = at(t);
        for (const name of machine.model.socSignals) {
          const jump = before ? Math.abs(now[name]! - before[name]!) : 0;
          if (jump > 0.5) expect.fail(`${machine.alias} ${name} jumps by ${jump} at ${new Date(t)}`);
        }
        before = now;
      }
    }
  });

  test('while charging, the battery current is negative and less than the charger’s current, and the motor stands still', () => {
    let samples = 0;
    for (const { machine, at } of fleet) {
      for (let t = TUESDAY; t < TUESDAY + 24 * HOUR; t += 97_000) {
        const now = at(t);
        if (isCharging(now)) {
          samples++;
          expect(now.BatteryCurrent, machine.alias).toBeLessThan(0);
          expect(now.ChargingCurrent, machine.alias).toBeGreaterThan(Math.max(1, -now.BatteryCurrent!));
          expect(now.ChargingVoltage).toBe(now.BatteryVoltage);
          expect(now.MotorSpeed).toBe(0);
        } else {
          expect(now.ChargingCurrent).toBe(0);
        }
      }
    }
    expect(samples).toBeGreaterThan(1_000);
  });

  test('work sometimes feeds energy back: the boom comes down, the dumper brakes', () => {
    for (const { machine, at } of fleet.filter(({ machine }) => machine.model.kind !== 'mini-excavator')) {
      let back = 0;
      const day = workingDay(at);
      for (let t = day; t < day + 24 * HOUR; t += 17_000) {
        const now = at(t);
        if (!isCharging(now) && now.BatteryCurrent! < -1) back++;
      }
      expect(back, machine.alias).toBeGreaterThan(30);
    }
  });
});

describe('the movement of a machine', { timeout: 30_000 }, () => {
  test('a machine never jumps: between two readings it moves no farther than Speed allows, and on the road exactly Speed x time', {
    timeout: 30_000,
  }, () => {
    for (const { machine, at } of fleet) {
      let before = at(TUESDAY);
      for (let t = TUESDAY + 5_000; t < TUESDAY + 48 * HOUR; t += 5_000) {
        const now = at(t);
        const km = distanceKm(place(before), place(now));
        const kmh = (km * HOUR) / 5_000;
        if (kmh > Math.max(before.Speed!, now.Speed!) + 15)
          expect.fail(`${machine.alias} makes ${kmh} km/h at ${new Date(t).toISOString()}`);
        if (before.Speed! > 30 && now.Speed! > 30) {
          const meant = (before.Speed! + now.Speed!) / 2;
          if (Math.abs(kmh - meant) > 0.1 * meant)
            expect.fail(`${machine.alias}: Speed ${meant}, track ${kmh}`);
        }
        before = now;
      }
    }
  });

  test('a machine visits both of its sites within three weeks', () => {
    for (const { machine, at } of fleet) {
      const { base, second } = deploymentOf(machine.serialNumber);
      const near = { base: false, second: false };
      for (let t = TUESDAY; t < TUESDAY + 21 * 24 * HOUR; t += 0.5 * HOUR) {
        if (distanceKm(place(at(t)), base) < 0.3) near.base = true;
        if (distanceKm(place(at(t)), second) < 0.3) near.second = true;
      }
      expect(near, machine.alias).toEqual({ base: true, second: true });
    }
  });

  test('a parked machine does not move', () => {
    const { machine, at } = fleet[0]!;
    const night = Date.parse('2025-11-19T00:00:00Z');
    expect(place(at(night)), machine.alias).toEqual(place(at(night + 2 * HOUR)));
  });
});

test('each brand names the charge level signals of its batteries in its own way, ending in the number of the battery (LIVE-04)', () => {
  const names = new Set<string>();
  for (const { machine, at } of fleet) {
    const socs = Object.keys(at(TUESDAY)).filter(isSocSignal);
    expect(socs.map((name) => Number(name.replace(/\D/g, '')))).toEqual(
      machine.model.capacitiesKwh.map((_, i) => i + 1),
    );
    for (const name of socs) names.add(name.replace(/\d/g, ''));
  }
  expect([...names].sort()).toEqual(['SOC', 'SOC_', 'Soc', 'SocBatt', 'soc']);
});

test('the signals depend on machine and time only: another model of the machine, read backwards in time, gives the same signals', () => {
  const instants = Array.from({ length: 60 }, (_, i) => TUESDAY - i * 5.3 * HOUR);
  for (const { machine, at } of fleet) {
    const other = machineModel(machine, deploymentOf(machine.serialNumber));
    expect(instants.map(other)).toEqual(instants.toReversed().map(at).toReversed());
  }
});

test('every signal is a finite number', () => {
  for (const { machine, at } of fleet) {
    for (let t = TUESDAY; t < TUESDAY + 24 * HOUR; t += 313_000) {
      for (const [name, value] of Object.entries(at(t)))
        expect(value, `${machine.alias} ${name}`).toSatisfy(Number.isFinite);
    }
  }
});

function place(signals: Signals) {
  return { lat: signals.LATITUDE!, lon: signals.LONGITUDE! };
}
