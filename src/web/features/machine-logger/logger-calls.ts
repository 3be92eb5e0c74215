import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NetworkChange } from '#shared/contract/writers.ts';
import type { LoggerKind } from '#shared/domain/identifiers.ts';
import { call } from '#web/lib/api.ts';
import { logFilesKey, loggerHealthKey, machineKey } from '#web/machines/machine-keys.ts';

/** Interval at which an open page reloads the state of the logger. */
const REFRESH_MS = 10_000;

/** The state of a logger. `serial` is a machine's serial number or an LMB logger's loggerid. */
export const useLoggerHealth = (serial: string) =>
  useQuery({
    queryKey: loggerHealthKey(serial),
    queryFn: ({ signal }) => call('GET /api/machine/writer/health/:serial', { params: { serial }, signal }),
    refetchInterval: REFRESH_MS,
  });

/** The newest log files, at most `most`. The present rows stay while more are loaded. */
export const useLogFiles = (serial: string, most: number) =>
  useQuery({
    queryKey: [...logFilesKey(serial), most],
    queryFn: ({ signal }) =>
      call('GET /api/machine/log-file/:serial', { params: { serial }, query: { most }, signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });

/** The weeks that are over, of which a file can be downloaded. */
export const useClosedWeeks = (serial: string) =>
  useQuery({
    queryKey: ['closed-weeks', serial],
    queryFn: ({ signal }) => call('GET /api/machine/closed-week/:serial', { params: { serial }, signal }),
  });

export const useDecodeAgain = (serial: string) =>
  useMutation({
    mutationFn: (id: string) => call('POST /api/machine/log-file/decode', { body: { serial, id } }),
    onSettled: useInvalidateLogger(serial),
  });

/** Reloads what is shown about the logger. Resolves also if that fails. */
export function useInvalidateLogger(serial: string): () => Promise<unknown> {
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
    onSuccess: useInvalidateLogger(serial),
  });

export const useReleaseLogger = (serial: string) =>
  useMutation({
    mutationFn: (influx_serial: string) =>
      call('POST /api/machine/writer/release', { body: { serial, influx_serial } }),
    onSuccess: useInvalidateLogger(serial),
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
    onSuccess: useInvalidateLogger(serial),
  });

export const useRestoreLogger = (serial: string) =>
  useMutation({
    mutationFn: (id: number) => call('POST /api/machine/writer/take-back', { body: { serial, id } }),
    onSuccess: useInvalidateLogger(serial),
  });

export const useAdopt = (serial: string) =>
  useMutation({
    mutationFn: (id: number) => call('POST /api/machine/writer/take-over', { body: { serial, id } }),
    onSettled: useInvalidateLogger(serial),
  });

export const useSetNetwork = (serial: string) =>
  useMutation({
    mutationFn: (change: NetworkChange) =>
      call('POST /api/machine/writer/network', { body: { serial, ...change } }),
    onSuccess: useInvalidateLogger(serial),
  });
