import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { may } from '#shared/domain/access.ts';
import { call } from '#web/lib/api.ts';
import { ALERTS } from '#web/machines/open-alerts.ts';
import { useUser } from '#web/session/user.ts';
import type { RuleFields } from './rule-fields.ts';

const RULES = ['alert-rules'] as const;

export const useRules = () =>
  useQuery({ queryKey: RULES, queryFn: ({ signal }) => call('GET /api/alert-rule/get', { signal }) });

/** `_id` undefined: a new one, of `organization` where an administrator says it. */
export type SavedRule = RuleFields & {
  readonly _id?: number;
  readonly isOwn: boolean;
  readonly organization?: string;
};

/** What is open by a rule that asks something else now is over: both lists are asked for again. */
function useRenewal(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all([RULES, ALERTS].map((queryKey) => client.invalidateQueries({ queryKey })));
}

export const useSaveRule = () =>
  useMutation({
    mutationFn: (rule: SavedRule) => call('POST /api/alert-rule/save', { body: rule }),
    onSuccess: useRenewal(),
  });

export const useDeleteRule = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/alert-rule/delete', { body: { _id } }),
    onSuccess: useRenewal(),
  });

/** Of whom an administrator makes rules. Its key begins as every list of organizations does. */
export const useOwners = (isAsked: boolean) =>
  useQuery({
    queryKey: ['organizations', 'electric'],
    queryFn: ({ signal }) => call('GET /api/organization/get/electric', { signal }),
    enabled: isAsked,
  });

/** The keys of these are those of every list of them. */
export const useProjects = () =>
  useQuery({ queryKey: ['projects'], queryFn: ({ signal }) => call('GET /api/project/get', { signal }) });

export const usePeople = () =>
  useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => call('GET /api/user/get', { signal }),
    enabled: may(useUser(), 'see-users'),
  });
