import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NetworkChange } from '#shared/contract/writers.ts';
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import { call } from '#web/lib/api.ts';
import { logFilesKey, loggerHealthKey, machineKey } from '#web/machines/machine-keys.ts';

/** A page that is left open shows what the logger does now. */
const REFRESH_MS = 10_000;

/** `serial`: of a machine, or an LMB logger's loggerid. */
export const useLoggerHealth = (serial: string) =>
  useQuery({
    queryKey: loggerHealthKey(serial),
    queryFn: ({ signal }) => call('GET /api/machine/writer/health/:serial', { params: { serial }, signal }),
    refetchInterval: REFRESH_MS,
  });

/** @param most rows; those that were there stay while more are on their way */
export const useLogFiles = (serial: string, most: number) =>
  useQuery({
    queryKey: [...logFilesKey(serial), most],
    queryFn: ({ signal }) =>
      call('GET /api/machine/log-file/:serial', { params: { serial }, query: { most }, signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });

export const useDecodeAgain = (serial: string) =>
  useMutation({
    mutationFn: (id: string) => call('POST /api/machine/log-file/decode', { body: { serial, id } }),
    onSettled: useRenewal(serial),
  });

/** Resolves once what is shown of the logger is new, or could not be renewed. */
export function useRenewal(serial: string): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [loggerHealthKey(serial), logFilesKey(serial), machineKey(serial)].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
}

export const useNewKey = (serial: string) =>
  useMutation({
    mutationFn: (withdraw: boolean) => call('POST /api/machine/writer/key', { body: { serial, withdraw } }),
    onSuccess: useRenewal(serial),
  });

export const useReleaseLogger = (serial: string) =>
  useMutation({
    mutationFn: (influx_serial: string) =>
      call('POST /api/machine/writer/release', { body: { serial, influx_serial } }),
    onSuccess: useRenewal(serial),
  });

type Replacement = {
  readonly influx_serial: string;
  readonly logger_kind: LoggerKind;
  readonly replaces: string;
  readonly from?: string;
};

export const useReplaceLogger = (serial: string) =>
  useMutation({
    mutationFn: (replacement: Replacement) =>
      call('POST /api/machine/writer/replace', { body: { serial, ...replacement } }),
    onSuccess: useRenewal(serial),
  });

export const useTakeBack = (serial: string) =>
  useMutation({
    mutationFn: (id: number) => call('POST /api/machine/writer/take-back', { body: { serial, id } }),
    onSuccess: useRenewal(serial),
  });

export const useTakeOver = (serial: string) =>
  useMutation({
    mutationFn: (id: number) => call('POST /api/machine/writer/take-over', { body: { serial, id } }),
    onSettled: useRenewal(serial),
  });

export const useSetNetwork = (serial: string) =>
  useMutation({
    mutationFn: (change: NetworkChange) =>
      call('POST /api/machine/writer/network', { body: { serial, ...change } }),
    onSuccess: useRenewal(serial),
  });
