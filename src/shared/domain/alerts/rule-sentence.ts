/** A rule of alerts as a sentence, for lists, forms and confirmations (docs/alerts.md). */
import { exactNumber } from '../nl.ts';
import { type AlertKind, kindDefinition, type RuleHours, type RuleSettings } from './kinds.ts';

type Rule = {
  readonly kind: AlertKind;
  readonly settings: RuleSettings;
  readonly hours: RuleHours;
  readonly machines?: { readonly by: MachinesBy };
};
type MachinesBy = 'all' | 'labels' | 'projects' | 'terreinen' | 'chosen';

/** The settings of a rule as texts for its sentence. */
type Numbers = {
  /** For example '20'; '…': the setting is missing. */
  readonly threshold: string;
  readonly clear: string;
  /** ' 10 minuten achter elkaar'; empty without a pending period. */
  readonly hold: string;
  /** ' 2 minuten'; empty without a pending period. */
  readonly clearHold: string;
  readonly settings: RuleSettings;
  /** Whether the rule is limited to projects or terreinen, so that it reports only arrivals and departures there. */
  readonly isOfPlaces: boolean;
};

/** Returns the condition that follows 'Meld het als', and the one that ends the alert. `of`: 'een machine met label Nachtploeg'. */
type Clauses = (of: string, numbers: Numbers) => { readonly when: string; readonly ends?: string };

const CLAUSES: Partial<Record<AlertKind, Clauses>> = {
  low: (of, { threshold, clear, hold, clearHold }) => ({
    when: `een accu van ${of}${hold} onder ${threshold}% is zonder dat er wordt geladen`,
    ends: `elke accu${clearHold} op ${clear}% of hoger is`,
  }),
  'not-charging': (of, { threshold, hold, clearHold }) => ({
    when: `${of}${hold} aan de lader staat zonder te laden, met de accu onder ${threshold}%`,
    ends: `dat${clearHold} voorbij is`,
  }),
  silent: (of, { settings }) => ({ when: `van ${of} ${hours(settings.threshold)} niets is ontvangen` }),
  unseen: (of, { settings }) => ({
    when: `van ${of} ${minutes(settings.threshold)} na het begin van de dienst nog niets is ontvangen`,
  }),
  'not-full': (of, { threshold, settings }) => ({
    when: `${minutes(settings.ahead)} voor het begin van de dienst te zien is dat de accu van ${of} dan onder ${threshold}% is, of misschien niet vol`,
  }),
  'runs-short': (of, { threshold, clear }) => ({
    when: `de accu van ${of} voor het einde van de dienst onder ${threshold}% komt, zoals het op deze weekdag gewoonlijk gaat`,
    ends: `de accu het einde met ${clear}% of meer haalt`,
  }),
  maintenance: (of) => ({ when: `${of} binnen 50 draaiuren of 14 dagen onderhoud nodig heeft` }),
  fault: (of, { hold, clearHold }) => ({
    when: `een besturing van ${of}${hold} een storingscode meldt`,
    ends: `de code${clearHold} weg is`,
  }),
  moved: (of, { threshold }) => ({ when: `${of} buiten werktijd meer dan ${threshold} m wordt verplaatst` }),
  arrived: (of, { isOfPlaces }) => ({
    when: isOfPlaces ? `${of} aankomt` : `${of} op een project of een terrein aankomt`,
  }),
  left: (of, { isOfPlaces }) => ({
    when: isOfPlaces
      ? `${of.replace(' op ', ' van ')} vertrekt`
      : `${of} van een project of een terrein vertrekt`,
  }),
  'packs-apart': (of, { threshold, clear, hold, clearHold }) => ({
    when: `de accu’s van ${of}${hold} meer dan ${threshold} procentpunten verschillen`,
    ends: `het verschil${clearHold} onder ${clear} procentpunten is`,
  }),
  'pack-silent': (of, { settings, clearHold }) => ({
    when: `een accu van ${of} ${minutes(settings.threshold)} niets meldt en de machine wel`,
    ends: `de accu weer${clearHold} meldt`,
  }),
  speeding: (of, { threshold, clear, hold, clearHold }) => ({
    when: `${of}${hold} harder dan ${threshold} km/u rijdt`,
    ends: `de snelheid${clearHold} onder ${clear} km/u is`,
  }),
  'unknown-logger': (_, { threshold }) => ({
    when: `een onbekende logger ${threshold} keer metingen heeft gestuurd`,
  }),
  quarantine: (_, { threshold, clear }) => ({
    when: `in 24 uur van meer dan ${threshold} leveringen geen geschiedenis kon worden gemaakt`,
    ends: `het er minder dan ${clear} zijn`,
  }),
  'config-not-running': (_, { settings }) => ({
    when: `een logger ${hours(settings.threshold)} na het downloaden zijn configuratiebestand niet draait`,
  }),
  'logs-empty': (_, { threshold }) => ({
    when: `de laatste ${threshold} logbestanden van een logger geen enkele meting opleveren`,
  }),
  'mail-failing': (_, { settings }) => ({
    when: `een mail langer dan ${minutes(settings.threshold)} wacht doordat versturen mislukt, of is opgegeven`,
  }),
  'backup-old': (_, { settings }) => ({
    when: `de laatste back-up die is teruggelezen ouder is dan ${amount(settings.threshold, 'dag', 'dagen')}, of een back-up mislukt`,
  }),
  disk: (_, { threshold, clear }) => ({
    when: `op de schijf met de gegevens minder dan ${threshold}% vrij is`,
    ends: `er ${clear}% of meer vrij is`,
  }),
  charging: (of) => ({ when: `${of} begint met laden, ermee stopt of klaar is` }),
};

