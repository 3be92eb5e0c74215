import { proved, type Rule } from '../rule.ts';

/** Whose labels one sees and gives, and which machines carry them. */
export const labels: readonly Rule[] = [
  ...proved('labels.pg.test.ts > 15.2d', {
    'labels: a list is of the caller’s scope':
      'where ($2::integer[] is null or ⟦l.organization_id = any ($2)→true⟧) and ($4::integer[] is null or',
    'labels: one is changed inside the scope':
      'where l.id = $1 and ($2::integer[] is null or ⟦l.organization_id = any ($2)→true⟧) for update',
    'labels: a machine carries its own organization’s only':
      '({ ...scope, ⟦organizations: [organizationId],→...{}⟧ }); const nameTaken',
    'labels: a machine is labelled, and chosen as a favourite, inside the scope': {
      out: "await findHistory(client, ⟦scope→{ ...scope, organizations: 'all' }⟧, serial, ['machine']); const machine",
      hiding:
        "⟦if (organizations !== null && !organizations.includes(machine.organizationId)) throw unknownStream(['machine']);⟧ return machine;",
    },
  }),
  ...proved('labels.pg.test.ts > 15.2g', {
    'labels: who has a machine no more sees no label on it':
      'join seen s on s.id = m.stream_id and ⟦s.organization_id = l.organization_id→true⟧',
    'favourites: of machines inside the scope':
      "as favourites`, [...seenBy(⟦scope→{ ...scope, organizations: 'all' }⟧, ['machine']), accountId, scope.limited",
    'labels: a machine that goes to another organization begins without':
      "'delete from machine_label where ⟦stream_id = $1→$1::int < 0⟧', [streamId]);",
    'labels: favourites of who sees it no more end':
      'where f.stream_id = $1 and a.id = f.account_id and ⟦o.name <> $2→o.name <> $2 and false⟧',
    'labels: whose a machine is is asked again when nobody moves it any more':
      "⟦if (organizations !== null && !organizations.includes(machine.organizationId)) throw unknownStream(['machine']);⟧ return machine;",
  }),
  ...proved('labels.pg.test.ts > 15.2f', {
    'favourites: each person sees their own':
      'from favourite f join seen s on s.id = f.stream_id where ⟦f.account_id = $3→$3::int is not null⟧',
  }),
];
