import { useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { LMB_LOGGERS, MACHINES } from '#web/machines/machine-keys.ts';

/** A machine or LMB logger that may feed back energy. `id`: serial number or loggerid. */
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

/** A stream and a range in Unix milliseconds. */
export type PowerBackQuery = { readonly id: string; readonly from: number; readonly to: number };

/** Queries the energy fed back in kWh and the share of the time for which it is known, in total and per day. */
export const usePowerBack = (asked: PowerBackQuery) =>
  useQuery({
    queryKey: ['power-back', asked],
    queryFn: ({ signal }) => {
      const { id, from, to } = asked;
      const query = { start: new Date(from).toISOString(), stop: new Date(to).toISOString() };
      return call('GET /api/influx/powerback/:id', { params: { id }, query, signal });
    },
    refetchOnWindowFocus: false,
  });