/**
 * Returns a rule as one sentence, and a second one if the alert has its own end: 'Meld het als een accu van een machine met label
 * Nachtploeg 2 minuten achter elkaar onder 20% is zonder dat er wordt geladen. De melding sluit zodra …'.
 * @param of the machines, as returned by `machinesOfRule`
 */
export function ruleSentence({ kind, settings, hours: during, machines }: Rule, of = 'een machine'): string {
  const { threshold, clear, hold = 0, clearHold = 0 } = settings;
  const clauses = CLAUSES[kind]?.(of, {
    threshold: number(threshold),
    clear: number(clear),
    hold: hold > 0 ? ` ${minutes(hold)} achter elkaar` : '',
    clearHold: clearHold > 0 ? ` ${minutes(clearHold)}` : '',
    settings,
    isOfPlaces: machines?.by === 'projects' || machines?.by === 'terreinen',
  });
  if (!clauses) return kindDefinition(kind).explanation;
  const at = { always: '', work: ' in werktijd', outside: ' buiten werktijd' }[during];
  const end = clauses.ends === undefined ? '' : ` De melding sluit zodra ${clauses.ends}.`;
  return `Meld het${at} als ${clauses.when}.${end}`;
}

/** Maximum number of machine names in a sentence. */
const MOST_NAMED = 3;

/**
 * Returns the machines of a rule as the subject of its sentence: 'een machine', 'een machine met label A of B', 'Rups 1 of Rups 2'.
 * @param names undefined while they are loading; empty if all chosen items were deleted
 */
export function machinesOfRule(by: MachinesBy, names: readonly string[] | undefined): string {
  if (by === 'all') return 'een machine';
  const kind = { labels: 'label', projects: 'project', terreinen: 'terrein', chosen: '' }[by];
  const all = names === undefined ? '…' : LIST.format(names);
  if (by === 'chosen') {
    if (names && names.length > MOST_NAMED) return `een van ${names.length} gekozen machines`;
    return all || 'een machine die er niet meer is';
  }
  const chosen = all === '' ? `een ${kind} dat er niet meer is` : `${kind} ${all}`;
  return `een machine ${by === 'labels' ? 'met' : 'op'} ${chosen}`;
}

const LIST = new Intl.ListFormat('nl', { type: 'disjunction' });

const number = (value: number | undefined): string => (value === undefined ? '…' : exactNumber(value));

function amount(value: number | undefined, one: string, many: string): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

const hours = (value: number | undefined): string => `${number(value)} uur`;

/** Returns minutes as a text, whole hours as hours: '2 uur', '90 minuten', '1 minuut'. */
const minutes = (value: number | undefined): string =>
  value !== undefined && value > 0 && value % 60 === 0
    ? hours(value / 60)
    : amount(value, 'minuut', 'minuten');
