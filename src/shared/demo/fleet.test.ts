import { describe, expect, test } from 'vitest';
import { isChargingFlag, isSocSignal } from '#shared/domain/signal.ts';
import { demoLmbLoggers, demoMachines } from './fleet.ts';
import { demoOrganizations, demoUsers } from './organizations.ts';

const NAME = /^[\w. -]{1,64}$/; // docs/design.md section 4
const unique = (values: readonly string[]): boolean => new Set(values).size === values.length;

test('the demo has three organizations, one of them an LMB customer, and one user of each', () => {
  expect(demoOrganizations).toHaveLength(3);
  expect(demoOrganizations.filter(({ isLmbCustomer }) => isLmbCustomer)).toHaveLength(1);
  expect(demoUsers.map(({ organization }) => organization)).toEqual(
    demoOrganizations.map(({ name }) => name),
  );
  for (const { name } of demoOrganizations) expect(name).toMatch(/^[a-z][a-z-]*$/);
});

describe('the records of the 24 machines and two LMB loggers are valid', () => {
  test('serial numbers, names and loggers are unique and have a valid form', () => {
    expect(demoMachines).toHaveLength(24);
    const ids = [
      ...demoMachines.map(({ serialNumber }) => serialNumber),
      ...demoLmbLoggers.map((l) => l.loggerid),
    ];
    const loggers = [...demoMachines.map((m) => m.loggerSerial), ...demoLmbLoggers.map((l) => l.loggerid)];
    const aliases = [...demoMachines, ...demoLmbLoggers].map(({ alias }) => alias);
    expect(unique(ids) && unique(loggers) && unique(aliases)).toBe(true);
    for (const name of [...ids, ...aliases]) expect(name).toMatch(NAME);
    for (const serial of loggers) expect(serial).toMatch(/^\d{7}$/);
    expect(loggers.filter((serial) => serial.startsWith('0')).length).toBeGreaterThan(0);
  });

  test('a MAC address is empty or a unique, locally administered address', () => {
    const addresses = demoMachines.map(({ macaddress }) => macaddress).filter(Boolean);
    expect(unique(addresses)).toBe(true);
    for (const address of addresses) expect(address).toMatch(/^02(:[0-9A-F]{2}){5}$/);
  });

  test('the machines are of at least four makes and have one to three batteries, each with a numbered charge level signal', () => {
    expect(new Set(demoMachines.map(({ model }) => model.brand)).size).toBeGreaterThanOrEqual(4);
    expect(new Set(demoMachines.map(({ model }) => model.capacitiesKwh.length))).toEqual(new Set([1, 2, 3]));
    for (const { model } of demoMachines) {
      expect(model.socSignals).toHaveLength(model.capacitiesKwh.length);
      expect(model.socSignals.every((name, i) => isSocSignal(name) && name.endsWith(String(i + 1)))).toBe(
        true,
      );
      expect(model.chargingFlags.length > 0 && model.chargingFlags.every(isChargingFlag)).toBe(true);
    }
  });

  test('each machine belongs to a machine customer, and each LMB logger to an LMB customer', () => {
    const isLmb = new Map(demoOrganizations.map(({ name, isLmbCustomer }) => [name, isLmbCustomer]));
    expect(demoMachines.every(({ organization }) => isLmb.get(organization) === false)).toBe(true);
    expect(demoLmbLoggers.every(({ organization }) => isLmb.get(organization) === true)).toBe(true);
  });
});
