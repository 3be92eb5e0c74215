import { proved, type Rule } from '../rule.ts';

/** Whose machines the overview has figures of. */
export const fleetFigures: readonly Rule[] = [
  ...proved('fleet-figures.pg.test.ts > another organization', {
    'fleet figures: of a machine inside the scope':
      "findHistory(db, ⟦scope→{ ...scope, organizations: 'all' }⟧, serialNumber, ['machine'])), serial",
  }),
  ...proved('fleet-figures.pg.test.ts > the history of a former owner', {
    'fleet figures: the usual day is of the present owner’s time':
      '(pieces.get(machine.streamId) ?? [])⟦.filter(({ time }) => time >= machine.ownedSince)⟧',
  }),
];
