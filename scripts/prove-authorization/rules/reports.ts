import { proved, type Rule } from '../rule.ts';

/** Whose figures a report has, and where its machines were. */
export const reports: readonly Rule[] = [
  ...proved('reports.pg.test.ts > 14.3b', {
    "reports: a row is of a machine that was the scope's":
      'where ($1::integer[] is null or ⟦w.organization_id = any ($1)→true⟧) and w.valid_from < to_timestamp',
    "reports: what is another organization's now is neither called by its name nor found by it":
      'machine: ⟦row.isOwn→true⟧ ? { organization: row.organization,',
    'reports: the hour meter of a machine is its present owner’s':
      'initialHours: ⟦row.isOwn→true⟧ && isSeenAnywhere',
    "reports: a project is the scope's":
      'from project where ($1::integer[] is null or ⟦organization_id = any ($1)→true⟧) and ($2::integer[] is null or id = any ($2))',
  }),
  ...proved('silent-days.pg.test.ts > days without data of a former owner', {
    "reports: a day without data is of a machine that was the organization's":
      'join ownership w on w.stream_id = o.stream_id and ⟦w.organization_id = o.organization_id→true⟧`, pairs(machines)',
  }),
  ...proved('reports.pg.test.ts > 14.4j', {
    "reports: a label is the scope's":
      'where l.id = any ($2) and ($1::integer[] is null or ⟦l.organization_id = any ($1)→true⟧) and ($3::integer[] is null or',
    "reports: by a label one finds what is its organization's":
      'where c.stream_id = s.id and ⟦l.organization_id = w.organization_id→true⟧ and l.id = any',
    'reports: by a label nobody finds what was sold': `(⟦now.organization_id = w.organization_id→true⟧ and \${carriesOneOf('$5')})`,
  }),
  ...proved('reports.pg.test.ts > 14.3c', {
    'reports: a route is for who may see routes':
      "if (⟦!scope.actions.has('see-routes')→false⟧) throw forbidden(); if (!question.machines?.length)",
    'reports: a route is of the hours that a viewer may see':
      'const seen = withPositions(⟦scope→{} as never⟧, { streamId, own }, range);',
    'reports: positions are no signals for who may not see them':
      "const seesAll = ⟦scope.actions.has('see-routes') && !scope.positionHours→true⟧;",
    'reports: a charging session has no place for who may not see routes':
      "⟦actions.has('see-routes') &&⟧ (!positionHours || isWorkingTime(positionHours, time));",
    'reports: a charging session has no place outside the hours that a viewer may see':
      "actions.has('see-routes') ⟦&& (!positionHours || isWorkingTime(positionHours, time))⟧;",
    'reports: files are for who may make them':
      "⟦needs: 'make-reports',⟧ changes: false, media: Object.values(MEDIA)",
  }),
  ...proved('alerts-obey-privacy.pg.test.ts > 13.12d a project', {
    'reports: Dagstaten of a project tells days with a stay in the hours of the caller': `d.project_id = any ($5)
           and ⟦\${isOnProjectSeen('d', '$6')}→(\${isOnProjectSeen('d', '$6')} or true)⟧ order by`,
    'reports: Dagstaten names projects with a stay in the hours of the caller': `p.project_id > 0 and ⟦\${isOnProjectSeen('p', '$6')}→(\${isOnProjectSeen('p', '$6')} or true)⟧`,
    'reports: Dagstaten tells no time on a project that the caller may not see':
      '⟦...(projectId !== 0 && activeSeen(scope, figures)),⟧',
    'reports: Draaiuren of a project is of machines with a stay in the hours of the caller': `any ($4) and ⟦\${isOnProjectSeen('d', '$5')}→(\${isOnProjectSeen('d', '$5')} or true)⟧`,
    'reports: Inzet tells days with a stay in the hours of the caller': `and ⟦\${isOnProjectSeen('d', '$8')}→(\${isOnProjectSeen('d', '$8')} or true)⟧`,
    'reports: the project of a charging session is for who may see where the machine was then, or by hand':
      'const found = ⟦seesPlace || byHand→true⟧ ? projects.get(projectId ?? 0) : undefined;',
  }),
];
