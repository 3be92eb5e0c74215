import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { MOST_SPEED_DAYS } from '#shared/domain/route-speeds.ts';
import { call } from '#web/lib/api.ts';
import { type Asked, iso, keyOf } from './history-calls.ts';
import { last24Hours } from './history-view.ts';

const DAY_MS = 86_400_000;

type Answer = Awaited<ReturnType<typeof call<'GET /api/influx/speeds/:serialNumber'>>>;

/** Speeds of a route; `ms` since 1970, km/h. `slot`: seconds. */
export type RouteSpeeds = Pick<Answer, 'driven' | 'carried' | 'slot'> & {
  readonly course: readonly { readonly ms: number; readonly kmh: number; readonly isCarried: boolean }[];
};

/** The speeds of a range; `isLong`: it has too many days, and nothing is asked for. */
export function useRouteSpeeds(asked: Asked) {
  const { picked } = asked;
  const isLong = picked !== undefined && picked.to - picked.from > MOST_SPEED_DAYS * DAY_MS;
  const query = useQuery({
    queryKey: ['machine-speeds', asked.serial, ...keyOf(asked)],
    queryFn: async ({ signal }) => {
      const range = picked ?? last24Hours(Date.now());
      const { course, ...speeds } = await call('GET /api/influx/speeds/:serialNumber', {
        params: { serialNumber: asked.serial },
        query: iso(range),
        signal,
      });
      const points = course.map(({ time, ...point }) => ({ ms: Date.parse(time), ...point }));
      return { range, speeds: { ...speeds, course: points } satisfies RouteSpeeds };
    },
    enabled: asked.isEnabled && !isLong,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  return { data: query.data, error: query.error, isLong };
}
