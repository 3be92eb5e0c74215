import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { useTerreinen } from '#web/machines/terreinen.ts';
import { readQuery } from '#web/queries/read.ts';
import type { NamedArea } from './origin.ts';

/**
 * Returns the terreinen (yards, depots) and the projects that have not ended, as areas from which distances can be measured.
 * @param isWanted whether to load them
 */
export function useNamedAreas(isWanted: boolean, nowMs: number): readonly NamedArea[] {
  const terreinen = useTerreinen(isWanted).data;
  const { data: projects } = useQuery({
    ...readQuery('GET /api/project/get'),
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
  return useMemo(
    () => [
      ...(terreinen ?? []).map(({ _id, terreinName, areas }) => ({
        key: `terrein-${_id}`,
        name: terreinName,
        sort: 'Terrein' as const,
        areas,
      })),
      ...(projects ?? []),
    ],
    [terreinen, projects],
  );
}
