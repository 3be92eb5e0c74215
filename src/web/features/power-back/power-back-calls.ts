import { useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { LMB_LOGGERS, MACHINES } from '#web/machines/machine-keys.ts';

/** What can give energy back: a machine by its serial number, or an LMB logger by its loggerid. */
export type Stream = { readonly id: string; readonly name: string; readonly owner: string };

export const useMachineStreams = (isEnabled: boolean) =>
  useQuery({
    queryKey: MACHINES,
    queryFn: ({ signal }) => call('GET /api/machine/get/all', { signal }),
    enabled: isEnabled,
    select: (machines): Stream[] =>
      machines.map(({ serialNumber, brand, model, alias, cleanorg }) => ({
        id: serialNumber,
        name: `${alias} (${brand} ${model})`,
        owner: cleanorg,
      })),
  });

export const useLoggerStreams = (isEnabled: boolean) =>
  useQuery({
    queryKey: LMB_LOGGERS,
    queryFn: ({ signal }) => call('GET /api/berend/get', { signal }),
    enabled: isEnabled,
    select: (loggers): Stream[] =>
      loggers.map(({ loggerid, alias, cleanorg }) => ({ id: loggerid, name: alias, owner: cleanorg })),
  });

/** ms. */
export type Asked = { readonly id: string; readonly from: number; readonly to: number };

/** kWh, and of which share of the time, of all of it and of each day. */
export const usePowerBack = (asked: Asked) =>
  useQuery({
    queryKey: ['power-back', asked],
    queryFn: ({ signal }) => {
      const { id, from, to } = asked;
      const query = { start: new Date(from).toISOString(), stop: new Date(to).toISOString() };
      return call('GET /api/influx/powerback/:id', { params: { id }, query, signal });
    },
    refetchOnWindowFocus: false,
  });
