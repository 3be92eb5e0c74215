import type { Attention } from '#shared/domain/attention.ts';
import type { MachineStatus } from '#shared/domain/machine-status.ts';
import type { Position } from '#shared/domain/position.ts';

/** A machine on the map. An unchanged machine must stay the same object, because the map draws a machine again when its object changes. */
export type MapMachine = Position & {
  /** Serial number, or loggerid of an LMB logger. */
  readonly id: string;
  readonly alias: string;
  readonly status: MachineStatus;
  readonly stale: boolean;
  /** Charge level of all batteries together; undefined if unknown. */
  readonly percent: number | undefined;
  /** The battery is low (attention.ts). */
  readonly isLow: boolean;
  /** The most urgent reason for attention, except silence, which has its own style. */
  readonly attention: Attention | undefined;
};
