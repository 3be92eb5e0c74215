import { proved, type Rule } from '../rule.ts';

/** Whose fault codes one sees, and of which time. */
export const faultCodes: readonly Rule[] = [
  ...proved('fault-codes.pg.test.ts > 42.51', {
    'fault codes: of a machine inside the scope':
      "findHistory(pool, ⟦caller.scope→{ ...caller.scope, organizations: 'all' }⟧, serial, ['machine']); const { faults, total }",
    'fault codes: those of the caller’s own time':
      'on e.stream_id = own.id ⟦and e.since < own."to" and e.last_seen >= own."from"⟧',
    'fault codes: none is told from before the caller’s own time':
      '⟦greatest(e.since, own."from")→e.since⟧ as since',
    'fault codes: the overview counts those that were seen since the machine is its owner’s':
      'on f.stream_id = own.id ⟦and f.last_seen >= own.since⟧',
  }),
];
