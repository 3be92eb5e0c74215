import { useQuery } from '@tanstack/react-query';
import { type NightHours, USUAL_NIGHT } from '#shared/domain/periods.ts';
import { readQuery } from '#web/queries/read.ts';

/** Returns the hours of last night by the work week of the user's organization; undefined while they load. */
export const useLastNight = (): NightHours | undefined => {
  const query = useQuery(readQuery('GET /api/workweek/night'));
  return query.data ?? (query.error ? USUAL_NIGHT : undefined);
};
