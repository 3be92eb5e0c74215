/** What a group of calls is about, in Dutch. */
export type Noun = { readonly title: string; readonly about: string };

/** By the first word of their path after /api, in the order in which the page shows them. */
const NOUNS: Readonly<Record<string, Noun>> = {
  auth: { title: 'Aanmelden', about: 'Inloggen, registreren en een nieuw wachtwoord.' },
  live: {
    title: 'Live',
    about: 'De nieuwste waarden van alle machines en loggers, om elke vijf seconden te vragen.',
  },
  influx: { title: 'Historie', about: 'Route, draaiuren, vermogen en energie uit de bewaarde metingen.' },
  machine: {
    title: 'Machines',
    about: 'Machines, hun logger, hun datadefinitie (DBC) en het configuratiebestand.',
  },
  img: { title: 'Foto’s', about: 'De foto van een machine.' },
  manual: { title: 'Handleidingen', about: 'De handleiding van een machine, in PDF.' },
  berend: { title: 'LMB-loggers', about: 'Loggers van LMB-klanten, en hun gegevens.' },
  mail: { title: 'Laadupdates', about: 'Mail over het laden van een machine.' },
  organization: { title: 'Organisaties', about: 'Organisaties en hun registratiecodes.' },
  user: { title: 'Gebruikers', about: 'Gebruikers en bij welke organisatie zij horen.' },
  map: { title: 'Kaart', about: 'De lagen van de kaart.' },
  health: { title: 'Gezondheid', about: 'Of het portaal werkt, en hoe: voor bewaking en load balancers.' },
  'background-tasks': { title: 'Achtergrondwerk', about: 'Lang werk op de server.' },
  docs: { title: 'Documentatie', about: 'Deze beschrijving, om te lezen en voor programma’s.' },
};

/** '/api/machine/get' is about 'machine'. */
export function nounOfPath(path: string): string {
  if (path === '/metrics') return 'health';
  const word = path.split('/')[2] ?? '';
  return word === 'openapi.json' ? 'docs' : word;
}

/** A word that is not known yet is its own title. */
export const nounOf = (noun: string): Noun => NOUNS[noun] ?? { title: noun, about: '' };

/** Place on the page; what is not known comes last. */
export function placeOf(noun: string): number {
  const place = Object.keys(NOUNS).indexOf(noun);
  return place < 0 ? Number.POSITIVE_INFINITY : place;
}
