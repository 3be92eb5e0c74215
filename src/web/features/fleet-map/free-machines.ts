/** Decides which machines are free for work elsewhere. */
import type { FleetFigures } from '#shared/contract/fleet-figures.ts';
import type { LiveEntry } from '#shared/contract/live.ts';
import { fleetState } from '#shared/domain/fleet-state.ts';
import { positionOf } from '#shared/domain/position.ts';

export type MachineAvailability =
  /** The machine is off and is on no project. */
  | { readonly kind: 'free' }
  | { readonly kind: 'project'; readonly name: string }
  /** The machine is on no project, but is running or charging, is silent, or has no position that the user sees. */
  | { readonly kind: 'busy' };

/**
 * Returns whether a machine is free, busy or on a project; undefined for an LMB logger, which has no machine. A
 * machine that is silent, or whose position the user does not see, is never free, because it may be at work.
 * @param figures undefined while they are not loaded; the result is then undefined too
 */
export function machineAvailabilityOf(
  { metadata, liveData }: LiveEntry,
  figures: FleetFigures | undefined,
  nowMs: number,
): MachineAvailability | undefined {
  if (!figures || metadata.kind !== 'machine') return undefined;
  const { serialNumber } = metadata;
  const project = Object.hasOwn(figures, serialNumber) ? figures[serialNumber]?.project : undefined;
  if (project) return { kind: 'project', name: project.projectName };
  const isFree = Boolean(positionOf(liveData)) && fleetState(liveData, nowMs) === 'off';
  return { kind: isFree ? 'free' : 'busy' };
}
