import { useQuery } from '@tanstack/react-query';
import { DEFAULT_NIGHT_HOURS, type NightHours } from '#shared/domain/periods.ts';
import { readQuery } from '#web/queries/read.ts';

/** Returns the hours of last night by the work week of the user's organization; undefined while they load. */
export const useLastNight = (): NightHours | undefined => {
  const query = useQuery(readQuery('GET /api/workweek/night'));
  return query.data ?? (query.error ? DEFAULT_NIGHT_HOURS : undefined);
};
