import { proved, type Rule } from '../rule.ts';

/** Whose maintenance plans one sees and changes. */
export const maintenance: readonly Rule[] = [
  ...proved('maintenance.pg.test.ts > 16.1g', {
    'maintenance: of a machine inside the scope':
      "findHistory(pool, ⟦caller.scope→{ ...caller.scope, organizations: 'all' }⟧, query.serial, ['machine']); return showMaintenance",
    'maintenance: a plan is changed inside the scope':
      'where p.id = $1 and (⟦p.organization_id = any ($2)→true⟧ or $2::integer[] is null) for update of p',
    'maintenance: who has the machine no more, or has it now, sees no plan of the other':
      "const OWN = `maintenance_plan p join ownership w on w.stream_id = p.stream_id and w.valid_to = 'infinity' ⟦and w.organization_id = p.organization_id⟧`;",
    'maintenance: none of a deleted machine':
      'join stream s on s.id = p.stream_id ⟦and s.deleted_at is null⟧ where p.id = $1',
  }),
  ...proved('templates.pg.test.ts > templates are of their organization only', {
    'maintenance: templates of another organization are not listed':
      'from maintenance_template t join organization o on o.id = t.organization_id where $2::integer[] is null or ⟦t.organization_id = any ($2)→true⟧ order by',
    'maintenance: a template is found inside the scope':
      'from maintenance_template t where t.id = $1 and ($2::integer[] is null or ⟦t.organization_id = any ($2)→true⟧)`;',
    'maintenance: a template is for machines that its organization has now':
      'const OF_MODEL = `⟦s.organization_id = t.organization_id and⟧ lower(m.brand)',
  }),
  ...proved('fleet-maintenance.pg.test.ts > the list and its file have the machines of the caller only', {
    'maintenance: the list has machines inside the scope':
      "[...seenBy(⟦scope→{ ...scope, organizations: 'all' }⟧, ['machine']), labels ?? null, favouritesOf ?? null]",
    'maintenance: the list is of a project inside the scope':
      'select from project where id = $1 and deleted_at is null and ($2::integer[] is null or ⟦organization_id = any ($2)→true⟧)',
  }),
  ...proved('fleet-maintenance.pg.test.ts > the list is a CSV and an Excel file', {
    'maintenance: the file is for who may make reports':
      "⟦needs: 'make-reports',⟧ changes: false, media: ['text/csv',",
  }),
  ...proved('fleet-maintenance.pg.test.ts > the hours of a former owner', {
    'maintenance: usual hours are of the days that the machine was the organization’s':
      'and d.project_id = 0 and ($2::integer[] is null or ⟦d.organization_id = any ($2)→true⟧) group by d.stream_id`, [own, organizations, begin, today]',
  }),
  ...proved('compare.pg.test.ts > comparing', {
    'compare: machines inside the scope': {
      out: "findHistory(db, ⟦scope→{ ...scope, organizations: 'all' }⟧, serial, ['machine']).catch(",
      hiding: "[...seenBy(⟦scope→{ ...scope, organizations: 'all' }⟧, ['machine']), history.streamId],",
    },
  }),
  ...proved('compare.pg.test.ts > the power of a former owner', {
    'compare: power of the time that the machine was the organization’s':
      'for (const segment of segmentsOf(range, ⟦own→[{ from: -Infinity, to: Infinity }]⟧)) for (const { start, outMj, knownMs } of',
  }),
  ...proved('compare.pg.test.ts > the days of a former owner', {
    'compare: the figures are of days that the machine was the organization’s':
      'and day <= $3::date and project_id = 0 and ($4::integer[] is null or ⟦organization_id = any ($4)→true⟧) group by stream_id`, [own, from, to, organizations, USED_DAY_MS]',
  }),
];
