import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Project } from '#shared/contract/projects.ts';
import { call } from '#web/lib/api.ts';

export const PROJECTS = ['projects'] as const;

/** Polls often while the server still computes machines of a project, to show how many are left. */
const SOON_MS = 1_500;
const SELDOM_MS = 20_000;
const pollAfter = (left: number): number => (left > 0 ? SOON_MS : SELDOM_MS);

/** Queries the projects, the newest first. */
export const useProjects = () =>
  useQuery({
    queryKey: PROJECTS,
    queryFn: ({ signal }) => call('GET /api/project/get', { signal }),
    refetchInterval: ({ state }) => pollAfter(Math.max(0, ...(state.data ?? []).map(({ left }) => left))),
  });

export type Days = { readonly firstDay: string; readonly lastDay: string };

/** Queries a project with the figures of its machines on these days. Disabled once the project is being deleted. */
export const useProjectPage = (id: number, days: Days, isWanted: boolean) =>
  useQuery({
    queryKey: [...PROJECTS, id, days],
    enabled: isWanted,
    queryFn: ({ signal }) => call('GET /api/project/page', { query: { _id: id, ...days }, signal }),
    refetchInterval: ({ state }) => pollAfter(state.data?.project.left ?? 0),
    placeholderData: keepPreviousData,
  });

/** Queries the organizations that can have projects. */
export const useOwners = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['organizations', 'electric'],
    queryFn: ({ signal }) => call('GET /api/organization/get/electric', { signal }),
    enabled: isEnabled,
  });

/** Returns a function that refreshes every query about projects, because a change of one affects machines of others. */
const useRefresh = () => {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: PROJECTS });
};

export type ProjectFields = Pick<
  Project,
  'projectName' | 'projectNumber' | 'client' | 'firstDay' | 'lastDay' | 'areas'
>;

export const useCreateProject = () =>
  useMutation({
    mutationFn: (body: ProjectFields & { readonly organization?: string }) =>
      call('POST /api/project/create', { body }),
    onSuccess: useRefresh(),
  });

export const useEditProject = () =>
  useMutation({
    mutationFn: (body: ProjectFields & Pick<Project, '_id' | 'version'>) =>
      call('POST /api/project/edit', { body }),
    onSuccess: useRefresh(),
  });

export function useDeleteProject() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (_id: number) => call('POST /api/project/delete', { body: { _id } }),
    // A running query would end with 'not found' after the deletion.
    onMutate: (_id) => client.cancelQueries({ queryKey: [...PROJECTS, _id] }),
    // Only the list, not the page of the deleted project.
    onSuccess: () => client.invalidateQueries({ queryKey: PROJECTS, exact: true }),
  });
}

export const useAssign = () =>
  useMutation({
    mutationFn: (body: {
      readonly _id: number;
      readonly serial: string;
      readonly from: string;
      readonly until: string | null;
    }) => call('POST /api/project/assign', { body }),
    onSuccess: useRefresh(),
  });

/** Mutation that refreshes every query about projects. */
export const useProjectChange = <In, Out>(mutationFn: (input: In) => Promise<Out>) =>
  useMutation({ mutationFn, onSuccess: useRefresh() });
