import { expect, test } from 'vitest';
import { aFleetEntry } from '#web/test/live-example.ts';
import { machineAvailabilityOf } from './free-machines.ts';

const NOW_MS = Date.UTC(2026, 3, 12, 10);
const OFF = { GMT_UNIX: NOW_MS / 1000, MotorSpeed: 0, IsCharging1: 0, ChargingCurrent: 0 };
const entry = (change: Record<string, number> = {}) => aFleetEntry('EX-1', { ...OFF, ...change });
const figure = { power: null };
const FREE = { 'EX-1': figure };
const ON_PROJECT = { 'EX-1': { ...figure, project: { _id: 1, projectName: 'Kade' } } };

test('a machine that is off and on no project is free (53.23)', () => {
  expect(machineAvailabilityOf(entry(), FREE, NOW_MS)).toEqual({ kind: 'free' });
  expect(machineAvailabilityOf(entry(), {}, NOW_MS)).toEqual({ kind: 'free' });
});

test('a machine on a project is not free, also when it is off (53.23)', () => {
  expect(machineAvailabilityOf(entry(), ON_PROJECT, NOW_MS)).toEqual({ kind: 'project', name: 'Kade' });
});

test.each([
  ['runs', { MotorSpeed: 900 }],
  ['charges', { IsCharging1: 1, ChargingCurrent: 20 }],
  ['is silent', { GMT_UNIX: OFF.GMT_UNIX - 601 }],
  ['has no position that the user sees', { LATITUDE: 0, LONGITUDE: 0 }],
])('a machine that %s is not free (53.23)', (_, change) => {
  expect(machineAvailabilityOf(entry(change), FREE, NOW_MS)).toEqual({ kind: 'busy' });
});

test('the availability of a machine is unknown until the figures are loaded, and that of an LMB logger always', () => {
  expect(machineAvailabilityOf(entry(), undefined, NOW_MS)).toBeUndefined();
  const { metadata, liveData } = entry();
  expect(
    machineAvailabilityOf({ metadata: { ...metadata, kind: 'logger' }, liveData }, FREE, NOW_MS),
  ).toBeUndefined();
});
