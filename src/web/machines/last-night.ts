import { useQuery } from '@tanstack/react-query';
import { type NightHours, USUAL_NIGHT } from '#shared/domain/periods.ts';
import { call } from '#web/lib/api.ts';

/** Returns the hours of last night by the work week of the user's organization; undefined while they load. */
export const useLastNight = (): NightHours | undefined => {
  const query = useQuery({
    queryKey: ['work-week', 'night'],
    queryFn: ({ signal }) => call('GET /api/workweek/night', { signal }),
  });
  return query.data ?? (query.error ? USUAL_NIGHT : undefined);
};
