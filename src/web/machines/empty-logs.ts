import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EmptyLogs } from '#shared/contract/log-files.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { addAttentionReason } from '#shared/domain/attention.ts';
import type { FleetEntry } from '#web/live/live-snapshot.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';
import type { MachineWithState } from './fleet-filter.ts';

type Row = MachineWithState<FleetEntry>;

const POLL_EVERY_MS = 5 * 60_000;

/**
 * Adds a reason for attention to machines whose last log files had no readings. Only for administrators, because only
 * they see log files.
 */
export function useFleetWithEmptyLogReasons(fleet: readonly Row[]): readonly Row[] {
  const { data } = useQuery({
    ...readQuery('GET /api/machine/empty-logs'),
    enabled: isActionAllowed(useUser(), 'manage-machines'),
    refetchInterval: POLL_EVERY_MS,
    staleTime: POLL_EVERY_MS,
  });
  return useMemo(() => addEmptyLogReasons(fleet, data), [fleet, data]);
}

/** Adds the reason 'logs-empty'. Returns the given array itself if the reason applies to no machine. */
export function addEmptyLogReasons(fleet: readonly Row[], loggers: EmptyLogs | undefined): readonly Row[] {
  if (!loggers || loggers.length === 0) return fleet;
  const texts = new Map(loggers.map((one) => [one.serialNumber, one.words]));
  return fleet.map((row) => {
    const words = texts.get(row.entry.metadata.serialNumber);
    return words === undefined
      ? row
      : { ...row, attention: addAttentionReason(row.attention, { kind: 'logs-empty', words }) };
  });
}
