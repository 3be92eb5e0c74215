import { useMemo, useState } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { inNameOrder, workingFirst } from '#shared/domain/fleet-order.ts';

/** The fleet in the order of the quick menu (APP-08), quick from the second poll on: names hardly change. */
export function useFleetOrder(fleet: readonly LiveEntry[]): readonly LiveEntry[] {
  const [last] = useState<{ byName: readonly LiveEntry[] }>(() => ({ byName: [] }));
  return useMemo(() => {
    const byName = inNameOrder(fleet, last.byName);
    last.byName = byName;
    return workingFirst(byName);
  }, [fleet, last]);
}
