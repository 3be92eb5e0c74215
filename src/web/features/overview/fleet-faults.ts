import { useMemo } from 'react';
import type { FleetFigures } from '#shared/contract/fleet-figures.ts';
import { faultReason, withReason } from '#shared/domain/attention.ts';
import { figureOf, type Row } from './fleet-row.ts';

/** Adds active fault codes and signals that contradict each other to the reasons of machines that are not silent. Returns the same list when no machine has any. */
export const useWithFaults = (fleet: readonly Row[], figures: FleetFigures | undefined): readonly Row[] =>
  useMemo(() => withFaults(fleet, figures), [fleet, figures]);

export function withFaults(fleet: readonly Row[], figures: FleetFigures | undefined): readonly Row[] {
  let isChanged = false;
  const told = fleet.map((row) => {
    const { faults, contradiction } = figureOf(row, { figures }) ?? {};
    if ((!faults && contradiction === undefined) || row.state === 'silent') return row;
    isChanged = true;
    const attention = faults ? withReason(row.attention, faultReason(faults)) : row.attention;
    if (contradiction === undefined) return { ...row, attention };
    return { ...row, attention: withReason(attention, { kind: 'contradiction', words: contradiction }) };
  });
  return isChanged ? told : fleet;
}
