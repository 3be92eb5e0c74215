import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CustomSignalSeriesResponse } from '#shared/contract/history.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { callApi } from '#web/lib/api.ts';
import { deriveQuery } from '#web/queries/read.ts';
import { CHART_POINTS, type HistoryRequest, historyKey, isoRange, RANGE_POLL_MS } from './history-queries.ts';
import { last24Hours } from './history-view.ts';

/** Queries which signals without a mapping ('custom signals') the machine sent since the start of the range. */
export const useCustomSignals = (request: HistoryRequest) =>
  useQuery({
    ...deriveQuery('GET /api/influx/signals/:id', historyKey(request), (signal) => {
      const { start } = isoRange(request.picked ?? last24Hours(Date.now()));
      return callApi('GET /api/influx/signals/:id', {
        params: { id: request.serial },
        query: { start },
        signal,
      });
    }),
    enabled: request.isEnabled,
    placeholderData: keepPreviousData,
    refetchInterval: request.picked ? false : RANGE_POLL_MS,
  });

export type CustomSignalSeriesInRange = CustomSignalSeriesResponse & { readonly range: TimeRange };

/** Queries the values of custom signals over the range. Returns the previous data while another range or choice is loaded. */
export const useCustomSignalSeries = (request: HistoryRequest, names: readonly string[]) =>
  useQuery({
    ...deriveQuery('GET /api/influx/signals/:id/values', [names, ...historyKey(request)], async (signal) => {
      const range = request.picked ?? last24Hours(Date.now());
      const query = { names: JSON.stringify(names), ...isoRange(range), points: CHART_POINTS };
      const params = { id: request.serial };
      return { range, ...(await callApi('GET /api/influx/signals/:id/values', { params, query, signal })) };
    }),
    enabled: request.isEnabled && names.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: request.picked ? false : RANGE_POLL_MS,
  });
