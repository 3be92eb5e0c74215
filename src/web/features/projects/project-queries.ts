import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readQuery } from '#web/queries/read.ts';

/** Polls often while the server still computes the figures of a project's machines, to show how many machines are left. */
const SOON_MS = 1_500;
const SELDOM_MS = 20_000;
const pollAfter = (left: number): number => (left > 0 ? SOON_MS : SELDOM_MS);

/** Queries the projects, the newest first. */
export const useProjects = () =>
  useQuery({
    ...readQuery('GET /api/project/get'),
    refetchInterval: ({ state }) => pollAfter(Math.max(0, ...(state.data ?? []).map(({ left }) => left))),
  });

export type DayRange = { readonly firstDay: string; readonly lastDay: string };

/** Queries a project with the figures of its machines on these days. Disabled once the project is being deleted. */
export const useProjectPage = (id: number, days: DayRange, isWanted: boolean) =>
  useQuery({
    ...readQuery('GET /api/project/page', { query: { _id: id, ...days } }),
    enabled: isWanted,
    refetchInterval: ({ state }) => pollAfter(state.data?.project.left ?? 0),
    placeholderData: keepPreviousData,
  });
