import { useMemo } from 'react';
import type { FleetFigures } from '#shared/contract/fleet-figures.ts';
import { addAttentionReason, faultReason } from '#shared/domain/attention.ts';
import type { FleetEntry } from '#web/live/live-snapshot.ts';
import type { MachineWithState } from './fleet-filter.ts';

type Row = MachineWithState<FleetEntry>;

/**
 * Adds active fault codes and contradicting signals to the reasons of machines that are not silent. Returns the
 * given array itself if there are none.
 */
export const useFleetWithFaultReasons = (
  fleet: readonly Row[],
  figures: FleetFigures | undefined,
): readonly Row[] => useMemo(() => withFaultReasons(fleet, figures), [fleet, figures]);

export function withFaultReasons(fleet: readonly Row[], figures: FleetFigures | undefined): readonly Row[] {
  let isChanged = false;
  const extended = fleet.map((row) => {
    const { serialNumber } = row.entry.metadata;
    const figure = figures && Object.hasOwn(figures, serialNumber) ? figures[serialNumber] : undefined;
    const { faults, contradiction } = figure ?? {};
    if ((!faults && contradiction === undefined) || row.state === 'silent') return row;
    isChanged = true;
    const attention = faults ? addAttentionReason(row.attention, faultReason(faults)) : row.attention;
    if (contradiction === undefined) return { ...row, attention };
    return {
      ...row,
      attention: addAttentionReason(attention, { kind: 'contradiction', words: contradiction }),
    };
  });
  return isChanged ? extended : fleet;
}
