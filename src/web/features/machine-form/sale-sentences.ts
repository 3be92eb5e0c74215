import type { MachineSale } from '#shared/contract/machine-sale.ts';
import { dateAndTime, formatNumber } from '#shared/domain/nl.ts';
import { REPORTS } from '#shared/domain/reports/kinds.ts';

const counted = (count: number, one: string, more: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : more}`;
const enumerated = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} en ${parts.at(-1)}`;

/** Returns the consequences of a sale as sentences: about the readings, what moves to the buyer, the logger, and what ends. */
export function saleSentences(sale: MachineSale): readonly string[] {
  const { seller, buyer, loggerId, kept, given, ownedSince, reportName } = sale;
  const at = dateAndTime(Date.parse(sale.at));
  const since = ownedSince === null ? '' : ` vanaf ${dateAndTime(Date.parse(ownedSince))}`;
  const ends = endings(sale);
  return [
    kept === 0
      ? `${seller} houdt geen metingen: er zijn er geen van voor ${at}.`
      : `${seller} houdt de metingen${since} tot ${at}: ${formatNumber(kept)}. Ze staan bij Rapporten (${REPORTS.dagstaten.title}, ${REPORTS.draaiuren.title}) onder '${reportName}'.`,
    given === 0
      ? `${buyer} krijgt de metingen vanaf ${at}; die zijn er nog niet.`
      : `${buyer} krijgt de metingen vanaf ${at}: ${formatNumber(given)} die er al zijn, en wat nog komt.`,
    'De gegevens van de machine, foto, handleiding en datadefinitie gaan mee. Urenstand en draaiuren lopen door.',
    loggerId === ''
      ? 'Er is geen logger gekoppeld.'
      : `Logger ${loggerId} gaat mee. ${seller} kan zijn sleutel kennen: maak binnen 30 dagen een nieuwe configuratie en laad die in de logger.`,
    ends.length === 0 ? `Bij ${seller} eindigt verder niets.` : `Bij ${seller} eindigt: ${enumerated(ends)}.`,
    `Meldingen die er al waren, blijven bij ${seller}.`,
  ];
}

function endings({
  labels,
  favourites,
  subscribers,
  projects,
  rules,
  maintenancePlans,
}: MachineSale): string[] {
  const counts: readonly (readonly [number, string])[] = [
    [labels, counted(labels, 'label', 'labels')],
    [favourites, counted(favourites, 'favoriet', 'favorieten')],
    [subscribers, `laadmails van ${counted(subscribers, 'mens', 'mensen')}`],
    [projects.length, `de inzet met de hand op ${enumerated(projects)}`],
    [rules, counted(rules, 'meldingregel die haar noemt', 'meldingregels die haar noemen')],
    [maintenancePlans, counted(maintenancePlans, 'onderhoudsplan', 'onderhoudsplannen')],
  ];
  return counts.filter(([count]) => count > 0).map(([, text]) => text);
}
