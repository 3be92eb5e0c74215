import { useEffect, useMemo, useState } from 'react';
import type { Attention } from '#shared/domain/attention.ts';
import { averagePercent, batteriesOf } from '#shared/domain/battery.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { positionOf } from '#shared/domain/position.ts';
import { isStale } from '#shared/domain/staleness.ts';
import { warn } from '#web/lib/warn.ts';
import type { FleetEntry } from '#web/live/live-snapshot.ts';
import type { MachineWithState } from '#web/machines/fleet-filter.ts';
import type { MapMachine } from '#web/map/map-machine.ts';

export type AttentionByMachine = ReadonlyMap<string, Attention>;
const NO_ATTENTION: AttentionByMachine = new Map();

const isSame = (a: Attention | undefined, b: Attention | undefined): boolean =>
  a === b || (a !== undefined && a.kind === b?.kind && a.words === b.words);

/** Returns each machine's most urgent reason for attention, except silence, which the map shows with a grey marker. */
export function attentionOnMap(judged: readonly MachineWithState<FleetEntry>[]): AttentionByMachine {
  const reasons = new Map<string, Attention>();
  for (const { entry, attention } of judged) {
    const reason = attention.find(({ kind }) => kind !== 'silent');
    if (reason) reasons.set(entry.metadata.serialNumber, reason);
  }
  return reasons;
}

/**
 * Returns the machines that have a position, in the order of `fleet` (LIVE-06: no marker at 0,0).
 * @param before the result of the last call. Objects of machines that look the same are reused, and so is the list if nothing
 *   changed, so that the map redraws only what changed (MAP-13).
 * @param attention by serial number, the reason why a machine needs attention
 */
export function machinesOnMap(
  fleet: readonly FleetEntry[],
  nowMs: number,
  before: readonly MapMachine[] = [],
  attention: AttentionByMachine = NO_ATTENTION,
): readonly MapMachine[] {
  /** Machines of `before` by id; built only once an entry has changed. */
  let known: ReadonlyMap<string, MapMachine> | undefined;
  const machines: MapMachine[] = [];
  for (const entry of fleet) {
    const stale = isStale(entry.liveData.GMT_UNIX, nowMs);
    let machine = lastMade.get(entry);
    const reason = attention.get(entry.metadata.serialNumber);
    if (
      machine === undefined ||
      (machine && (machine.stale !== stale || !isSame(machine.attention, reason)))
    ) {
      machine = machineOf(entry, stale, reason);
      if (machine) {
        known ??= new Map(before.map((one) => [one.id, one]));
        const was = known.get(machine.id);
        if (was && isSameMarker(was, machine)) machine = was;
      }
      lastMade.set(entry, machine);
    }
    if (machine) machines.push(machine);
  }
  const same = machines.length === before.length && machines.every((machine, at) => machine === before[at]);
  return same ? before : machines;
}

/**
 * Cache of the last MapMachine made from each entry; null if the entry has no position. Because a changed entry is a new
 * object, only `stale` and `attention` of a cached MapMachine can be out of date.
 */
const lastMade = new WeakMap<FleetEntry, MapMachine | null>();

function machineOf(entry: FleetEntry, stale: boolean, attention: Attention | undefined): MapMachine | null {
  const { metadata, liveData } = entry;
  const position = positionOf(liveData);
  if (!position) return null;
  const mean = averagePercent(batteriesOf(liveData, metadata.batteries));
  return {
    ...position,
    id: metadata.serialNumber,
    alias: metadata.alias,
    status: machineStatus(liveData),
    stale,
    // Rounded as the map shows it, so that a smaller change redraws nothing.
    percent: mean === undefined ? undefined : Math.round(mean),
    isLow: !stale && entry.reasons.some(({ kind }) => kind === 'low'),
    attention,
  };
}

const isSameMarker = (a: MapMachine, b: MapMachine): boolean =>
  a.lat === b.lat &&
  a.lon === b.lon &&
  a.status === b.status &&
  a.stale === b.stale &&
  a.percent === b.percent &&
  a.isLow === b.isLow &&
  isSame(a.attention, b.attention) &&
  a.alias === b.alias;

/** Returns the serial numbers of machines that report without a position (LIVE-06). */
export const serialsWithoutPosition = (fleet: readonly FleetEntry[]): string[] =>
  fleet
    .filter(({ liveData }) => liveData.GMT_UNIX > 0 && !positionOf(liveData))
    .map(({ metadata }) => metadata.serialNumber);

/** Serial numbers of machines without a position that were already logged: each is logged once, not at every poll. */
const warned = new Set<string>();

/** Returns the machines on the map. A machine's object is a new one only if the map shows the machine differently. */
export function useMapMachines(
  fleet: readonly FleetEntry[],
  nowMs: number,
  attention: AttentionByMachine,
): readonly MapMachine[] {
  const [last] = useState<{ machines: readonly MapMachine[] }>(() => ({ machines: [] }));
  useEffect(() => {
    for (const serialNumber of serialsWithoutPosition(fleet)) {
      if (!warned.has(serialNumber)) warn(`Machine ${serialNumber} has no position.`);
      warned.add(serialNumber);
    }
  }, [fleet]);
  return useMemo(() => {
    last.machines = machinesOnMap(fleet, nowMs, last.machines, attention);
    return last.machines;
  }, [fleet, nowMs, attention, last]);
}
