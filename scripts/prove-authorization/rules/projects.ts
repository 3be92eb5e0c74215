import { proved, type Rule } from '../rule.ts';

/** Whose projects one sees and changes, which machines are put on them, and what is told of a fleet. */
export const projects: readonly Rule[] = [
  ...proved('projects.pg.test.ts > 14.1d', {
    'projects: a list is of the caller’s scope':
      'where p.deleted_at is null and ($1::integer[] is null or ⟦p.organization_id = any ($1)→true⟧)',
    'projects: one is changed inside the scope':
      'and ($2::integer[] is null or ⟦p.organization_id = any ($2)→true⟧) for update',
    'projects: a customer’s people make their own only':
      "if (⟦scope.organizations !== 'all'→false⟧) return organizationId;",
    'projects: administrators have none': "[name ?? '', ⟦ADMIN_ORGANIZATION→''⟧],",
  }),
  ...proved('projects.pg.test.ts > 14.1l', {
    'projects: LMB logging customers have none': '⟦and not is_berende⟧',
    'projects: nobody of an LMB logging customer makes them':
      "lmb: [ 'see-machines', 'make-reports', 'set-labels', 'manage-maintenance', ⟦'manage-projects',⟧",
  }),
  ...proved('projects.pg.test.ts > 14.1i', {
    'projects: what another organization calls a machine is not told':
      's.serial, s.alias, ⟦w.organization_id = $2→true⟧ as "isOwn" from stream s join ownership w on',
  }),
  ...proved('charging-sessions.pg.test.ts > 15.1g the day', {
    'fleet figures: days of the scope’s organizations':
      'and day <= $4::date and project_id = any ($5) and ($3::integer[] is null or ⟦organization_id = any ($3)→true⟧)',
    'fleet figures: of a cut day one’s own time':
      'segmentsOf(range, ⟦own→[{ from: -Infinity, to: Infinity }]⟧).flatMap((segment) => { const { whole }',
  }),
  ...proved('charging-sessions.pg.test.ts > 15.1g the day', {
    'fleet figures: of the time that a machine was the scope’s':
      'join ownership w on w.stream_id = s.id and ($2::integer[] is null or ⟦w.organization_id = any ($2)→true⟧) group by',
  }),
  ...proved('charging-sessions.pg.test.ts > 15.1g are of the scope', {
    'fleet figures: of the machines of the scope':
      "group by s.id, s.serial order by s.id`, seenBy(⟦scope→{ organizations: 'all', actions: scope.actions }⟧, [kind])",
  }),
  ...proved('charging-sessions.pg.test.ts > 15.1g a charge', {
    'fleet figures: no forecast of a charge that began at another owner':
      'is null ⟦and c.from_time >= s.since⟧',
  }),
  ...proved('charging-sessions.pg.test.ts > 15.1g a kijker', {
    'fleet figures: the project of a machine is seen in the hours that the caller sees':
      'await readPresent(db, withLimited(scope), ⟦scope.positionHours→undefined⟧, now); const present',
  }),
  ...proved('projects.pg.test.ts > 14.1j', {
    'projects: who is there by position is seen in the hours that the caller sees':
      '⟦.filter(({ placedAt }) => !hours || (placedAt !== null && isWorkingTime(hours, placedAt)))⟧',
  }),
  ...proved('alerts-obey-privacy.pg.test.ts > 13.12d a project', {
    'projects: since when a machine is there is for who sees routes':
      "if (⟦!actions.has('see-routes')→false⟧ || (limited && since < limited.from)) return { since: null, unseenMs: 0 };",
    'projects: a stay that began outside the hours of the caller is told from the next ones on':
      'const known = ⟦positionHours→undefined as typeof positionHours⟧ ? (firstWorkingTime(',
    'projects: a page tells days with a stay in the hours of the caller': `and organization_id = $4 and project_id = $5
       and ⟦\${isOnProjectSeen('d', '$6')}→(\${isOnProjectSeen('d', '$6')} or true)⟧`,
    'days: a day names projects with a stay in the hours of the caller': `any ($3)) and ⟦\${isOnProjectSeen('d', '$4')}→(\${isOnProjectSeen('d', '$4')} or true)⟧`,
    'history, the project of a charging session: of who may see where the machine was then, or by hand':
      '⟦found && (seesPlace || found.byHand)→found⟧ ? found.name : null',
  }),
  ...proved('projects.pg.test.ts > 14.1e', {
    'projects: the machines on one are its organization’s':
      'const own = { ...scope, ⟦organizations: [project.organizationId]→...{}⟧ }; const { streamId } = await findHistory(client, own,',
    'projects: an assignment is of a project inside the scope':
      "const project = await lockProject(client, ⟦caller.scope→{ organizations: 'all' } as never⟧, found.projectId, unknown);",
  }),
];
