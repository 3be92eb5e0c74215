import { plainNumber } from '#shared/domain/nl.ts';

/** How many machines the quick menu shows, for the eye and the ear: '24 machines', '3 van 10.000 machines'. */
export function foundInWords(found: number, total: number): string {
  if (total === 0) return '';
  const machines = `${plainNumber(total)} ${total === 1 ? 'machine' : 'machines'}`;
  if (found === total) return machines;
  return found === 0 ? `Geen van ${machines}` : `${plainNumber(found)} van ${machines}`;
}
