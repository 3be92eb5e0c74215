import { useQuery } from '@tanstack/react-query';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { call } from '#web/lib/api.ts';
import type { NamedArea } from './origin.ts';

const NONE: readonly NamedArea[] = [];

/** Returns the projects that have not ended, as areas from which distances can be measured. @param isWanted the person searches */
export function useNamedAreas(isWanted: boolean, nowMs: number): readonly NamedArea[] {
  const { data } = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => call('GET /api/project/get', { signal }),
    enabled: isWanted,
    select: (projects): readonly NamedArea[] => {
      const today = amsterdamDay(nowMs);
      return projects
        .filter(({ lastDay }) => lastDay === null || lastDay >= today)
        .map(({ _id, projectName, areas }) => ({
          key: `project-${_id}`,
          name: projectName,
          sort: 'Project',
          areas,
        }));
    },
  });
  return data ?? NONE;
}
