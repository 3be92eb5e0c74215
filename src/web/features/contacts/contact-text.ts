import type { ContactUse } from '#shared/contract/contacts.ts';
import { formatNumber } from '#shared/domain/nl.ts';

const MAX_NAMED = 5;

/** Returns where a contact is used, for example 'de organisatie, project Sluis, machine Kraan 1 en nog 3 andere'. */
export function contactUsesText(uses: readonly ContactUse[]): string {
  const named = uses
    .slice(0, MAX_NAMED)
    .map(({ by, targetName }) => (by === 'organization' ? 'de organisatie' : `${by} ${targetName}`));
  const others = uses.length - named.length;
  return `${named.join(', ')}${others > 0 ? ` en nog ${formatNumber(others)} andere` : ''}`;
}

/** Explanation of the order of precedence of contacts, for every screen about contacts. */
export const CONTACT_PRECEDENCE_TEXT =
  'Het contact van een machine gaat voor dat van het project waar zij op staat, en dat voor het contact van de organisatie. Wie een contact niet mag zien, ziet het eerstvolgende.';
