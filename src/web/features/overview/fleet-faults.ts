import { useMemo } from 'react';
import type { FleetFigures } from '#shared/contract/fleet-figures.ts';
import { faultReason, withReason } from '#shared/domain/attention.ts';
import { figureOf, type Row } from './fleet-row.ts';

/** Adds active fault codes to the reasons of machines that are not silent. Returns the same list when no machine has any. */
export const useWithFaults = (fleet: readonly Row[], figures: FleetFigures | undefined): readonly Row[] =>
  useMemo(() => withFaults(fleet, figures), [fleet, figures]);

export function withFaults(fleet: readonly Row[], figures: FleetFigures | undefined): readonly Row[] {
  let isChanged = false;
  const told = fleet.map((row) => {
    const faults = figureOf(row, { figures, own: undefined })?.faults;
    if (!faults || row.state === 'silent') return row;
    isChanged = true;
    return { ...row, attention: withReason(row.attention, faultReason(faults)) };
  });
  return isChanged ? told : fleet;
}
