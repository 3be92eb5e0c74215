import type { KindDeclaration, PresenceEvaluation } from './kind.ts';

export const leftPlaceKind = {
  word: 'Vertrokken',
  source: 'presences',
  explanation:
    'De machine is vertrokken van een project of een terrein. Wat met de hand wordt toegewezen telt niet.',
  whatToDo: 'Hoort zij er nog te zijn? Kijk op de kaart waar zij is.',
  settings: {},
  severity: 'daily',
  isEvent: true,
  isMovement: true,
  isNotForLimited: true,
  clauses: (of, { isOfPlaces }) => ({
    when: isOfPlaces
      ? `${of.replace(' op ', ' van ')} vertrekt`
      : `${of} van een project of een terrein vertrekt`,
  }),
} satisfies KindDeclaration;

export const leftPlaceEvaluation: PresenceEvaluation<{ readonly place: string }> = {
  text: ({ place }) => `weg van ${place}`,
  sample: [{ place: 'Kade' }, 'weg van Kade'],
};
