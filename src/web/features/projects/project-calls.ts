import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Project } from '#shared/contract/projects.ts';
import { call } from '#web/lib/api.ts';

export const PROJECTS = ['projects'] as const;

/** While machines are counted anew, so that the page says how many are left; else now and then. ms */
const SOON_MS = 1_500;
const SELDOM_MS = 20_000;
const pollAfter = (left: number): number => (left > 0 ? SOON_MS : SELDOM_MS);

/** The newest first. */
export const useProjects = () =>
  useQuery({
    queryKey: PROJECTS,
    queryFn: ({ signal }) => call('GET /api/project/get', { signal }),
    refetchInterval: ({ state }) => pollAfter(Math.max(0, ...(state.data ?? []).map(({ left }) => left))),
  });

export type Days = { readonly firstDay: string; readonly lastDay: string };

/** Of one of them, with what its machines did on these days; not asked once it is being deleted. */
export const useProjectPage = (id: number, days: Days, isWanted: boolean) =>
  useQuery({
    queryKey: [...PROJECTS, id, days],
    enabled: isWanted,
    queryFn: ({ signal }) => call('GET /api/project/page', { query: { _id: id, ...days }, signal }),
    refetchInterval: ({ state }) => pollAfter(state.data?.project.left ?? 0),
    placeholderData: keepPreviousData,
  });

/** The organizations that can have projects. */
export const useOwners = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['organizations', 'electric'],
    queryFn: ({ signal }) => call('GET /api/organization/get/electric', { signal }),
    enabled: isEnabled,
  });

/** Every list is asked for again: a change of one touches the machines of others. */
const useAftermath = () => {
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
    onSuccess: useAftermath(),
  });

export const useEditProject = () =>
  useMutation({
    mutationFn: (body: ProjectFields & Pick<Project, '_id' | 'version'>) =>
      call('POST /api/project/edit', { body }),
    onSuccess: useAftermath(),
  });

export function useDeleteProject() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (_id: number) => call('POST /api/project/delete', { body: { _id } }),
    // What was asked of it before would be answered after: that it is not there.
    onMutate: (_id) => client.cancelQueries({ queryKey: [...PROJECTS, _id] }),
    // Not its own page, which is not there any more.
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
    onSuccess: useAftermath(),
  });

/** A change after which every list is asked for again. */
export const useProjectChange = <In, Out>(mutationFn: (input: In) => Promise<Out>) =>
  useMutation({ mutationFn, onSuccess: useAftermath() });
