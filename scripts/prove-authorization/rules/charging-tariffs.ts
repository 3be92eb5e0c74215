import { proved, type Rule } from '../rule.ts';

/** Whose charging tariffs a caller sees and changes. */
export const chargingTariffs: readonly Rule[] = [
  ...proved('tariffs.pg.test.ts > 53.32', {
    'charging tariffs: a list is of the caller’s scope':
      'where $1::integer[] is null or ⟦t.organization_id = any ($1)→true⟧ order by lower(o.clean)',
    'charging tariffs: one is changed inside the scope':
      'from charging_tariff t where t.id = $1 and ($2::integer[] is null or ⟦t.organization_id = any ($2)→true⟧)',
    'charging tariffs: an organization has its own prices':
      'where ⟦t.organization_id = any ($1)→$1::int[] is not null⟧ order by lower(r.name) nulls first, t.terrein_id',
    'charging tariffs: of terreinen of the organization itself only':
      'where r.id = $1 and ⟦r.organization_id = $2→$2::int > 0⟧ and r.deleted_at is null',
    'charging tariffs: a machine’s cost is by the tariffs of owners in the scope':
      'from ownership w where w.stream_id = $1 and ($2::integer[] is null or ⟦w.organization_id = any ($2)→true⟧)',
    'charging tariffs: a machine’s days cost what owners in the scope charged':
      "charged_hours::float8[] as hours from telemetry.day_figures where stream_id = $1 and day >= $2::date and day < $2::date + interval '1 month' and project_id = 0 and ($3::integer[] is null or ⟦organization_id = any ($3)→true⟧)",
  }),
];
