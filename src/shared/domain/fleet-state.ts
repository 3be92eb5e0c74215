/** The state of a machine in the fleet: its status, or 'silent' when its newest reading is old (LIVE-05, LIVE-07). */
import { type MachineStatus, machineStatus, type SignalValues } from './machine-status.ts';
import { isStale } from './staleness.ts';

export type FleetState = MachineStatus | 'silent';

/** The states in the order in which the screens show them. */
export const FLEET_STATES: readonly FleetState[] = ['running', 'charging', 'off', 'silent'];

/** Dutch names of the states. Screens show them above the counts; URLs contain them in lower case. */
export const FLEET_STATE_TEXTS: Readonly<Record<FleetState, string>> = {
  running: 'Draaien',
  charging: 'Laden',
  off: 'Uit',
  silent: 'Stil',
};

/** Returns 'silent' for a machine whose last values are stale, whatever they are; else its status. */
export const fleetState = (liveData: SignalValues, nowMs: number): FleetState =>
  isStale(liveData.GMT_UNIX, nowMs) ? 'silent' : machineStatus(liveData);
