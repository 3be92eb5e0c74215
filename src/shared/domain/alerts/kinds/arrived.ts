import type { KindDeclaration, PresenceEvaluation } from './kind.ts';

export const arrivedAtPlaceKind = {
  word: 'Aangekomen',
  source: 'presences',
  explanation:
    'De machine is aangekomen op een project of een terrein. Wat met de hand wordt toegewezen telt niet.',
  whatToDo: 'Hoort zij daar te zijn? Kijk op de kaart waar zij is.',
  settings: {},
  severity: 'daily',
  isEvent: true,
  isMovement: true,
  isNotForLimited: true,
  clauses: (of, { isOfPlaces }) => ({
    when: isOfPlaces ? `${of} aankomt` : `${of} op een project of een terrein aankomt`,
  }),
} satisfies KindDeclaration;

export const arrivedAtPlaceEvaluation: PresenceEvaluation<{ readonly place: string }> = {
  text: ({ place }) => `op ${place}`,
  sample: [{ place: 'Kade' }, 'op Kade'],
};
