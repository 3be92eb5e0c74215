/** What a machine counts as in the fleet: what it does, or that nothing was heard of it lately (LIVE-05, LIVE-07). */
import { type MachineStatus, machineStatus, type SignalValues } from './machine-status.ts';
import { isStale } from './staleness.ts';

export type FleetState = MachineStatus | 'silent';

/** In the order in which they are counted. */
export const FLEET_STATES: readonly FleetState[] = ['running', 'charging', 'off', 'silent'];

/** What the machines of a state do together: above their count, and, in small letters, in addresses. */
export const FLEET_STATE_TEXTS: Readonly<Record<FleetState, string>> = {
  running: 'Draaien',
  charging: 'Laden',
  off: 'Uit',
  silent: 'Stil',
};

/** Stale wins: what a machine did when it was last heard is not what it does now. */
export const fleetState = (liveData: SignalValues, nowMs: number): FleetState =>
  isStale(liveData.GMT_UNIX, nowMs) ? 'silent' : machineStatus(liveData);
