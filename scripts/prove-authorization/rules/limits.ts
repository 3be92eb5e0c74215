import { proved, type Rule } from '../rule.ts';

/** Rules of limits: which machines and times a limited person sees, and which calls are refused (docs/decisions/0077-limited-people.md). */
export const limits: readonly Rule[] = [
  ...proved('principals.pg.test.ts', {
    'limits: a call that is not listed is refused':
      "⟦if (!gate.isServed(caller, key)) throw forbidden('Dit hoort niet bij wat je mag zien.');⟧",
    'limits: of the present day alone, what needs earlier days is refused':
      "(LIMITED_CALLS[call] === 'machines' ⟦&& !limit.onlyToday⟧)",
  }),
  ...proved('access.test.ts', {
    'limits: a limited person sees no organization as a whole': '⟦if (limit !== null) return [];⟧',
    'limits: a limited person manages nothing': '⟦if (isLimited && !WHEN_LIMITED.has(action)) return false;⟧',
  }),
  ...proved('limited-people.pg.test.ts', {
    'limits: a machine outside the limit is not there':
      '({ limited }: Scope): string => limited ⟦→&& !limited⟧ ? seen(',
    'limits: a history is of the times of the limit':
      'limited ? ⟦overlaps(own, limited.machines.get(streamId)?.times ?? [])→own⟧ : own',
    'limits: live: a machine outside the limit is not there':
      '=== organizationId && ⟦scope.limited.machines.has(streamId)→true⟧ :',
    'limits: live: no value of before': 'const ownedSince = Math.max(stream.ownedSince⟦, since⟧);',
    'limits: live: an answer is kept for one limit only': `⟦\${limited ? \` \${limitKey(limited)}\` : ''}→⟧\`;`,
    'limits: the present day begins at midnight':
      'machines.set(streamId, { times: ⟦overlaps(times, [whole])→times⟧, isAnywhere: false });',
    'limits: projects that were deleted open nothing': {
      out: 'from project where id = any ($1) and organization_id = $2 ⟦and deleted_at is null⟧',
      hiding: 'from project where ⟦deleted_at is null and⟧ organization_id = any ($1) and (to_timestamp',
    },
    'limits: where a machine is by position is for who sees routes':
      '=> beginOf.has(projectId) && ⟦(byHand || seesRoutes)→true⟧',
    'limits: days are those on the projects':
      'projects: isAnywhere ? [0] : ⟦(limited.projects ?? [])→[0]⟧, firstDay',
    'limits: days begin today':
      'firstDay: ⟦limited?.onlyToday→limited === null⟧ ? amsterdamDay(limited.from) : null',
    'limits: alerts of several machines, and those that name projects, are not for limited people':
      '⟦limited→limited === null⟧ ? `(s.id is not null',
    'limits: a report is of machines of the limit':
      'return isOwn ? ⟦overlaps([{ from, to }], limited.machines.get(streamId)?.times ?? [])→[{ from, to }]⟧ : [];',
    'limits: running hours of a report are those on the projects':
      'isAnywhere: ⟦isSeenAnywhere(scope, row.streamId)→true⟧,',
    'limits: a list of projects is of those of the limit':
      '[withLimited(scope), id, ⟦scope.limited?.projects ??⟧ null],',
    'limits: a list of labels is of those of the limit': 'accountId, ⟦scope.limited?.labels ??⟧ null],',
  }),
  ...proved('limits.pg.test.ts', {
    'limits: a project of the organization':
      "⟦if (machines.projects.some((id) => !known.projects.includes(id))) throw notFound('Dit project bestaat niet.');⟧",
    'limits: a label of the organization':
      "⟦if (machines.labels.some((id) => !known.labels.includes(id))) throw notFound('Dit label bestaat niet.');⟧",
    'limits: never to nothing, which would be all':
      "⟦if (machines.projects.length + machines.labels.length === 0) throw invalid('Kies een project of een label.');⟧",
    'limits: the limit of an invitation is the account’s':
      'organizationId, role, ⟦limit,⟧ isConfirmed, hasPassword };',
    'limits: a role above a limit is not given before it ends': '⟦requireLimitable(user, role);⟧',
    'limits: who goes does not come back by the code without the limit': 'if (!mayReturn ⟦|| user.limit⟧)',
    'limits: a session ends when the limit changes':
      '⟦or (old.limit_projects, old.limit_labels, old.only_today) is distinct from (new.limit_projects, new.limit_labels, new.only_today)⟧)',
  }),
];
