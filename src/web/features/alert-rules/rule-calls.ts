import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { may } from '#shared/domain/access.ts';
import { call } from '#web/lib/api.ts';
import { ALERTS } from '#web/machines/open-alerts.ts';
import { useUser } from '#web/session/user.ts';
import type { RuleFields } from './rule-fields.ts';

const RULES = ['alert-rules'] as const;

export const useRules = () =>
  useQuery({ queryKey: RULES, queryFn: ({ signal }) => call('GET /api/alert-rule/get', { signal }) });

/** A rule to save. Without `_id` the rule is new; `organization` is given only by an administrator. */
export type SavedRule = RuleFields & {
  readonly _id?: number;
  readonly isOwn: boolean;
  readonly organization?: string;
};

/** Reloads the rules and the alerts: a changed rule resolves its open alerts. */
function useInvalidateRules(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all([RULES, ALERTS].map((queryKey) => client.invalidateQueries({ queryKey })));
}

export const useSaveRule = () =>
  useMutation({
    mutationFn: (rule: SavedRule) => call('POST /api/alert-rule/save', { body: rule }),
    onSuccess: useInvalidateRules(),
  });

export const useDeleteRule = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/alert-rule/delete', { body: { _id } }),
    onSuccess: useInvalidateRules(),
  });

/** The organizations for which an administrator makes rules. Its key shares the prefix of all lists of organizations. */
export const useOwners = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['organizations', 'electric'],
    queryFn: ({ signal }) => call('GET /api/organization/get/electric', { signal }),
    enabled: isEnabled,
  });

/** The projects that the user sees. The query key is the same on every page. */
export const useProjects = () =>
  useQuery({ queryKey: ['projects'], queryFn: ({ signal }) => call('GET /api/project/get', { signal }) });

/** The users whom a rule can notify. The query key is the same on every page. */
export const usePeople = () =>
  useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => call('GET /api/user/get', { signal }),
    enabled: may(useUser(), 'see-users'),
  });
