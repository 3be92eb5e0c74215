import { expect, test } from 'vitest';
import { type FleetState, fleetState } from './fleet-state.ts';
import type { SignalValues } from './machine-status.ts';

const NOW = Date.UTC(2026, 10, 23, 5, 45);
const FRESH = { GMT_UNIX: NOW / 1000 };
const CHARGES = { IsCharging1: 1, ChargingCurrent: 2 };

test.each<[string, SignalValues, FleetState]>([
  ['runs', { ...FRESH, MotorSpeed: 151 }, 'running'],
  ['charges, its motor turning', { ...FRESH, ...CHARGES, MotorSpeed: 900 }, 'charging'],
  ['does nothing', FRESH, 'off'],
  ['ran 10 minutes ago', { GMT_UNIX: NOW / 1000 - 600, MotorSpeed: 900 }, 'running'],
  ['ran longer ago', { GMT_UNIX: NOW / 1000 - 601, MotorSpeed: 900 }, 'silent'],
  ['charged longer ago', { GMT_UNIX: NOW / 1000 - 601, ...CHARGES }, 'silent'],
  ['never reported', { GMT_UNIX: 0 }, 'silent'],
  ['without a time', {}, 'silent'],
])('a machine counts once, by its status or as silent, if it %s (15.1a)', (_, liveData, state) => {
  expect(fleetState(liveData, NOW)).toBe(state);
});
