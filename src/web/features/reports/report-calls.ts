import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReportKind } from '#shared/domain/reports/kinds.ts';
import { call } from '#web/lib/api.ts';
import { MACHINES } from '#web/machines/machine-keys.ts';
import { type Now, queryOf, type ReportView } from './report-view.ts';

/** Queries a report. Disable it while a choice is missing. */
export const useReport = (kind: ReportKind, view: ReportView, now: Now, isEnabled: boolean) =>
  useQuery({
    queryKey: ['report', kind, queryOf(view, now)],
    queryFn: ({ signal }) =>
      call('GET /api/report/:kind', { params: { kind }, query: queryOf(view, now), signal }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });

/** Queries the projects to choose from, with the key of every list of projects. */
export const useProjects = () =>
  useQuery({ queryKey: ['projects'], queryFn: ({ signal }) => call('GET /api/project/get', { signal }) });
/** Queries the machines to choose from, with the key of every list of machines. */
export const useMachines = () =>
  useQuery({ queryKey: MACHINES, queryFn: ({ signal }) => call('GET /api/machine/get/all', { signal }) });

/** Queries the own signals that a machine sent in the last year. */
export const useOwnSignals = (serial: string | undefined) =>
  useQuery({
    queryKey: ['own-signals', serial, 'a year'],
    queryFn: ({ signal }) =>
      call('GET /api/influx/signals/:id', {
        params: { id: serial ?? '' },
        query: { start: '-365d' },
        signal,
      }),
    enabled: serial !== undefined,
  });
