import { useEffect, useMemo, useState } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { attentionOf } from '#shared/domain/attention.ts';
import { averagePercent, batteriesOf } from '#shared/domain/battery.ts';
import { machineStatus } from '#shared/domain/machine-status.ts';
import { positionOf } from '#shared/domain/position.ts';
import { isStale } from '#shared/domain/staleness.ts';
import { warn } from '#web/lib/warn.ts';
import type { MapMachine } from '#web/map/map-machine.ts';

/**
 * The machines that have a position, in received order (LIVE-06: no marker at 0,0).
 *
 * @param before What the last call returned: whatever looks the same keeps its identity, the list included, so
 *   that the map touches only what changed (MAP-13). A new reading alone changes nothing on the map.
 */
export function mapMachines(
  fleet: readonly LiveEntry[],
  nowMs: number,
  before: readonly MapMachine[] = [],
): readonly MapMachine[] {
  const known = new Map(before.map((machine) => [machine.id, machine]));
  const machines: MapMachine[] = [];
  for (const entry of fleet) {
    const { metadata, liveData } = entry;
    const position = positionOf(liveData);
    if (!position) continue;
    const machine: MapMachine = {
      ...position,
      id: metadata.serialNumber,
      alias: metadata.alias,
      status: machineStatus(liveData),
      stale: isStale(liveData.GMT_UNIX, nowMs),
      percent: chargeOf(entry),
      isLow: attentionOf(entry, nowMs, NO_RULES).some(({ kind }) => kind === 'low'),
    };
    const was = known.get(machine.id);
    machines.push(was && looksTheSame(was, machine) ? was : machine);
  }
  const same = machines.length === before.length && machines.every((machine, at) => machine === before[at]);
  return same ? before : machines;
}

/** Whether a position is missing does not matter here. */
const NO_RULES = { seesPositions: false };

/** Live data that did not change are the same object: of ten thousand machines most did not. */
const charges = new WeakMap<LiveEntry, number>();

/** The mean of its batteries, whole as it is shown: a tenth more changes nothing on the map. */
function chargeOf(entry: LiveEntry): number | undefined {
  const known = charges.get(entry);
  if (known !== undefined) return Number.isNaN(known) ? undefined : known;
  const mean = averagePercent(batteriesOf(entry.liveData, entry.metadata.batteries));
  const whole = mean === undefined ? undefined : Math.round(mean);
  charges.set(entry, whole ?? Number.NaN);
  return whole;
}

const looksTheSame = (a: MapMachine, b: MapMachine): boolean =>
  a.lat === b.lat &&
  a.lon === b.lon &&
  a.status === b.status &&
  a.stale === b.stale &&
  a.percent === b.percent &&
  a.isLow === b.isLow &&
  a.alias === b.alias;

/** Serial numbers of machines that did report, but without a position (LIVE-06). */
export const withoutPosition = (fleet: readonly LiveEntry[]): string[] =>
  fleet
    .filter(({ liveData }) => liveData.GMT_UNIX > 0 && !positionOf(liveData))
    .map(({ metadata }) => metadata.serialNumber);

/** Serial numbers that were warned about: once each, not once per poll. */
const warned = new Set<string>();

/** The machines on the map; their identity changes only with what the map shows of them. */
export function useMapMachines(fleet: readonly LiveEntry[], nowMs: number): readonly MapMachine[] {
  const [last] = useState<{ machines: readonly MapMachine[] }>(() => ({ machines: [] }));
  useEffect(() => {
    for (const serialNumber of withoutPosition(fleet)) {
      if (!warned.has(serialNumber)) warn(`Machine ${serialNumber} has no position.`);
      warned.add(serialNumber);
    }
  }, [fleet]);
  return useMemo(() => {
    last.machines = mapMachines(fleet, nowMs, last.machines);
    return last.machines;
  }, [fleet, nowMs, last]);
}
