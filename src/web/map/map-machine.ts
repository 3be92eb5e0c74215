import type { Attention } from '#shared/domain/attention.ts';
import type { MachineStatus } from '#shared/domain/machine-status.ts';
import type { Position } from '#shared/domain/position.ts';

/**
 * What the map knows of a machine. Unchanged machines must keep their identity from one update to the next:
 * that is how the map sees what to leave alone.
 */
export type MapMachine = Position & {
  /** Serial number, or loggerid of an LMB logger. */
  readonly id: string;
  readonly alias: string;
  readonly status: MachineStatus;
  readonly stale: boolean;
  /** Of all its batteries, whole; undefined: not known. */
  readonly percent: number | undefined;
  /** It wants a charger (attention.ts). */
  readonly isLow: boolean;
  /** The most urgent reason for attention; silence, which has a look of its own, is none. */
  readonly attention: Attention | undefined;
};
