import type { ContactUse } from '#shared/contract/contacts.ts';
import { plainNumber } from '#shared/domain/nl.ts';

/** Uses that are named one by one. */
const MOST_NAMED = 5;

/** Returns where a contact is used: 'de organisatie, project Sluis, machine Kraan 1 en nog 3 andere'. */
export function usesInWords(uses: readonly ContactUse[]): string {
  const named = uses
    .slice(0, MOST_NAMED)
    .map(({ by, targetName }) => (by === 'organization' ? 'de organisatie' : `${by} ${targetName}`));
  const others = uses.length - named.length;
  return `${named.join(', ')}${others > 0 ? ` en nog ${plainNumber(others)} andere` : ''}`;
}

/** The order in which contacts count, as every screen about these says it. */
export const NEAREST_FIRST =
  'Het contact van een machine gaat voor dat van het project waar zij op staat, en dat voor het contact van de organisatie. Wie een contact niet mag zien, ziet het eerstvolgende.';
