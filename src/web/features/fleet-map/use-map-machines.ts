import { useEffect, useMemo, useState } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { warn } from '#web/lib/warn.ts';
import type { MapMachine } from '#web/map/map-machine.ts';
import { mapMachines, withoutPosition } from './map-machines.ts';

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
